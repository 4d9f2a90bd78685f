/** Commands that an operator is told to run hold names that strangers chose: a document's address as a client id, a user name. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
import { shellWord } from '../../src/protocol/shell-word.ts'
import { checkRegistrations } from '../../src/server/doctor/registration-checks.ts'
import { authorizePath, Browser } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { serviceForFile, testClient } from '../support/service.ts'

const service = await serviceForFile()

/** Of the path of a URL and of an address of mail (RFC 5321 §4.1.2), nothing here is encoded. */
const hostile = [
  'https://evil.example/$(echo$IFS-ran)',
  '`echo$IFS-ran`@evil.example',
  "a';echo$IFS-ran;'",
  'a&echo',
  'a|echo',
  '*',
  '~root',
  '=cmd',
  "''",
  '',
]

/** Returns the words that a command gets from a shell. */
function wordsOf(command: string): string[] {
  const script = `latchkey() { printf '%s\\n' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n').slice(0, -1)
}

it('are one word each to a shell, whatever is in them', () => {
  for (const name of hostile) assert.deepEqual(wordsOf(`latchkey user show ${shellWord(name)}`), ['user', 'show', name])
  assert.equal(shellWord('demo-app.example:8080/x@y+z'), 'demo-app.example:8080/x@y+z')
})

it('are safe to paste from the findings of the doctor and from the explanation of a refusal', async () => {
  for (const [n, id] of hostile.slice(0, 5).entries()) {
    const secret = { authentication: bySecret(`hash-${n}`), redirectUris: ['https://app.example/callback'] }
    await service.storage.clients.create(testClient({ id, ...secret, requirePkce: true }))
    const path = authorizePath({ client_id: id, redirect_uri: 'https://app.example/callback' })
    const address = new URL(path, service.issuer)
    address.searchParams.delete('code_challenge')
    address.searchParams.delete('code_challenge_method')
    await new Browser(service).get(address.pathname + address.search)
    const refused = service.log.findLast((line) => 'refusal' in line)?.refusal as Record<string, string>
    const [, command = ''] = /(latchkey client set .*)$/.exec(refused.remedy ?? '') ?? []
    assert.deepEqual(wordsOf(command), ['client', 'set', id, 'require_pkce=false'])
    await service.storage.clients.update(id, (client) => ({ ...client, redirectUris: ['app:/callback'] }))
  }
  const findings = await checkRegistrations(service.storage)
  const advised = findings.map(({ advice }) => wordsOf(advice)[2])
  for (const id of hostile.slice(0, 5)) assert.ok(advised.includes(id), id)
})
