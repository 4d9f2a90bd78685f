// Registers an application, changes it and looks for a person, with types that openapi-typescript made of the description:
//
//   npx openapi-typescript $ISSUER/admin/api/openapi.json --output schema.d.ts
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

declare const process: { readonly env: Record<string, string | undefined> }
const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env

// Scopes of the admin API name its audience by themselves.
const answer = await fetch(`${ISSUER}connect/token`, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'admin:write' }),
})
const { access_token: token } = (await answer.json()) as { access_token: string }
const latchkey = createClient<paths>({
  baseUrl: `${ISSUER}admin/api/v1`,
  headers: { authorization: `Bearer ${token}` },
})

const created = await latchkey.POST('/clients', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { client_id: 'planner', client_name: 'Planner', redirect_uris: ['https://planner.example.com/callback'] },
})
if (created.error) throw new Error(created.error.detail)
console.log('registered', created.data.client_id, created.data.redirect_uris)

// The version that was seen: a change that somebody else made meanwhile is not overwritten.
const planner = { client_id: 'planner' }
const version = created.response.headers.get('etag') ?? ''
const changed = await latchkey.PATCH('/clients/{client_id}', {
  params: { path: planner, header: { 'If-Match': version } },
  body: { client_name: 'Team planner' },
})
if (changed.error) throw new Error(changed.error.detail)
console.log('changed', changed.data.client_name)

const late = await latchkey.PATCH('/clients/{client_id}', {
  params: { path: planner, header: { 'If-Match': version } },
  body: { client_name: 'Late' },
})
console.log('refused', late.response.status, late.error?.error, late.error?.code)

const wrong = await latchkey.POST('/clients', { body: { redirect_uris: ['https://planner.example.com/#part'] } })
for (const { path, message } of wrong.error?.errors ?? []) console.log('wrong', path, message)

// Page by page.
let cursor: string | undefined
do {
  const people = await latchkey.GET('/users', {
    params: { query: { search: 'al', limit: 1, ...(cursor && { cursor }) } },
  })
  if (people.error) throw new Error(people.error.detail)
  for (const { username, email } of people.data.items) console.log('found', username, email)
  cursor = people.data.next ?? undefined
} while (cursor !== undefined)

console.log('deleted', (await latchkey.DELETE('/clients/{client_id}', { params: { path: planner } })).response.status)
