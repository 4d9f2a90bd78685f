/** What a connection does in each operation, and what has to be made beforehand without being timed. */
import { readFileSync } from 'node:fs'
import type { AccountWork, AdminWork, Target, Work } from '../records.ts'
import { signingInPeople } from './attack.ts'
import type { Connection } from './connection.ts'
import { passkeySignIn, secondFactorSignIn } from './passkeys.ts'
import { proofsFor } from './proofs.ts'
import { codeFields, type Dialect, dialectOf, refreshFields } from './protocol.ts'
import { codeOf, refreshTokenOf, unexpected, Visitor } from './visitor.ts'
import type { Workload } from './workload.ts'

/** More people than this show nothing more; each has to sign in first. */
const maxSignedIn = 16

export async function prepareWork(work: Work, target: Target, connections: readonly Connection[]): Promise<Workload> {
  const dialect = dialectOf(target)
  const visitors = connections.map((connection) => new Visitor(connection, target.issuer))
  const at = (index: number) => visitors[index] as Visitor
  switch (work) {
    case 'discovery':
      return repeated(visitors, dialect.discoveryPath, '"token_endpoint"')
    case 'jwks':
      return repeated(visitors, dialect.keySetPath, '"keys"')
    case 'par': {
      const sent = Object.fromEntries(new URL(dialect.authorizePath, target.issuer).searchParams)
      const fields = { ...sent, client_id: 'bench-api', scope: 'openid' }
      const requests = visitors.map((visitor) => visitor.postText(dialect.parPath, fields, apiCredentials(target)))
      return sending(visitors, requests, '"request_uri"', 201)
    }
    case 'userinfo':
      return asking(visitors, dialect, '"sub":', (visitor, token) =>
        visitor.getText(dialect.userinfoPath, `authorization: Bearer ${token}\r\n`),
      )
    case 'introspection': {
      const credentials = apiCredentials(target)
      return asking(visitors, dialect, '"active":true', (visitor, token) =>
        visitor.postText(dialect.introspectionPath, { token }, credentials),
      )
    }
    case 'client-credentials': {
      const fields = { grant_type: 'client_credentials', scope: 'demo_api' }
      const credentials = apiCredentials(target)
      const requests = visitors.map((visitor) => visitor.postText(dialect.tokenPath, fields, credentials))
      return sending(visitors, requests, '"access_token"')
    }
    case 'admin-people':
    case 'admin-clients':
    case 'admin-sessions':
    case 'admin-grants':
    case 'admin-audit':
    case 'admin-stats':
      return administering(visitors, dialect, target, work)
    case 'account-sessions':
    case 'account-applications':
    case 'account-activity': {
      await signInAll(visitors, dialect)
      const [path, mark] = accountRequests[work]
      return sending(
        visitors,
        visitors.map((visitor) => visitor.getText(path)),
        mark,
      )
    }
    case 'bare':
      return repeatedPost(visitors, '/')
    case 'bare-exchange':
      return repeatedPost(visitors, '/exchange')
    case 'bare-code': {
      const requests = visitors.map((visitor) =>
        visitor.getText(dialect.authorizePath.replace('/connect/authorize', '/code')),
      )
      return { supply: nothing, run: (index) => authorizeAgain(at(index), requests[index] as string) }
    }
    case 'bare-signin':
      return bareSignIns(visitors, dialect.authorizePath.replace('/connect/authorize', '/code'))
    case 'signin':
      return { supply: nothing, run: async (index) => signInAnew(at(index), dialect) }
    case 'signin-passkey': {
      const signIn = await passkeySignIn(visitors, dialect, target)
      return {
        supply: nothing,
        async run(index) {
          await signIn(at(index))
          return true
        },
      }
    }
    case 'signin-second-factor':
    case 'signin-left': {
      const signIn = await secondFactorSignIn(visitors, dialect, target, work === 'signin-left')
      return {
        supply: nothing,
        async run(index) {
          await signIn(at(index))
          return true
        },
      }
    }
    case 'person':
      return signingInPeople(target, connections)
    case 'authorize': {
      await signInAll(visitors, dialect)
      const requests = visitors.map((visitor) => visitor.getText(dialect.authorizePath))
      return { supply: nothing, run: (index) => authorizeAgain(at(index), requests[index] as string) }
    }
    case 'token':
      return redeeming(visitors, dialect)
    case 'refresh':
      return refreshing(visitors, dialect, undefined)
    case 'refresh-dpop': {
      const proof = proofsFor(new URL(dialect.tokenPath, target.issuer).href)
      return refreshing(visitors, dialect, undefined, () => `dpop: ${proof()}\r\n`)
    }
    case 'refresh-stored':
      return refreshing(visitors, dialect, givenChains(target))
  }
}

