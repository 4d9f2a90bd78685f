import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createDemoClient, readDemoSettings } from '../../examples/demo-client/server.ts'

describe('the server of the demo client', () => {
  let base: URL
  const issuer = 'http://localhost:5999/'
  const server = createDemoClient({ issuer, clientId: 'demo' })

  before(async () => {
    const listening = (await server).listen(0, 'localhost')
    await once(listening, 'listening')
    base = new URL(`http://localhost:${(listening.address() as AddressInfo).port}/`)
  })
  after(async () => {
    ;(await server).close()
  })

  it('serves the page where people start and where the provider sends them back to', async () => {
    const [start, callback] = await Promise.all([fetch(base), fetch(new URL('/callback?code=c&state=s', base))])
    assert.equal(start.status, 200)
    assert.equal(callback.status, 200)
    assert.equal(await start.text(), await callback.text())
  })

  it('allows scripts of its own only, and calls to the provider only', async () => {
    const response = await fetch(base)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.match(policy, /connect-src 'self' http:\/\/localhost:5999(;|$)/)
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const page = await response.text()
    assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|\bstyle=|\bon[a-z]+=/)
  })

  it('serves every module that the page imports, down to the library itself [C5.4]', async () => {
    const seen = new Set<string>()
    const pending = ['/app.js']
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const response = await fetch(new URL(path, base))
      assert.equal(response.status, 200, path)
      assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/)
      for (const [, next = ''] of (await response.text()).matchAll(/^import .* from '([^']+)'$/gm)) pending.push(next)
    }
    assert.deepEqual([...seen].sort(), ['/app.js', '/oidc.js', '/timeline.js', '/vendor/oauth4webapi.js'])
  })

  it('serves every style sheet that the pages name, with the design tokens and nothing left to import', async () => {
    const page = await (await fetch(base)).text()
    const sheets = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path = '']) => path)
    assert.deepEqual(sheets, ['/kit/kit.css', '/kit/area.css', '/branding.css', '/style.css'])
    const texts = await Promise.all(
      sheets.map(async (path) => {
        const response = await fetch(new URL(path, base))
        assert.equal(response.status, 200, path)
        assert.match(response.headers.get('content-type') ?? '', /^text\/css/)
        return response.text()
      }),
    )
    assert.match(texts[0] ?? '', /--accent: #/)
    assert.doesNotMatch(texts.join(''), /@import/)
  })

  it('has the looks of the provider, and the default ones without it', async () => {
    for (const path of ['/branding.css', '/icon']) {
      const response = await fetch(new URL(path, base))
      assert.deepEqual([response.status, await response.text()], [200, ''], path)
    }
    const provider = createServer((request, response) => {
      response.setHeader('content-type', request.url === '/branding.css' ? 'text/css' : 'image/svg+xml')
      response.end(`of ${request.url}`)
    }).listen(0, 'localhost')
    await once(provider, 'listening')
    const address = `http://localhost:${(provider.address() as AddressInfo).port}/`
    const client = (await createDemoClient({ issuer: address, clientId: 'demo' })).listen(0, 'localhost')
    await once(client, 'listening')
    const at = (path: string) => new URL(path, `http://localhost:${(client.address() as AddressInfo).port}/`)
    const [sheet, icon] = await Promise.all([fetch(at('/branding.css')), fetch(at('/icon'))])
    assert.equal(await sheet.text(), 'of /branding.css')
    assert.deepEqual([icon.headers.get('content-type'), await icon.text()], ['image/svg+xml', 'of /favicon.ico'])
    for (const one of [provider, client]) one.closeAllConnections()
    for (const one of [provider, client]) one.close()
  })

  it('tells the page which provider and client to use', async () => {
    const response = await fetch(new URL('/config.json', base))
    assert.deepEqual(await response.json(), { issuer, client_id: 'demo' })
  })

  it('serves nothing else, and answers to GET and HEAD only', async () => {
    for (const path of [
      '/server.ts',
      '/../server.ts',
      '/%2e%2e/server.ts',
      '/public/app.js',
      '/vendor/',
      '/README.md',
    ]) {
      assert.equal((await fetch(new URL(path, base))).status, 404, path)
    }
    assert.equal((await fetch(base, { method: 'POST' })).status, 405)
  })
})

