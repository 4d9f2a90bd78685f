/** People as they are handed to another system: what the exports of all kinds are made of. */
import type { KeyRing } from '../keys/key-ring.ts'
import { foreignRecoveryHash } from '../secrets/recovery-codes.ts'
import { formOf, unsealTotpSecret } from '../secrets/totp.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Candidate } from '../users/lockout.ts'
import type { Passkey } from '../users/passkey.ts'
import { readActions } from '../users/required-actions.ts'
import { appsOf } from '../users/second-factor.ts'
import { type FactorRules, isProtected, offeredMethods } from '../users/sign-in-steps.ts'
import { type ExternalLogin, normalizeName, type User } from '../users/user.ts'

/** An authenticator app. `secret`: Base32. */
export type LeavingApp = ReturnType<typeof formOf> & { readonly name?: string }

export type LeavingPerson = {
  /** Somebody whose second factor cannot leave is held, as a person who came here without theirs. */
  readonly user: User
  readonly apps: readonly LeavingApp[]
  /** Hashes of recovery codes that another system made, as `import users` takes them. */
  readonly recoveryHashes: readonly string[]
  /** They work at the host of this installation alone. */
  readonly passkeys: readonly Passkey[]
  readonly logins: readonly ExternalLogin[]
  /** Why something of the person cannot leave, each once. */
  readonly left: readonly string[]
}

export type LeavingContext = {
  readonly storage: Pick<Storage, 'users' | 'secondFactors' | 'externalLogins' | 'passkeys' | 'groups'>
  /** What counts as a second factor here. */
  readonly rules: FactorRules
  /** Whether the other system asks for a key that is a second factor alone, as here. */
  readonly asksForKeys: boolean
  /** Opened for the first authenticator app. */
  readonly keys: () => Promise<KeyRing>
}

const leftCodes = 'recovery codes, of which only keyed hashes are stored: people make new ones'
const leftHeld =
  'second factors of people who have no other one that leaves: they prove the address there, and set up a new one'
const leftSecret = 'authenticator apps whose secret the keys of this installation do not open'

/** Yields everybody, ascending by user name. Reads a page at a time. */
export async function* leavingPeople({
  storage,
  rules,
  keys,
  asksForKeys,
}: LeavingContext): AsyncGenerator<LeavingPerson> {
  let after = ''
  for (;;) {
    const page = await storage.users.page('name', '', after)
    const last = page.at(-1)
    if (last === undefined) return
    yield* await Promise.all(page.map(leaving))
    after = normalizeName(last.name)
  }

  async function leaving(user: User): Promise<LeavingPerson> {
    const [factors, logins, passkeys] = await Promise.all([
      storage.secondFactors.find(user.id),
      storage.externalLogins.list(user.id),
      storage.passkeys.list(user.id),
    ])
    const kept = appsOf(factors)
    const ring = kept.length > 0 ? await keys() : undefined
    const apps = kept.flatMap(({ sealedSecret, name }): LeavingApp[] => {
      const secret = ring && unsealTotpSecret(ring, sealedSecret)
      return secret === undefined ? [] : [{ ...formOf(secret), ...(name !== undefined && { name }) }]
    })
    const secondFactorKeys = passkeys.filter(({ isSecondFactor }) => isSecondFactor === true).length
    const candidate = { user, passkeys: passkeys.length, secondFactorKeys, ...(factors && { factors }) }
    const isHeld = wasAsked(candidate, rules) && !isAskedThere(apps.length, asksForKeys ? secondFactorKeys : 0)
    const stored = factors?.recoveryHashes ?? []
    const opened = stored.length > 0 ? await keys() : undefined
    // Codes stand in for a factor, and leave with one.
    const recoveryHashes =
      opened === undefined || (apps.length === 0 && passkeys.length === 0)
        ? []
        : stored.flatMap((one) => foreignRecoveryHash(opened, one) ?? [])
    const left = [
      ...(apps.length < kept.length ? [leftSecret] : []),
      ...(recoveryHashes.length < stored.length ? [leftCodes] : []),
      ...(isHeld ? [leftHeld] : []),
    ]
    return { user: isHeld ? held(user) : user, apps, recoveryHashes, passkeys, logins, left }
  }
}

/**
 * Whether a sign-in there asks for something that leaves: an authenticator app, or a key that is a second factor alone. An import at
 * another host names such keys, and holds whoever has nothing else. Other passkeys leave to sign in by themselves, and are not asked
 * for after a password without the recovery codes, which stay.
 */
const isAskedThere = (apps: number, secondFactorKeys: number): boolean => apps > 0 || secondFactorKeys > 0

/** Whether a sign-in with the password asks for a factor that the person has, other than a code by mail. */
function wasAsked(candidate: Candidate, rules: FactorRules): boolean {
  if (isProtected(candidate, rules)) return true
  return rules.mode === 'required' && offeredMethods(candidate, { ...rules, email: false }).length > 0
}

function held(user: User): User {
  const requiredActions = readActions([...(user.requiredActions ?? []), 'set_up_second_factor']) ?? []
  return { ...user, requiredActions, hadSecondFactor: true }
}
