/**
 * A bare server: what is left of an identity provider when nothing is checked. It is no service, but shows how fast one
 * on this runtime can be at best, as durable as the others.
 *
 *   node bench/bare.ts PORT FOLDER
 *
 *   POST /          nothing but an answer as long as a token response
 *   POST /exchange  one read by primary key, two ES256 signatures, a row that is durable before the answer leaves
 *   POST /signin    one read by primary key, an argon2id hash in a thread of its own, a durable row
 *   GET  /code      one read by primary key, and a redirect with its content encrypted in it
 */
import { createCipheriv, createSecretKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { hashPassword } from '../src/secrets/password.ts'
import { connect, type Outcome } from '../src/storage/sqlite/batch.ts'
import { prepareFile } from '../src/storage/sqlite/engine.ts'
import { groupCommits, threadWriter } from '../src/storage/sqlite/writer.ts'

const [port, folder = ''] = process.argv.slice(2)
const file = join(folder, 'bare.db')
prepareFile(file, true)
const { db } = connect(file, 1000)
db.exec('create table if not exists rows (id text primary key, content text not null) without rowid')
db.prepare("insert into rows values ('person', ?)").run('x'.repeat(500))
const find = db.prepare('select content from rows where id = ?')
const insert = 'insert into rows (id, content) values (?, ?)'
const commits = groupCommits(threadWriter({ file, busyTimeoutMs: 1000 }))
const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const sealingKey = createSecretKey(randomBytes(32))
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'JWT', kid: 'x'.repeat(43) })).toString('base64url')
let rows = 0

/** Claims and header as long as those of a token. */
function token(subject: string): string {
  const claims = {
    iss: 'http://localhost:5080/',
    sub: subject,
    nonce: 'n-0S6_WzA2Mj',
    jti: 'x'.repeat(36),
    more: 'x'.repeat(200),
  }
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  const signature = sign('sha256', Buffer.from(signed, 'ascii'), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

async function storeRow(content: string): Promise<void> {
  rows += 1
  const parameters = [String(rows).padStart(36, '0'), content]
  const commit = { statements: [{ text: insert, parameters, mustChange: true }], drafts: [] }
  const outcome = await new Promise<Outcome>((settle, reject) => {
    commits.add({ commit, settle, reject, underWay: undefined })
  })
  if ('failure' in outcome) throw new Error(outcome.failure.message)
}

async function signIn(response: ServerResponse): Promise<void> {
  const person = find.get('person')
  await hashPassword('Passw0rd!')
  await storeRow(String(person?.content))
  answer(response, '{}')
}

async function exchange(form: URLSearchParams, response: ServerResponse): Promise<void> {
  const person = find.get('person')
  await storeRow(String(person?.content))
  const subject = form.get('client_id') ?? ''
  const tokens = {
    access_token: token(subject),
    id_token: token(subject),
    refresh_token: 'x'.repeat(82),
    expires_in: 3600,
  }
  answer(response, JSON.stringify({ ...tokens, token_type: 'Bearer' }))
}

function code(query: URLSearchParams, response: ServerResponse): void {
  const person = find.get('person')
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, iv)
  const content = String(person?.content).slice(0, 300)
  const sealed = Buffer.concat([iv, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const location = `${query.get('redirect_uri')}?code=${sealed.toString('base64url')}&state=${query.get('state')}`
  response.writeHead(302, { location, 'content-length': 0 }).end()
}

const long = JSON.stringify({ text: 'x'.repeat(1500) })

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body, 'latin1')
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { url = '' } = request
  if (url.startsWith('/code?')) {
    request.resume()
    code(new URLSearchParams(url.slice('/code?'.length)), response)
    return
  }
  let body = ''
  request.setEncoding('latin1')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const fail = () => response.destroy()
    if (url === '/exchange') exchange(new URLSearchParams(body), response).catch(fail)
    else if (url === '/signin') signIn(response).catch(fail)
    else answer(response, long)
  })
}

createServer(serve).listen(Number(port), '127.0.0.1')
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit())
