/** Bytes in columns of databases. */
import { Buffer } from 'node:buffer'

/** Returns bytes in either encoding of the databases: hexadecimal digits, or Base64; undefined: neither. */
export function bytesOf(text: string): Buffer | undefined {
  const digits = text.replace(/^\\x/i, '')
  if (/^(?:[0-9a-f]{2})+$/i.test(digits)) return Buffer.from(digits, 'hex')
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}
