/** Judges a new password while it is typed. Nothing of it leaves the page; the service judges it again. */
import { type PasswordError, type PasswordOwner, passwordFault } from '../../src/users/password-rules'

/** Of a stored hash. */
const hashBytes = 4

let loading: Promise<Uint8Array> | undefined

/**
 * Returns why the password will be refused; undefined: as far as this page knows, it will not. The page has the most
 * frequent of the common passwords, which are loaded with the first call, and asks no list of breached ones.
 */
export async function newPasswordFault(
  password: string,
  owner: PasswordOwner,
  minLength: number,
): Promise<PasswordError | undefined> {
  const fault = passwordFault(password, owner, minLength)
  if (fault !== undefined) return fault
  return (await isFrequent(password)) ? 'password_common' : undefined
}

async function isFrequent(password: string): Promise<boolean> {
  // Only secure origins have it.
  const { subtle } = crypto
  if (subtle === undefined) return false
  try {
    loading ??= load()
    const list = await loading
    const folded = new TextEncoder().encode(password.normalize('NFKC').toLowerCase())
    const wanted = new Uint8Array(await subtle.digest('SHA-256', folded)).subarray(0, hashBytes)
    for (let at = 0; at < list.length; at += hashBytes) {
      if (wanted.every((byte, index) => list[at + index] === byte)) return true
    }
    return false
  } catch {
    loading = undefined
    return false
  }
}

async function load(): Promise<Uint8Array> {
  const response = await fetch(new URL('./frequent-passwords.bin', import.meta.url))
  if (!response.ok) throw new Error('the list of frequent passwords did not load')
  return new Uint8Array(await response.arrayBuffer())
}
