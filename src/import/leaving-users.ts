/** People by our own names, as `import users` takes them: JSON lines. */
import { importable } from '../person-fields.ts'
import { passkeyRecord } from '../users/imported-passkeys.ts'
import { userRecord } from '../users/user-record.ts'
import type { LeavingApp, LeavingPerson } from './leaving-people.ts'

/** Returns the line of a person. Has the password hash and the secret of an authenticator app. */
export function userLine(
  { user, apps, recoveryHashes, passkeys, logins }: LeavingPerson,
  rpId: string,
  nowMs: number,
): string {
  const { attributes, ...record } = userRecord(user, nowMs)
  const members = Object.entries(record).filter(([name]) => Object.hasOwn(importable, name))
  const [first, ...others] = apps
  const isPlain = first !== undefined && others.length === 0 && first.name === undefined && isUsual(first)
  const only = isPlain ? first.secret : undefined
  const line = {
    ...Object.fromEntries(members),
    ...(attributes !== undefined && { attributes }),
    ...(user.passwordHash !== null && { password_hash: user.passwordHash }),
    ...(only !== undefined ? { totp_secret: only } : apps.length > 0 && { authenticator_apps: apps }),
    ...(recoveryHashes.length > 0 && { recovery_codes: recoveryHashes }),
    ...(passkeys.length > 0 && { passkeys: passkeys.map((one) => passkeyRecord(one, rpId)) }),
    ...(logins.length > 0 && { external_logins: logins.map(({ provider, subject }) => ({ provider, subject })) }),
  }
  return `${JSON.stringify(line)}\n`
}

const isUsual = ({ algorithm, digits, period }: LeavingApp): boolean =>
  algorithm === 'SHA1' && digits === 6 && period === 30
