/** Reading JWTs of clients before their signature is verified (RFC 7515 §3.1, RFC 7519). */
import { isNestedTooDeeply, isObject, type JsonObject } from '../json-value.ts'

/** Returns the JSON object in one encoded part of a JWT; undefined: there is none. */
export function objectIn(encoded: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded ?? '', 'base64url').toString('utf8'))
    return isObject(value) && !isNestedTooDeeply(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a claim is a NumericDate (RFC 7519 §2). */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Returns a claim as text for the details of a refusal. */
export function shownClaim(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? 'nothing' : 'no text'
}
