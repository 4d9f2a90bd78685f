/** Passkeys that Chromium made for another system at the same host come by import, and are asked for as they were there. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keycloakKey, realmOf, serviceOn } from '../cli/factors-place.ts'
import { type Workplace, workplace } from '../cli/run.ts'
import { wholeFolder } from '../cli/whole-tables.ts'
import { button, expectSignedIn, query } from './account-entry.ts'
import { test as base, expect, openLogin, type Page, plugInAuthenticator, signIn } from './fixtures.ts'
import { passkeyButton, withoutAutofill } from './passkeys.ts'

const test = base.extend<{ place: Workplace }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture rests on.
  place: async ({}, use) => {
    const ends: (() => unknown)[] = []
    const place = workplace({ after: (end) => ends.push(end) })
    await place.json('user list')
    await use(place)
    for (const end of ends.reverse()) await end()
  },
  service: async ({ place }, use) => {
    const service = await serviceOn(place)
    await use(service)
    await service.stop()
  },
})

test.use({ ownPage: true })

/** The id of the first person of `realmOf`, which was the user handle there. */
const id = '6a3f1df9-f03a-43c0-9bd9-7e57731f6410'

type Made = {
  readonly credentialId: string
  readonly attestationObject: string
  readonly clientDataJSON: string
  /** COSE, as the authenticator wrote it. */
  readonly publicKey: Buffer
}

/** Makes a credential as the former system did: on a page of the host, for the id of the person. */
async function makeCredential(page: Page, userId: string, options: object): Promise<Made> {
  await page.goto('/errors')
  const made = (await page.evaluate(`(async () => {
    const publicKey = {
      rp: { id: 'localhost', name: 'acme' },
      user: { id: new TextEncoder().encode('${userId}'), name: 'vera', displayName: 'Vera' },
      challenge: crypto.getRandomValues(new Uint8Array(32)),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      ...${JSON.stringify(options)},
    }
    const { id, response } = (await navigator.credentials.create({ publicKey })).toJSON()
    return { id, ...response }
  })()`)) as { readonly [name in 'id' | 'authenticatorData' | 'attestationObject' | 'clientDataJSON']: string }
  const data = Buffer.from(made.authenticatorData, 'base64url')
  // Hash, flags, counter, AAGUID, length of the id, id (WebAuthn §6.5.1).
  const publicKey = data.subarray(55 + data.readUInt16BE(53))
  const { attestationObject, clientDataJSON } = made
  return { credentialId: made.id, attestationObject, clientDataJSON, publicKey }
}

async function bring(place: Workplace, command: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place.folder, 'source'), { recursive: true })
    writeFileSync(join(place.folder, name), text)
  }
  const { created } = (await place.json(`import ${command}`)) as { readonly created: number }
  expect(created).toBe(1)
}

test('one of Keycloak that signs in by itself does so, and is the only thing that is asked for', async ({
  page,
  place,
}) => {
  await plugInAuthenticator(page)
  const made = await makeCredential(page, id, { authenticatorSelection: { residentKey: 'required' } })
  await bring(place, 'keycloak source/realm.json', {
    'source/realm.json': realmOf(
      { vera: [keycloakKey(made, 'webauthn-passwordless')] },
      { webAuthnPolicyPasswordlessRpId: 'localhost' },
    ),
  })
  await page.addInitScript(withoutAutofill)
  await openLogin(page, `/Account/Login${query}`)
  await passkeyButton(page).click()
  await expectSignedIn(page, 'vera')
})

test('one of somebody who was here under another id before signs in by the handle of the former system', async ({
  page,
  place,
}) => {
  await plugInAuthenticator(page)
  const made = await makeCredential(page, id, { authenticatorSelection: { residentKey: 'required' } })
  await place.json('user add vera --email vera@acme.example --no-password')
  const passkey = { credential_id: made.credentialId, public_key: made.publicKey.toString('base64url') }
  const record = { username: 'vera', passkeys: [{ ...passkey, user_handle: Buffer.from(id).toString('base64url') }] }
  writeFileSync(join(place.folder, 'people.jsonl'), JSON.stringify(record))
  const { updated } = (await place.json('import users people.jsonl --on-conflict update')) as { updated: number }
  expect(updated).toBe(1)
  await page.addInitScript(withoutAutofill)
  await openLogin(page, `/Account/Login${query}`)
  await passkeyButton(page).click()
  await expectSignedIn(page, 'vera')
})

test('one of Keycloak that was a second factor is asked for after the password, of an authenticator that tests nobody', async ({
  page,
  place,
}) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'u2f', transport: 'usb', automaticPresenceSimulation: true },
  })
  const made = await makeCredential(page, id, { authenticatorSelection: { userVerification: 'discouraged' } })
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  const counter = credentials[0]?.signCount
  await bring(place, 'keycloak source/realm.json', {
    'source/realm.json': realmOf(
      { vera: [keycloakKey(made, 'webauthn', { counter, transports: ['usb'] })] },
      { webAuthnPolicyRpId: 'localhost' },
    ),
  })
  await openLogin(page, `/Account/Login${query}`)
  await signIn(page, 'vera', 'password of vera')
  await button(page, 'Use a passkey').click()
  await expectSignedIn(page, 'vera')
})

test('one of ASP.NET Core Identity signs in by itself', async ({ page, place }) => {
  await plugInAuthenticator(page)
  const made = await makeCredential(page, '1', { authenticatorSelection: { residentKey: 'required' } })
  const bytes = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  const data = JSON.stringify({
    ...{ Name: 'Laptop', CreatedAt: '2026-11-23T23:31:47.93391+00:00', SignCount: 0, Transports: ['internal'] },
    ...{ IsBackedUp: false, IsBackupEligible: false, IsUserVerified: true },
    PublicKey: made.publicKey.toString('base64'),
    AttestationObject: bytes(made.attestationObject),
    ClientDataJson: bytes(made.clientDataJSON),
  })
  const credentialId = Buffer.from(made.credentialId, 'base64url').toString('hex')
  await bring(
    place,
    'aspnet-identity source',
    wholeFolder('source', {
      AspNetUsers: 'Id,UserName,Email,EmailConfirmed,TwoFactorEnabled\n1,vera,vera@acme.example,1,0\n',
      AspNetUserPasskeys: `CredentialId,UserId,Data\n\\x${credentialId},1,"${data.replaceAll('"', '""')}"\n`,
    }),
  )
  await page.addInitScript(withoutAutofill)
  await openLogin(page, `/Account/Login${query}`)
  await passkeyButton(page).click()
  await expectSignedIn(page, 'vera')
})
