/** Markup in every text that somebody can set, on every page of the console that leads to it. */
import { adminProgram } from '../support/admin.ts'
import { open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const evil = `"><img src=x onerror="ran('told')"><svg onload="ran('told')">`
/** Names of roles and groups have no slash. */
const dense = `"><svg/onload=ran('told')>`.replaceAll('/', '&#47;')

type Report = { readonly ran: readonly string[]; readonly violations: readonly string[] }

async function watch(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.report = { ran: [], violations: [] }
    globalThis.ran = (name) => report.ran.push(name)
    addEventListener('securitypolicyviolation', (event) => report.violations.push(event.effectiveDirective))
  `)
}

test('what people, programs and operators wrote is text on every page of the console', async ({ page, service }) => {
  const admin = await adminProgram(service)
  const made = async (path: string, body: object) => {
    const answer = await admin.post(path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const label = { label: evil, 'label#en': evil }
  await made('/attributes', { name: 'note', type: 'text', ...label, help: evil, searchable: true })
  await made('/attributes', { name: 'kind', type: 'choice', ...label, choices: [{ value: evil, label: evil }] })
  await made('/roles', { name: dense, description: evil })
  const group = await made('/groups', { name: dense, description: evil, roles: [dense] })
  await made('/scopes', { name: 'told', display_name: evil, description: evil, purpose: evil })
  const redirect_uris = ['https://app.example/cb?x=%3Csvg']
  await made('/clients', { client_id: 'told', client_name: evil, scope: 'openid told', redirect_uris })
  const person = await made('/users', {
    ...{ username: 'told', email: 'told@example.com', name: evil, nickname: evil, given_name: evil, roles: [dense] },
    ...{ address: { formatted: evil, street_address: evil }, attributes: { note: evil, kind: evil } },
  })
  await made(`/groups/${group.id}/members`, { users: [person.id] })
  expect((await admin.patch('/branding', { name: evil.slice(0, 60) })).status).toBe(200)
  for (const uri of [`javascript:ran('told')`, `data:text/html,<script>ran('told')</script>`]) {
    for (const member of ['logo_uri', 'policy_uri', 'tos_uri', 'client_uri', 'initiate_login_uri']) {
      expect((await admin.patch('/clients/told', { [member]: uri })).status, `${member} ${uri}`).toBe(400)
    }
  }
  await watch(page)
  await open(page, 'root', '/people')
  const ofPerson = ['', '/sign-in', '/applications', '/roles', '/activity', '/json'].map(
    (tab) => `/people/${person.id}${tab}`,
  )
  const ofClient = ['', '/tokens', '/setup', '/usage', '/branding'].map((tab) => `/applications/told${tab}`)
  for (const below of [
    ...['', '/people', '/groups', '/roles', '/attributes', '/applications', '/scopes', '/activity', '/branding'],
    ...[...ofPerson, ...ofClient, `/groups/${group.id}`, `/roles/${encodeURIComponent(dense)}`, '/scopes/told'],
    ...['/attributes/note', '/attributes/kind', '/people/new', `/people?role=${encodeURIComponent(dense)}`],
  ]) {
    await page.goto(`/admin${below}`)
    await settled(page)
    expect(await page.locator('img[src=x], svg[onload]').count(), below).toBe(0)
    const { ran, violations } = (await page.evaluate('report')) as Report
    expect([ran, violations], below).toEqual([[], []])
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll('a[href]')].map((link) => link.protocol)`,
    )
    expect(
      links.filter((protocol) => !/^https?:$/.test(protocol)),
      below,
    ).toEqual([])
  }
})