function repeated(visitors: readonly Visitor[], path: string, mark: string): Workload {
  return sending(
    visitors,
    visitors.map((visitor) => visitor.getText(path)),
    mark,
  )
}

function sending(visitors: readonly Visitor[], requests: readonly string[], mark: string, status = 200): Workload {
  return {
    supply: nothing,
    async run(index) {
      const answer = await (visitors[index] as Visitor).connection.send(requests[index] as string)
      if (answer.status !== status || !answer.body.includes(mark)) throw unexpected(mark, answer)
      return true
    },
  }
}

/** The header field with which the confidential client authenticates. */
function apiCredentials({ name, apiSecret }: Target): string {
  if (apiSecret === null) throw new Error(`${name} has no confidential client`)
  return `authorization: Basic ${Buffer.from(`bench-api:${apiSecret}`).toString('base64')}\r\n`
}

/** Asks again and again about an access token, each connection about its own. */
async function asking(
  visitors: readonly Visitor[],
  dialect: Dialect,
  mark: string,
  requestOf: (visitor: Visitor, accessToken: string) => string,
): Promise<Workload> {
  await signInAll(visitors, dialect)
  const requests = await Promise.all(
    visitors.map(async (visitor) => {
      const code = codeOf(await visitor.get(dialect.openAuthorizePath))
      visitor.cookies.clear()
      const { body } = await visitor.post(dialect.tokenPath, codeFields(code))
      return requestOf(visitor, (JSON.parse(body) as { access_token: string }).access_token)
    }),
  )
  return sending(visitors, requests, mark)
}

/** What the console asks for; of several, each connection has the next. */
const adminRequests: Readonly<Record<AdminWork, readonly string[]>> = {
  'admin-people': ['/users?search=person-9', '/users?search=person-99%40example'],
  'admin-clients': ['/clients?search=application&limit=10', '/clients?scope=demo_api&limit=10'],
  'admin-sessions': ['/sessions'],
  'admin-grants': ['/grants'],
  'admin-audit': ['/audit'],
  'admin-stats': ['/stats?step=day'],
}

/** What the account area asks for, and what is in every answer. */
const accountRequests: Readonly<Record<AccountWork, readonly [path: string, mark: string]>> = {
  'account-sessions': ['/Account/Self/sessions', '['],
  'account-applications': ['/Account/Self/applications', '['],
  'account-activity': ['/Account/Self/activity', '['],
}

async function administering(
  visitors: readonly Visitor[],
  { tokenPath }: Dialect,
  { name, adminSecret }: Target,
  work: AdminWork,
): Promise<Workload> {
  const [first] = visitors
  if (adminSecret === null || first === undefined) throw new Error(`${name} has no client for the admin API`)
  const credentials = `authorization: Basic ${Buffer.from(`bench-admin:${adminSecret}`).toString('base64')}\r\n`
  const fields = { grant_type: 'client_credentials', scope: 'admin:read' }
  const { body } = await first.connection.send(first.postText(tokenPath, fields, credentials))
  const token = (JSON.parse(body) as { access_token: string }).access_token
  const paths = adminRequests[work]
  const requests = visitors.map((visitor, index) =>
    visitor.getText(`/admin/api/v1${paths[index % paths.length]}`, `authorization: Bearer ${token}\r\n`),
  )
  return sending(visitors, requests, work === 'admin-stats' ? '"series"' : '"items":[')
}

async function authorizeAgain(visitor: Visitor, request: string): Promise<boolean> {
  codeOf(await visitor.connection.send(request))
  return true
}

/** A form as long as a token request, and an answer as long as tokens. */
function repeatedPost(visitors: readonly Visitor[], path: string): Workload {
  const requests = visitors.map((visitor) => visitor.postText(path, codeFields('x'.repeat(400))))
  return {
    supply: nothing,
    async run(index) {
      const answer = await (visitors[index] as Visitor).connection.send(requests[index] as string)
      if (answer.status !== 200) throw unexpected('an answer', answer)
      return true
    },
  }
}

