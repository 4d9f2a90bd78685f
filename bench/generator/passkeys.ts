/** Sign-ins with a passkey, alone and after a password, as the login page makes them. All visitors have the same one, whose counter stays at 0. */
import { Authenticator } from '../../test/support/authenticator.ts'
import type { Target } from '../records.ts'
import { antiforgeryTokenOf, type Dialect, person } from './protocol.ts'
import { codeOf, locationOf, unexpected, type Visitor } from './visitor.ts'

/** Returns one sign-in, from no session to the code. Replaces the passkeys of the person before. */
export async function passkeySignIn(
  visitors: readonly Visitor[],
  dialect: Dialect,
  { issuer }: Target,
): Promise<(visitor: Visitor) => Promise<void>> {
  const authenticator = await newPasskey(visitors[0], dialect, issuer)
  return async (visitor) => {
    visitor.cookies.clear()
    const loginPage = locationOf(await visitor.get(dialect.authorizePath), issuer)
    const returnUrl = new URL(loginPage, issuer).searchParams.get('ReturnUrl') ?? ''
    const token = await tokenFor(visitor)
    const asked = await visitor.get('/Account/PasskeyOptions?purpose=signin')
    const assertion = JSON.stringify(authenticator.get(JSON.parse(asked.body)))
    const fields = { credential: assertion, ReturnUrl: returnUrl, __RequestVerificationToken: token }
    const signedIn = await visitor.post('/Account/PasskeyLogin', fields)
    codeOf(await visitor.get(locationOf(signedIn, issuer)))
  }
}

/** Whoever has a second factor cannot be set up again with the password alone. */
const secondFactors = new Map<string, Authenticator>()

/** Returns one sign-in by password and a passkey as the second factor, or one that is left at the second factor. */
export async function secondFactorSignIn(
  visitors: readonly Visitor[],
  dialect: Dialect,
  { issuer }: Target,
  isLeft: boolean,
): Promise<(visitor: Visitor) => Promise<void>> {
  const [owner] = visitors
  const authenticator = secondFactors.get(issuer) ?? (await newPasskey(owner, dialect, issuer))
  if (owner !== undefined && !secondFactors.has(issuer)) {
    secondFactors.set(issuer, authenticator)
    const made = await owner.change('POST', '/Account/Self/recovery-codes', await tokenFor(owner))
    if (made.status !== 200) throw unexpected('recovery codes', made)
  }
  return async (visitor) => {
    visitor.cookies.clear()
    const loginPage = locationOf(await visitor.get(dialect.authorizePath), issuer)
    const returnUrl = new URL(loginPage, issuer).searchParams.get('ReturnUrl') ?? ''
    const login = { ...person, ReturnUrl: returnUrl, __RequestVerificationToken: await tokenFor(visitor) }
    const half = await visitor.post('/Account/Login', login)
    if (!locationOf(half, issuer).startsWith('/Account/SecondFactor')) throw unexpected('a second factor', half)
    const context = await visitor.get('/Account/SecondFactorContext')
    if (!context.body.includes('"passkey"')) throw unexpected('the ways to continue', context)
    if (isLeft) return
    const asked = await visitor.get('/Account/PasskeyOptions?purpose=second_factor')
    const credential = JSON.stringify(authenticator.get(JSON.parse(asked.body)))
    const token = await tokenFor(visitor)
    const fields = { method: 'passkey', credential, __RequestVerificationToken: token }
    const signedIn = await visitor.post('/Account/SecondFactor', fields)
    codeOf(await visitor.get(locationOf(signedIn, issuer)))
  }
}

/** Signs the person in and replaces their passkeys by a new one. */
async function newPasskey(owner: Visitor | undefined, dialect: Dialect, issuer: string): Promise<Authenticator> {
  const authenticator = new Authenticator({ issuer })
  if (owner === undefined) throw new Error('there is no connection')
  await dialect.signIn(owner)
  const self = '/Account/Self/passkeys'
  const { items } = JSON.parse((await owner.get(self)).body) as { items: { id: string }[] }
  for (const { id } of items) await owner.change('DELETE', `${self}/${id}`, await tokenFor(owner))
  const options = await owner.change('POST', `${self}/options`, await tokenFor(owner))
  const credential = authenticator.create(JSON.parse(options.body))
  const added = await owner.change('POST', self, await tokenFor(owner), { name: 'bench', credential })
  if (added.status !== 200) throw unexpected('a passkey', added)
  return authenticator
}

async function tokenFor(visitor: Visitor): Promise<string> {
  return antiforgeryTokenOf(await visitor.get('/Account/Antiforgery'))
}
