/** Computes password hashes of other systems. Runs in the hash threads, because it blocks. */
import { argon2Sync, createCipheriv, pbkdf2Sync, scryptSync } from 'node:crypto'
import bcrypt from 'bcryptjs'
import type { ForeignHash } from './foreign-hash.ts'

/** Firebase encrypts with AES-256, so that scrypt computes 32 bytes whatever the length of the hash. */
const cipherKeyBytes = 32

/** Returns the hash of a password with the parameters and the salt of `one`. Throws if the runtime refuses them. */
export function deriveForeign(one: ForeignHash, password: string): Uint8Array {
  switch (one.kind) {
    case 'pbkdf2':
      return pbkdf2Sync(password, one.salt, one.rounds, one.hash.length, one.digest)
    case 'scrypt':
      return scrypt(password, one.salt, one, one.hash.length)
    case 'bcrypt':
      return Buffer.from(bcrypt.hashSync(password, Buffer.from(one.salt).toString()).slice(-one.hash.length))
    case 'firebase': {
      const key = scrypt(password, Buffer.concat([one.salt, one.separator]), { ...one, p: 1 }, cipherKeyBytes)
      return createCipheriv('aes-256-ctr', key, new Uint8Array(16)).update(one.signerKey)
    }
    default: {
      const { kind, memory, passes, parallelism, salt, hash } = one
      return argon2Sync(kind, { message: password, nonce: salt, memory, passes, parallelism, tagLength: hash.length })
    }
  }
}

type Cost = { readonly logN: number; readonly r: number; readonly p: number }

function scrypt(password: string, salt: Uint8Array, { logN, r, p }: Cost, length: number): Uint8Array {
  const N = 2 ** logN
  return scryptSync(password, salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) + 1_048_576 })
}