describe('the mailbox of the demo client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mailbox-'))
  const issuer = 'http://localhost:5999/'
  const server = createDemoClient({ issuer, clientId: 'demo', mailbox: folder })
  let base: URL

  before(async () => {
    const listening = (await server).listen(0, 'localhost')
    await once(listening, 'listening')
    base = new URL(`http://localhost:${(listening.address() as AddressInfo).port}/`)
  })
  after(async () => {
    ;(await server).close()
    rmSync(folder, { recursive: true, force: true })
  })
  const read = async (path: string) => (await fetch(new URL(path, base))).text()

  it('shows what arrived, newest first, as text in which links of the service and codes alone stand out', async () => {
    assert.match(await read('/'), /<a id="mailbox-link" href="\/mailbox">/)
    assert.match(await read('/mailbox'), /Nothing has arrived yet/)
    const link = `${issuer}Account/Confirm?purpose=reset&a=b#token=abc`
    const lines = ['Hello', link, 'https://evil.example/', '042317', '<script>alert(1)</script>']
    for (const [name, subject] of [
      ['20260101T000000000Z-one', 'First'],
      ['20260102T000000000Z-two', '<b>Second</b>'],
    ]) {
      const head = `From: a@example.com\r\nTo: b@example.com\r\nSubject: ${subject}\r\nContent-Type: text/plain\r\n\r\n`
      writeFileSync(join(folder, `${name}.eml`), head + lines.join('\r\n'))
    }
    writeFileSync(join(folder, '.unfinished.eml'), 'x')
    writeFileSync(join(folder, 'notes.txt'), 'x')
    const list = await read('/mailbox')
    const found = [...list.matchAll(/href="(\/mailbox\/[^"]+)">([^<]*)</g)].map(([, path, text]) => [path, text])
    assert.deepEqual(found, [
      ['/mailbox/20260102T000000000Z-two.eml', '&lt;b&gt;Second&lt;/b&gt;'],
      ['/mailbox/20260101T000000000Z-one.eml', 'First'],
    ])
    const letter = await read('/mailbox/20260101T000000000Z-one.eml')
    assert.ok(letter.includes(`<a href="${link.replace('&', '&amp;')}">`), letter)
    assert.match(letter, /<strong class="code">042317<\/strong>/)
    assert.doesNotMatch(letter, /<script|href="https/)
  })

  it('shows the mail as people see it, in a frame that runs and loads nothing, if it leads to the service alone', async () => {
    const { default: nodemailer } = await import('nodemailer')
    const write = async (name: string, html: string) => {
      const transport = nodemailer.createTransport({ streamTransport: true, buffer: true })
      const attachments = [
        { cid: 'logo', content: Buffer.from('picture'), contentType: 'image/png', filename: 'l.png' },
      ]
      const { message } = await transport.sendMail({ to: 'b@example.com', subject: name, text: 'x', html, attachments })
      writeFileSync(join(folder, `${name}.eml`), message as Buffer)
      return {
        page: await read(`/mailbox/${name}.eml`),
        frame: await fetch(new URL(`/mailbox/${name}.eml.html`, base)),
      }
    }
    const document = (body: string) => `<!doctype html><html><head></head><body>${body}</body></html>`
    const own = await write('20260103T000000000Z-own', document(`<img src="cid:logo"><a href="${issuer}Account">x</a>`))
    assert.match(
      own.page,
      /<iframe class="letter" title="The mail" src="\/mailbox\/20260103T000000000Z-own\.eml\.html" sandbox="/,
    )
    assert.doesNotMatch(own.page, /allow-scripts/)
    assert.equal(own.frame.status, 200)
    const policy = own.frame.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^sandbox allow-same-origin allow-top-navigation-by-user-activation; default-src 'none'; /)
    assert.doesNotMatch(policy, /script/)
    assert.match(await own.frame.text(), /<base target="_top">[\s\S]*<img src="data:image\/png;base64,/)
    for (const [at, body] of [
      '<a href="https://evil.example/">x</a>',
      '<a href=//evil.example>x</a>',
      '<form>',
      '<script>1</script>',
    ].entries()) {
      const other = await write(`20260104T000000000Z-other${at}`, document(body))
      assert.doesNotMatch(other.page, /<iframe/)
      assert.equal(other.frame.status, 404)
    }
  })

  it('opens nothing but mails of its folder, and for nobody who calls it by another name', async () => {
    for (const path of [
      '/mailbox/',
      '/mailbox/notes.txt',
      '/mailbox/.unfinished.eml',
      '/mailbox/..%2f..%2fetc%2fpasswd',
    ]) {
      assert.equal((await fetch(new URL(path, base))).status, 404, path)
    }
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'rebound.example' }
      get(new URL('/mailbox', base), { headers }, (response) => resolve(response.resume().statusCode)).on(
        'error',
        reject,
      )
    })
    assert.equal(status, 404)
  })
})

describe('the settings of the demo client', () => {
  it('have defaults that fit the quick start', () => {
    assert.deepEqual(readDemoSettings({}), { port: 5081, issuer: 'http://localhost:5080/', clientId: 'demo' })
  })

  it('are refused by name when they are malformed', () => {
    assert.throws(() => readDemoSettings({ DEMO_CLIENT_PORT: 'x' }), /DEMO_CLIENT_PORT/)
    assert.throws(() => readDemoSettings({ DEMO_CLIENT_PORT: '70000' }), /DEMO_CLIENT_PORT/)
    assert.throws(() => readDemoSettings({ DEMO_ISSUER: 'localhost' }), /DEMO_ISSUER/)
  })
})