/** As many requests as a sign-in takes: a redirect, the anti-forgery token, the form, and a redirect with a code. */
function bareSignIns(visitors: readonly Visitor[], path: string): Workload {
  const form = codeFields('x'.repeat(200))
  const requests = visitors.map((visitor) => ({
    redirect: visitor.getText(path),
    token: visitor.postText('/', form),
    signIn: visitor.postText('/signin', form),
  }))
  return {
    supply: nothing,
    async run(index) {
      const { connection } = visitors[index] as Visitor
      const { redirect, token, signIn } = requests[index] as (typeof requests)[number]
      codeOf(await connection.send(redirect))
      for (const request of [token, signIn]) {
        const answer = await connection.send(request)
        if (answer.status !== 200) throw unexpected('an answer', answer)
      }
      codeOf(await connection.send(redirect))
      return true
    },
  }
}

async function redeeming(visitors: readonly Visitor[], dialect: Dialect): Promise<Workload> {
  await signInAll(visitors, dialect)
  const authorize = visitors.map((visitor) => visitor.getText(dialect.authorizePath))
  // An application at the token endpoint sends no cookies.
  for (const visitor of visitors) visitor.cookies.clear()
  let requests: string[] = []
  return {
    async supply(count) {
      requests = []
      await Promise.all(
        visitors.map(async (visitor, index) => {
          while (requests.length < count) {
            const code = codeOf(await visitor.connection.send(authorize[index] as string))
            requests.push(visitor.postText(dialect.tokenPath, codeFields(code)))
          }
        }),
      )
    },
    async run(index) {
      const request = requests.pop()
      if (request === undefined) return false
      refreshTokenOf(await (visitors[index] as Visitor).connection.send(request))
      return true
    },
  }
}

/** Chains are moved on in turn: a new one for each connection, or the many that a database was filled with. */
async function refreshing(
  visitors: readonly Visitor[],
  dialect: Dialect,
  given: Given | undefined,
  /** Further lines of each request. */
  header: () => string = () => '',
): Promise<Workload> {
  const chains = given?.tokens ?? (await ownChains(visitors, dialect, header))
  if (chains.length < visitors.length) throw new Error(`${visitors.length} connections need as many refresh tokens`)
  return {
    supply: nothing,
    async run(index) {
      const visitor = visitors[index] as Visitor
      const chain = given === undefined ? index : given.turn++ % chains.length
      const fields = refreshFields(chains[chain] as string)
      const answer = await visitor.connection.send(visitor.postText(dialect.tokenPath, fields, header()))
      chains[chain] = refreshTokenOf(answer)
      return true
    },
  }
}

async function ownChains(visitors: readonly Visitor[], dialect: Dialect, header: () => string): Promise<string[]> {
  await signInAll(visitors, dialect)
  return Promise.all(
    visitors.map(async (visitor) => {
      const code = codeOf(await visitor.get(dialect.authorizePath))
      visitor.cookies.clear()
      return refreshTokenOf(
        await visitor.connection.send(visitor.postText(dialect.tokenPath, codeFields(code), header())),
      )
    }),
  )
}

type Given = { readonly tokens: string[]; turn: number }

/** The live tokens of the stored chains and whose turn it is: the next run goes on where this one left them. */
const stored = new Map<string, Given>()

function givenChains({ refreshTokensFile: file }: Target): Given {
  if (file === null) throw new Error('the database was not filled with refresh tokens')
  const given = stored.get(file) ?? { tokens: readFileSync(file, 'utf8').trim().split('\n'), turn: 0 }
  stored.set(file, given)
  return given
}

async function signInAnew(visitor: Visitor, dialect: Dialect): Promise<boolean> {
  visitor.cookies.clear()
  await dialect.signIn(visitor)
  return true
}

/** Signs a few people in and shares their sessions among all connections. */
async function signInAll(visitors: readonly Visitor[], dialect: Dialect): Promise<void> {
  // The first alone: it gives the consent that the others find.
  for (const visitor of visitors.slice(0, maxSignedIn)) await dialect.signIn(visitor)
  visitors.slice(maxSignedIn).forEach((visitor, index) => {
    for (const [name, value] of (visitors[index % maxSignedIn] as Visitor).cookies) visitor.cookies.set(name, value)
  })
}

async function nothing(): Promise<void> {}
