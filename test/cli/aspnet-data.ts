/** The database of a real service of ASP.NET Core Identity and OpenIddict, which stands beside the project and not in it. */
import { existsSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

export type ExpectedPerson = {
  readonly username: string
  readonly email: string | null
  readonly email_verified: boolean
  readonly sub: string
  readonly password: string | null
  readonly roles: readonly string[]
  readonly totp?: string
  readonly two_factor?: boolean
}

export type ExpectedClient = {
  readonly client_id: string
  readonly secret: string | null
  readonly permissions: readonly string[]
  readonly redirect_uris: readonly string[]
}

type Aud = { readonly aud?: string | readonly string[] }

/** What an application got there; `consent`: whether the person was asked. */
export type ExpectedAnswers = {
  readonly consent?: boolean
  readonly code?: { readonly scope: string; readonly refresh_token: boolean; readonly claims: Aud }
  readonly client_credentials?: { readonly claims?: Aud }
}

/** What that service answered: `outcome` of a sign-in with name and password. */
export type Expected = {
  readonly people: readonly ExpectedPerson[]
  readonly clients: readonly ExpectedClient[]
  readonly there: {
    readonly people: Readonly<Record<string, { readonly outcome: string }>>
    readonly clients: Readonly<Record<string, ExpectedAnswers>>
  }
}

export const isThere = existsSync(folder)

/** Whether the test was skipped, which it says. */
export function skipped(t: TestContext): boolean {
  if (!isThere) t.skip('not on this machine: ../shared/data')
  return !isThere
}

export const aspNetData = {
  path: (name: string): string => `${folder}${name}`,
  expected: (): Expected => JSON.parse(readFileSync(`${folder}aspnet-acme-expected.json`, 'utf8')),
}
