/** Sign-ins with a passkey, as the login page makes them. All visitors have the same one, whose counter stays at 0. */
import { Authenticator } from '../../test/support/authenticator.ts'
import type { Target } from '../records.ts'
import { antiforgeryTokenOf, type Dialect } from './protocol.ts'
import { codeOf, locationOf, unexpected, type Visitor } from './visitor.ts'

/** Returns one sign-in, from no session to the code. Replaces the passkeys of the person before. */
export async function passkeySignIn(
  visitors: readonly Visitor[],
  dialect: Dialect,
  { issuer }: Target,
): Promise<(visitor: Visitor) => Promise<void>> {
  const authenticator = new Authenticator({ issuer })
  const [owner] = visitors
  if (owner === undefined) throw new Error('there is no connection')
  await dialect.signIn(owner)
  const self = '/Account/Self/passkeys'
  const { items } = JSON.parse((await owner.get(self)).body) as { items: { id: string }[] }
  for (const { id } of items) await owner.change('DELETE', `${self}/${id}`, await tokenFor(owner))
  const options = await owner.change('POST', `${self}/options`, await tokenFor(owner))
  const credential = authenticator.create(JSON.parse(options.body))
  const added = await owner.change('POST', self, await tokenFor(owner), { name: 'bench', credential })
  if (added.status !== 200) throw unexpected('a passkey', added)

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

async function tokenFor(visitor: Visitor): Promise<string> {
  return antiforgeryTokenOf(await visitor.get('/Account/Antiforgery'))
}
