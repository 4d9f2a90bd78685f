/** The brand over the admin API, and how it reaches pages of this process and of another one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keptBrand } from '../../src/branding/kept-brand.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { serviceForFile, startService } from '../support/service.ts'

// Two processes open the keys of one database.
const masterKey = { Keys__MasterKey: Buffer.alloc(32).toString('base64') }
const service = await serviceForFile(masterKey)
const viewer = await adminProgram(service, ['admin:read'])
const helpDesk = await adminProgram(service, ['admin:users'])
const { caller: admin } = await adminPerson(service, ['latchkey-admin'], { name: 'boss', scopes: ['admin:write'] })
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>'
const logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const change = async (changes: object, caller = admin) => {
  const { etag } = await admin.get('/branding')
  return caller.patch('/branding', changes, etag)
}
const page = async (path = '/Account/Login', address = service.address) => (await fetch(new URL(path, address))).text()

describe('the brand in the admin API', () => {
  it('is read by who reads everything, and changed by administrators with the version that they saw', async () => {
    const first = await viewer.get('/branding')
    assert.equal(first.status, 200)
    assert.deepEqual([first.body.name, first.body.fixed], [null, []])
    assert.equal((await helpDesk.get('/branding')).status, 403)
    assert.equal((await change({ name: 'Mine' }, viewer)).status, 403)
    assert.equal((await admin.send('PATCH', '/branding', { body: { name: 'Orchard' } })).status, 428)
    const changed = await change({ name: 'Orchard', accent_color: '#0B57D0', corner_radius: 4, logo })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual([changed.body.name, changed.body.accent_color], ['Orchard', '#0b57d0'])
    const stale = await admin.patch('/branding', { name: 'Other' }, first.etag)
    assert.equal(stale.status, 412)
    assert.equal(changed.etag, (await admin.get('/branding')).etag)
    const [entry] = await service.storage.audit.newest({ kind: 'branding_changed' }, 9)
    assert.deepEqual(entry?.details.members, ['name', 'accent_color', 'corner_radius', 'logo'])
    assert.doesNotMatch(JSON.stringify(entry), /base64/)
  })

  it('stands in the next page at once, with a style sheet and a logo of this origin', async () => {
    const text = await page()
    assert.match(text, /<title>Orchard<\/title>/)
    const [sheet = ''] = /\/assets\/brand-[0-9a-f]{12}\.css/.exec(text) ?? []
    assert.match(await page(sheet), /--accent:#0b57d0;.*--radius-m:0\.25rem/)
    const [image = ''] = /\/assets\/logo-[0-9a-f]{12}\.svg/.exec(text) ?? []
    const { headers } = await fetch(new URL(image, service.address))
    assert.equal(headers.get('content-type'), 'image/svg+xml')
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    // Whoever loaded a page before a change still gets its files.
    assert.equal((await change({ accent_color: '#8a2be2' })).status, 200)
    assert.equal((await fetch(new URL(sheet, service.address))).status, 200)
    assert.notEqual(/\/assets\/brand-\w+\.css/.exec(await page())?.[0], sheet)
  })

  it('tells every fault at once, with the nearest colour, and stores nothing', async () => {
    const before = await admin.get('/branding')
    const refused = await change({
      accent_color: '#ffff00',
      support_url: 'javascript:alert(1)',
      corner_radius: 4,
      logo: `data:image/png;base64,${Buffer.from('<svg onload="x"/>').toString('base64')}`,
    })
    assert.equal(refused.status, 400)
    const paths = (refused.body.errors as { path: string; message: string }[]).map(({ path }) => path).sort()
    assert.deepEqual(paths, ['/accent_color', '/logo', '/support_url'])
    const faint = await change({ accent_color: '#ffff00' })
    assert.match(JSON.stringify(faint.body), /the nearest one is #[0-9a-f]{6}/)
    assert.equal((await change({ fixed: [{ member: 'name', setting: 'x', source: 'file' }] })).status, 400)
    assert.equal((await change({ nonsense: 1 })).status, 400)
    assert.equal((await admin.get('/branding')).etag, before.etag)
    // What is read can be sent back, and changes nothing.
    assert.equal((await change(before.body)).status, 200)
    assert.equal((await admin.get('/branding')).etag, before.etag)
  })

  it('judges a drawing in a time that grows with its size alone, so that nobody waits for it', async () => {
    for (const attribute of ['href', 'attributeName']) {
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><a ${attribute}=${' '.repeat(19_000)}`
      const { etag } = await admin.get('/branding')
      const begunAtMs = performance.now()
      const slow = { logo: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}` }
      assert.equal((await admin.patch('/branding', slow, etag)).status, 200)
      const tookMs = performance.now() - begunAtMs
      assert.ok(tookMs < 900, `${attribute}: ${Math.round(tookMs)} ms`)
    }
    assert.equal((await change({ logo })).status, 200)
  })

  it('is as settings have it where they do, with the names of the settings', async (t) => {
    const fixed = await startService({ Brand__Name: 'Fixed', Brand__CornerRadius: '2' })
    t.after(() => fixed.stop())
    const { caller } = await adminPerson(fixed, ['latchkey-admin'], { name: 'boss', scopes: ['admin:write'] })
    const { body, etag } = await caller.get('/branding')
    assert.deepEqual([body.name, body.corner_radius], ['Fixed', 2])
    assert.deepEqual(body.fixed, [
      { member: 'name', setting: 'Brand:Name', source: 'environment' },
      { member: 'corner_radius', setting: 'Brand:CornerRadius', source: 'environment' },
    ])
    const refused = await caller.patch('/branding', { name: 'Other' }, etag)
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body.errors), /Brand:Name/)
    const changed = await caller.patch('/branding', { ...body, background: 'plain' }, etag)
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.equal((await fixed.storage.branding.find()).members.name, null)
    assert.match(await page('/Account/Login', fixed.address), /<title>Fixed<\/title>/)
  })
})

describe('the brand in another process', () => {
  it('follows within two seconds, with one cheap read in that time however many pages are asked for', async () => {
    const { branding } = service.storage
    let nowMs = 1_000_000
    let reads = 0
    const counted = {
      version: () => {
        reads += 1
        return branding.version()
      },
      find: () => branding.find(),
    }
    const other = keptBrand({}, counted, () => nowMs)
    assert.equal((await other.now()).name, 'Orchard')
    assert.equal((await change({ name: 'Meadow' })).status, 200)
    await Promise.all(Array.from({ length: 50 }, () => other.now()))
    assert.deepEqual([other.current().name, reads], ['Orchard', 1])
    nowMs += 2000
    await Promise.all(Array.from({ length: 50 }, () => other.now()))
    assert.deepEqual([other.current().name, reads], ['Meadow', 2])
    assert.equal((await other.renewed()).name, 'Meadow')
  })

  it('serves the files of a page that a process with newer looks has answered with', async (t) => {
    // Closing it would close the database that both have.
    const { close: _, ...storage } = service.storage
    const other = await startService(masterKey, { storage: { ...storage, close: async () => {} }, isNew: true })
    t.after(() => other.stop())
    assert.match(await page('/Account/Login', other.address), /<title>Meadow<\/title>/)
    assert.equal((await change({ accent_color: '#b0305c' })).status, 200)
    const [sheet = ''] = /\/assets\/brand-[0-9a-f]{12}\.css/.exec(await page()) ?? []
    const response = await fetch(new URL(sheet, other.address))
    assert.deepEqual([response.status, /--accent:#b0305c/.test(await response.text())], [200, true])
    const missing = await fetch(new URL('/assets/brand-000000000000.css', other.address))
    assert.equal(missing.status, 404)
    await missing.body?.cancel()
  })

  it('stays as it was while there is no database', async () => {
    const { branding } = service.storage
    let nowMs = 0
    let isGone = false
    const version = async () => (isGone ? Promise.reject(new Error('gone')) : branding.version())
    const other = keptBrand({}, { version, find: () => branding.find() }, () => nowMs)
    await other.now()
    isGone = true
    nowMs += 5000
    assert.equal((await other.now()).name, 'Meadow')
  })
})
