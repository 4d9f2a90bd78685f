/** What `client add --for` prints for libraries of Node.js, run as it is printed. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { freePort, startService, type TestService, testScope } from '../support/service.ts'
import { clientsFolder, notInstalled, startProgram } from './programs.ts'
import { Visitor } from './visitor.ts'

/** Below the packages of the programs, where imports find them and nothing is versioned. */
const folder = `${clientsFolder}node_modules/.latchkey-templates/`

/** `home`: where the program shows the person; null: the callback does. */
const templates = [
  { id: 'express', file: 'express.cjs', home: '/me' },
  { id: 'fastify', file: 'fastify.mjs', home: null },
] as const

describe('settings that a template prints', { skip: notInstalled }, () => {
  let service: TestService
  before(async () => {
    service = await startService()
    for (const name of ['profile', 'email']) await service.storage.scopes.create(testScope(name))
    await mkdir(folder, { recursive: true })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const { id, file, home } of templates) {
    it(`${id} signs a person in as they are`, async (t) => {
      const port = await freePort()
      const origin = `http://localhost:${port}`
      const admin = await adminProgram(service)
      const { status, body } = await admin.post('/clients', { client_id: id, template: id, base_url: origin })
      assert.equal(status, 201, JSON.stringify(body))
      await writeFile(folder + file, body.setup.code)
      const program = await startProgram([process.execPath, folder + file], {
        ISSUER: service.issuer,
        CLIENT_ID: id,
        CLIENT_SECRET: body.client_secret,
        SESSION_SECRET: randomBytes(32).toString('hex'),
        PORT: String(port),
      })
      t.after(() => program.stop())
      const visitor = new Visitor()
      const signedIn = await visitor.open(`${origin}/login`)
      const shown = home === null ? signedIn : await visitor.open(`${origin}${home}`)
      assert.equal(shown.status, 200, `${JSON.stringify(shown)}\n${program.output()}`)
      const person = JSON.parse(shown.text)
      assert.deepEqual([person.name, person.email], ['alice', 'alice@example.com'])
    })
  }
})
