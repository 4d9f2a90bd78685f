/** The admin API with a client of others: openapi-typescript makes the types, openapi-fetch sends the requests. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { adminProgram } from '../support/admin.ts'
import { startService, type TestService } from '../support/service.ts'
import { guard } from '../support/service-process.ts'
import { clientsFolder, notInstalled } from './programs.ts'

describe('a client made from the description of the admin API', { skip: notInstalled }, () => {
  let service: TestService
  let folder: string
  before(async () => {
    service = await startService()
    await adminProgram(service, ['admin:write'], { id: 'automation' })
    folder = await mkdtemp(join(tmpdir(), 'latchkey-client-'))
    await cp(`${clientsFolder}admin-api/program.ts`, join(folder, 'program.ts'))
    await symlink(`${clientsFolder}node_modules`, join(folder, 'node_modules'), 'dir')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const description = await fetch(new URL('admin/api/openapi.json', service.issuer))
    await writeFile(join(folder, 'openapi.json'), await description.text())
    await run('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'schema.d.ts')
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(program: string, ...parameters: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: folder, ...guard, ISSUER: service.issuer }
    const credentials = { CLIENT_ID: 'automation', CLIENT_SECRET: 'machine-secret' }
    const options = { cwd: folder, env: { ...env, ...credentials } }
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...parameters], options).catch((error) =>
      assert.fail(`${error.message}\n${error.stdout}`),
    )
    return stdout
  }

  const strict = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
  ]
  const modules = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable']
  const check = (file: string) => run('node_modules/typescript/bin/tsc', ...strict, ...modules, file)

  it('has types that a program keeps to, and that refuse what the API refuses', async () => {
    await check('program.ts')
    const wrong = `import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
const latchkey = createClient<paths>()
// @ts-expect-error The version is missing.
await latchkey.PATCH('/scopes/{name}', { params: { path: { name: 'a' } }, body: { description: 'x' } })
// @ts-expect-error The name is missing.
await latchkey.POST('/scopes', { body: { description: 'x' } })
// @ts-expect-error There is no such address.
await latchkey.GET('/nothing')
`
    await writeFile(join(folder, 'wrong.ts'), wrong)
    await check('wrong.ts')
  })

  it('registers and changes an application, sees why a request is refused, and pages through people', async () => {
    const lines = (await run('program.ts')).trim().split('\n')
    assert.deepEqual(lines.slice(0, 3), [
      "registered planner [ 'https://planner.example.com/callback' ]",
      'changed Team planner',
      'refused 412 precondition_failed ID9611',
    ])
    assert.match(lines[3] ?? '', /^wrong \/redirect_uris/)
    assert.deepEqual(lines.slice(4), ['found alice alice@example.com', 'deleted 204'])
  })
})
