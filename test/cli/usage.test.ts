import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { workplace } from './run.ts'

const commands = [
  'serve',
  'user add',
  'user list',
  'user show',
  'user delete',
  'user lock',
  'user unlock',
  'user set-password',
  'user set',
  'user forget-browsers',
  'user reset-second-factor',
  'user invite',
  'user send-reset',
  'user send-confirmation',
  'user add-role',
  'user remove-role',
  'client add',
  'client list',
  'client show',
  'client delete',
  'client set',
  'client rotate-secret',
  'scope add',
  'scope list',
  'scope delete',
  'keys list',
  'keys rotate',
  'db migrate',
  'db status',
  'db backup',
  'db restore',
  'db copy',
  'db reopen',
  'authorizations list',
  'authorizations revoke',
  'doctor',
]

describe('every command', () => {
  for (const command of commands) {
    it(`latchkey ${command} takes --help, --config and --json [C2.1]`, async (t) => {
      const { code, stdout, stderr } = await workplace(t).run(`${command} --help`)
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.match(stdout, new RegExp(`^Usage: latchkey ${command} `))
      for (const option of ['--config <file>', '--json', '--help']) assert.ok(stdout.includes(option), option)
    })
  }
})

describe('the command line', () => {
  it('lists its commands', async (t) => {
    const { code, stdout } = await workplace(t).run('--help')
    assert.equal(code, 0)
    for (const command of commands) assert.match(stdout, new RegExp(`^  ${command.split(' ')[0]} `, 'm'))
    assert.match((await workplace(t).run('--version')).stdout, /^\d+\.\d+\.\d+\n$/)
  })

  it('is misused without a command, or with an unknown one [C2.3]', async (t) => {
    const place = workplace(t)
    await place.misuses('', /Usage: latchkey/)
    await place.misuses('user', /Usage: latchkey user/)
    await place.misuses('sevre', /unknown command 'sevre'\n\(Did you mean serve\?\)/)
    await place.misuses('user lst', /unknown command 'lst'/)
    await place.misuses('user list extra', /too many arguments/)
  })

  it('says how to give a command that was misused, and where its help is', async (t) => {
    const place = workplace(t)
    await place.misuses(
      'user add',
      /'name'\nUsage: latchkey user add \[options\] <name>\nHelp: {2}latchkey user add --help\n$/,
    )
    await place.misuses(
      'serve --prot 5',
      /'--prot'\nUsage: latchkey serve \[options\]\nHelp: {2}latchkey serve --help\n$/,
    )
    await place.misuses('usr add', /Usage: latchkey \[options\] \[command\]\nHelp: {2}latchkey --help\n$/)
    const { stderr } = await place.run('user add --json')
    assert.deepEqual(JSON.parse(stderr), { error: 'misused', message: "missing required argument 'name'" })
  })

  it('names a file that is not there, and one that is too large', async (t) => {
    const place = workplace(t)
    await place.refuses('apply none.yaml', /There is no file .*none\.yaml\./)
    await place.refuses('keys import none.json', /there is no file .*none\.json\./)
    await place.refuses('keys import /dev/zero', /\/dev\/zero is larger than 16384 KiB\./)
  })

  it('reads the configuration file before or after the command [C2.1, C3.2]', async (t) => {
    const place = workplace(t)
    writeFileSync(join(place.folder, 'other.json'), '{"Database": {"Url": "sqlite:other.db"}}')
    assert.equal((await place.run('db migrate --config other.json')).code, 0)
    await place.json('user add alice --email a@b --no-password --config other.json')
    assert.equal(((await place.json('--config other.json user list')) as unknown[]).length, 1)
    assert.equal(((await place.json('user --config other.json list')) as unknown[]).length, 1)
    assert.deepEqual(await place.json('user list'), [])
    await place.refuses('user list --config nowhere.json', /nowhere\.json cannot be read/)
  })

  it('names every problem of the settings, one a line', async (t) => {
    const { code, stderr } = await workplace(t).run('user list', { env: { Log__Level: 'x', Server__Port: 'y' } })
    assert.equal(code, 1)
    assert.match(stderr, /^error: Server:Port [^\n]+\nerror: Log:Level [^\n]+\n$/)
  })

  it('refuses to work on a database that only the server can see', async (t) => {
    await workplace(t).refuses('user list', /sqlite::memory:/, { env: { Database__Url: 'sqlite::memory:' } })
  })

  it('says in one line that the database cannot be used [C2.3]', async (t) => {
    const env = {
      Database__Url: `postgres://nobody:hunter2@127.0.0.1:1/none`,
      Keys__MasterKey: Buffer.alloc(32).toString('base64'),
    }
    const place = workplace(t)
    await place.refuses('user list', /127\.0\.0\.1:1/, { env })
    assert.doesNotMatch((await place.run('user list', { env })).stderr, /hunter2/)
  })
})
