/**
 * Templates of clients: what a library or product needs to be registered with, and its settings with the values of the client
 * filled in. Each is one value in the table of its kind; the command line, the admin API and the console read `index.ts`.
 *
 * Belongs here: libraries and products by name, and the texts of their settings.
 * Belongs elsewhere: what a client may have (`client/`).
 */

import type { Scope } from '../scope/scope.ts'

/** Where a client runs, and what it is called. Every text is as it was registered. */
export type Values = {
  /** The issuer, character by character. */
  readonly issuer: string
  readonly clientId: string
  /** Empty: the client has none. */
  readonly secret: string
  /** Without a slash at its end; empty: the template takes no address. */
  readonly base: string
  /** With which the application seals what its browsers keep. 32 bytes or a text that stands for them. */
  readonly sessionSecret: string
  /** The first redirect URI; empty: there is none. */
  readonly redirectUri: string
  /** Scopes of a request, `openid` first, separated by spaces. */
  readonly scope: string
}

/** What a person copies into a project. */
export type Setup = {
  /** The file that the code belongs in, or the place where it is typed. */
  readonly title: string
  /** Of the code, such as `yaml`. */
  readonly language: string
  readonly code: string
  /** Variables of the environment that the code reads, as a file: it keeps secrets out of the code and of the history of the shell. */
  readonly environment?: { readonly title: string; readonly code: string }
  /** Commands that install the library. Absent: nothing is to be installed, or the product is there. */
  readonly install?: string
  /** Commands that start what the code makes. Absent: the framework's own. */
  readonly run?: string
  readonly notes: readonly string[]
}

/** Members by their names in RFC 7591 §2. */
export type TemplateMembers = Readonly<Record<string, string | boolean | readonly string[]>>

export type Template = {
  readonly id: string
  /** The library or product, with the version where it matters. */
  readonly title: string
  /**
   * What `--url` is: the address of the application, that of the API (the resource), a scheme or loopback address, or
   * nothing.
   */
  readonly takes: 'application' | 'api' | 'scheme' | 'nothing'
  /** Where it runs while it is developed; empty where nothing is taken. */
  readonly developedAt: string
  readonly members: (base: string) => TemplateMembers
  /** Members of the scope that an API is given beside its client: the scope's name is the client id. */
  readonly scope?: Partial<Pick<Scope, 'accessTokenType'>>
  readonly setup: (values: Values) => Setup
  /**
   * What the tests run the settings with as they are printed: programs, and packages in the versions of `examples/clients`. Absent:
   * they are not run, and follow the library's documentation.
   */
  readonly ranWith?: readonly string[]
}

const codeFlow = ['authorization_code', 'refresh_token']
/** Scopes that a person who signs in expects: `openid` needs no permission. */
const signIn = ['profile', 'email', 'offline_access']

type Addresses = {
  /** Below the address of the application. */
  readonly redirect: string
  readonly afterSignOut?: string
}

const addresses = (base: string, { redirect, afterSignOut = '/' }: Addresses): TemplateMembers => ({
  redirect_uris: [`${base}${redirect}`],
  post_logout_redirect_uris: [`${base}${afterSignOut}`],
})

/** An application on a server, which keeps a secret. */
export const onServer =
  (places: Addresses, more: TemplateMembers = {}): Template['members'] =>
  (base) => ({
    ...addresses(base, places),
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: codeFlow,
    scope: signIn,
    ...more,
  })

/** An application in the browser, which keeps none. */
export const inBrowser =
  (places: Addresses): Template['members'] =>
  (base) => ({
    ...addresses(base, places),
    token_endpoint_auth_method: 'none',
    grant_types: codeFlow,
    scope: signIn,
  })

/** An installed application (RFC 8252): its base is the start of its redirect URI. */
export const installed: Template['members'] = (base) => ({
  redirect_uris: [callbackOf(base)],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  grant_types: codeFlow,
  scope: signIn,
})

const callbackOf = (base: string): string => (base.includes('://') ? `${base}/callback` : `${base}:/callback`)

/** An API that asks about opaque tokens and revocations with credentials of its own (RFC 7662 §2.1). */
export const asApi: Template['members'] = (base) => ({
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials'],
  resources: [base],
})

/** The issuer with the path of an endpoint. */
export const endpoint = (issuer: string, path: string): string => `${issuer.replace(/\/$/, '')}${path}`

export const discovery = (issuer: string): string => endpoint(issuer, '/.well-known/openid-configuration')

/** Where a browser goes to sign a person out of the service, after the application did (RP-Initiated Logout 1.0 §2). */
export const endSession = ({ issuer, clientId, base }: Values): string =>
  `${endpoint(issuer, '/connect/logout')}?${new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: `${base}/` })}`

/** A text in double quotes, as JavaScript, JSON, YAML, Java, C#, Go, Python and Rust read it. */
export const quoted = (text: string): string => JSON.stringify(text)

/** A text in single quotes, as PHP and Ruby read it. */
export const singleQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** One argument of a command. */
export const argument = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The file of variables that libraries of most languages read. Values are of a character set that needs no quotes; empty ones are left out. */
export const environmentFile = (
  variables: Readonly<Record<string, string>>,
  title = '.env',
): Required<Setup>['environment'] => ({
  title,
  code: Object.entries(variables)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('\n'),
})

/** Whether the issuer speaks plain HTTP, which many libraries have to be told. */
export const isPlain = (issuer: string): boolean => issuer.startsWith('http:')

export const notesOf = (...notes: (string | false | undefined)[]): readonly string[] =>
  notes.filter((note): note is string => typeof note === 'string')

/** The scopes without these. */
export const scopesWithout = (scope: string, ...left: readonly string[]): string =>
  scope
    .split(' ')
    .filter((one) => !left.includes(one))
    .join(' ')

/** Lists the scopes as the literals of a list, `quote` makes each of them. */
export const scopeList = (scope: string, quote: (text: string) => string = quoted): string =>
  scope.split(' ').map(quote).join(', ')

export const keepSecret = 'Keep the secret out of version control.'
export const keepFile = (file: string): string => `Keep ${file} out of version control.`
export const corsNote = ({ base }: Values): string =>
  `Let the page read answers: add ${originOf(base)} to the setting Cors:Origins.`

const originOf = (base: string): string => (URL.canParse(base) ? new URL(base).origin : base)
