/** Reads JSON from a request. */
import { isObject } from '../protocol/json-value.ts'
import { isNestedTooDeeply } from '../protocol/nesting.ts'
import type { Request } from './request.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the JSON object of the body; undefined: another content type, too long or deep, or no JSON object in UTF-8. */
export function readJsonObject(request: Request, lengthAtMost: number): Readonly<Record<string, unknown>> | undefined {
  if (!/^application\/json(?=$|[\s;])/i.test(request.headers['content-type'] ?? '')) return undefined
  if (request.body.length > lengthAtMost) return undefined
  try {
    const value: unknown = JSON.parse(utf8.decode(request.body))
    return isObject(value) && !isNestedTooDeeply(value) ? value : undefined
  } catch {
    return undefined
  }
}
