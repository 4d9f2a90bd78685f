/** The secrets of a confirmation by mail: the link's token, the code, and what binds the code to a browser. */
import { createHmac } from 'node:crypto'
import { hashSecret, mintOpaque, secretMatches, uuidv7 } from './opaque.ts'

type Random = (bytes: number) => Uint8Array

export type ConfirmationSecrets = {
  readonly id: string
  /** For the link: 64 characters with 256 random bits. */
  readonly token: string
  readonly tokenHash: string
  /** Six digits. */
  readonly code: string
  readonly codeHash: string
  /** For the browser's cookie. */
  readonly browserValue: string
  readonly browserHash: string
}

/**
 * Mints the secrets of a new confirmation. A million codes are tried in a moment, so the code's hash is keyed by the
 * secret in the browser's cookie, of which only a hash is stored: the database alone does not reveal the code, and the
 * code is worth nothing in another browser.
 */
export function mintConfirmation(nowMs: number, random: Random): ConfirmationSecrets {
  const id = uuidv7(nowMs, random)
  const link = mintOpaque(id, random)
  const browser = mintOpaque(id, random)
  const code = mintCode(random)
  return {
    id,
    token: link.value,
    tokenHash: link.secretHash,
    code,
    codeHash: hashCode(browser.secret, id, code),
    browserValue: browser.value,
    browserHash: browser.secretHash,
  }
}

/** Returns hashes that no token and no code has, for a confirmation that nobody can use. */
export function unusableHashes(random: Random): { readonly tokenHash: string; readonly codeHash: string } {
  return { tokenHash: hashSecret(random(32)), codeHash: hashSecret(random(32)) }
}

/** `secret`: that of the browser's cookie. Constant-time. */
export function codeMatches(secret: Uint8Array, id: string, code: string, codeHash: string): boolean {
  return secretMatches(hashCode(secret, id, code), codeHash)
}

function hashCode(secret: Uint8Array, id: string, code: string): string {
  return createHmac('sha256', secret).update(`latchkey confirmation v1\n${id}\n${code}`).digest('base64url')
}

/** Six digits, all equally likely. */
export function mintCode(random: Random): string {
  for (;;) {
    const bytes = random(4)
    const number = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    // The rest of the range would make the lower codes more likely.
    if (number < 4_294_000_000) return String(number % 1_000_000).padStart(6, '0')
  }
}
