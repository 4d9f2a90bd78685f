/** People by our own names, as `import users` takes them: JSON lines. */
import { importable } from '../person-fields.ts'
import { userRecord } from '../users/user-record.ts'
import type { LeavingPerson } from './leaving-people.ts'

/** Returns the line of a person. Has the password hash and the secret of an authenticator app. */
export function userLine({ user, totpSecret, recoveryHashes, logins }: LeavingPerson, nowMs: number): string {
  const { attributes, ...record } = userRecord(user, nowMs)
  const members = Object.entries(record).filter(([name]) => Object.hasOwn(importable, name))
  const line = {
    ...Object.fromEntries(members),
    ...(attributes !== undefined && { attributes }),
    ...(user.passwordHash !== null && { password_hash: user.passwordHash }),
    ...(totpSecret !== undefined && { totp_secret: totpSecret }),
    ...(recoveryHashes.length > 0 && { recovery_codes: recoveryHashes }),
    ...(logins.length > 0 && { external_logins: logins.map(({ provider, subject }) => ({ provider, subject })) }),
  }
  return `${JSON.stringify(line)}\n`
}
