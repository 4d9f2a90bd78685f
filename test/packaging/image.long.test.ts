/** The image, built for real from Debian's packages, and run as container engines and clusters run it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { after, describe, it } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { read } from '../repository/sources.ts'
import { freePort } from '../support/free-port.ts'
import { postgresServer } from '../support/postgres.ts'
import { assertNone } from '../support/values.ts'
import { type BuiltImage, buildImage, notHere } from './container.ts'
import { environment, lastStage, words } from './dockerfile.ts'

const { version } = JSON.parse(read('package.json'))

const built = notHere ?? buildImage('latchkey:tried')

describe('the image, built and run', { timeout: 600_000, skip: typeof built === 'string' ? built : false }, () => {
  const image = built as BuiltImage
  after(() => image.remove())

  const issuer = 'https://id.example.com/'
  const get = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`)

  it('says of itself what the Dockerfile says', () => {
    const { configuration } = image
    const rest = (name: string) => lastStage().findLast((each) => each.name === name)?.rest ?? assert.fail(name)
    assert.equal(configuration.User, rest('USER'))
    assert.equal(configuration.WorkingDir, rest('WORKDIR'))
    assert.equal(configuration.StopSignal, rest('STOPSIGNAL'))
    assert.deepEqual(Object.keys(configuration.Volumes), [rest('VOLUME')])
    assert.deepEqual(Object.keys(configuration.ExposedPorts), [`${rest('EXPOSE')}/tcp`])
    assert.deepEqual(configuration.Entrypoint, words(lastStage(), 'ENTRYPOINT'))
    assert.deepEqual(configuration.Healthcheck.Test, ['CMD', ...words(lastStage(), 'HEALTHCHECK')])
    assert.deepEqual(
      configuration.Env.toSorted(),
      Object.entries(environment(lastStage()))
        .map(([name, value]) => `${name}=${value}`)
        .toSorted(),
    )
    assert.equal(configuration.Labels['org.opencontainers.image.version'], version)
  })

  it('has no shell and no package manager, and belongs to root but for its data', (t) => {
    const found = readdirSync(image.files, { recursive: true, withFileTypes: true }).map((entry) =>
      join(entry.parentPath, entry.name),
    )
    const tools = /^(?:(?:ba|da|z|k)?sh|busybox|npm|npx|corepack|apt(?:-get)?|dpkg|perl|python3?|gcc|tsc|curl|wget)$/
    const others: string[] = []
    let bytes = 0
    for (const path of found) {
      const name = relative(image.files, path)
      const status = lstatSync(path)
      bytes += status.isFile() ? status.size : 0
      if (name === 'data') {
        assert.equal(`${status.uid}:${status.gid}`, image.configuration.User)
        assert.equal(status.mode & 0o777, 0o700)
        continue
      }
      if (status.uid !== 0 || status.gid !== 0) others.push(`${name} does not belong to root`)
      if (status.isSymbolicLink()) continue
      if (name !== 'tmp' && (status.mode & 0o022) !== 0 && !status.isDirectory()) others.push(`${name} can be written`)
      if ((status.mode & 0o6000) !== 0) others.push(`${name} changes the account`)
      if (status.isFile() && (status.mode & 0o111) !== 0 && tools.test(basename(name))) others.push(name)
    }
    assertNone(others.filter((each) => !/^usr\/(?:local|share)/.test(each) && !/^var\//.test(each)))
    const megabytes = Math.round(bytes / 1e6)
    t.diagnostic(`${megabytes} MB`)
    assert.ok(megabytes < 230, `${megabytes} MB`)
    assert.ok(found.includes(join(image.files, 'var/lib/dpkg/status.d/libc6')))
  })

  it('has no program but its own', async () => {
    for (const program of ['sh', 'npm', 'apt-get']) {
      const { code, output } = await image.execute(image.volume(), {}, [program])
      assert.notEqual(code, 0)
      assert.match(output, /No such file or directory/)
    }
    const { code, output } = await image.execute(image.volume(), {}, ['latchkey', '--version'])
    assert.deepEqual({ code, output: output.trim() }, { code: 0, output: version })
  })

  it('serves on its own volume, on a root that it cannot write, and stops within its time', async () => {
    const [volume, port] = [image.volume(), await freePort()]
    const env = { OAuth__Issuer: issuer, Server__Port: String(port), Server__Host: '127.0.0.1' }
    const container = image.run(volume, env)
    await container.says(/"msg":"ready"/)
    assert.equal((await get(port, '/healthz')).status, 200)
    assert.equal((await get(port, '/readyz')).status, 200)
    const discovery = await get(port, '/.well-known/openid-configuration')
    assert.equal(((await discovery.json()) as { issuer: string }).issuer, issuer)
    assert.match(await (await get(port, '/Account/Login')).text(), /<script type="module"/)

    const check = words(lastStage(), 'HEALTHCHECK').map((word) => word.replace(':5080/', `:${port}/`))
    assert.equal((await image.execute(volume, env, check)).code, 0)
    const { output } = await image.execute(volume, env, ['latchkey', 'user', 'list', '--json'])
    assert.deepEqual(JSON.parse(output), [])
    const attempt = "require('node:fs').writeFileSync('/opt/latchkey/package.json', '')"
    const written = await image.execute(volume, env, ['node', '--eval', attempt])
    assert.match(written.output, /EROFS|EACCES/)

    assert.equal(await container.stop(), 0)
    assert.equal((await image.execute(volume, env, check)).code, 1)
    assert.deepEqual(readdirSync(volume).sort(), ['latchkey.db', 'latchkey.db.key'])
  })

  it('serves with several workers, which start again from the same entry point', async () => {
    const [volume, port] = [image.volume(), await freePort()]
    const env = { OAuth__Issuer: issuer, Server__Port: String(port), Server__Host: '127.0.0.1' }
    const container = image.run(volume, env, 'serve', '--workers', '2')
    await container.says(/"msg":"all workers answer"/)
    assert.equal((await get(port, '/healthz')).status, 200)
    assert.equal(await container.stop(), 0)
  })

  it('migrates PostgreSQL and serves as the manifests of Kubernetes say, and drains before it stops', async (t) => {
    const [manifest = assert.fail()] = parseAllDocuments(read('deploy/kubernetes/deployment.yaml'))
      .map((document) => document.toJS())
      .filter(({ kind }) => kind === 'Deployment')
    const [{ env: variables, args }] = manifest.spec.template.spec.containers
    const [job = assert.fail()] = parseAllDocuments(read('deploy/kubernetes/migrate.yaml')).map((each) => each.toJS())
    const server = await postgresServer()
    const database = await server.createEmptyDatabase()
    t.after(async () => {
      await server.dropDatabase(database)
      await server.stop()
    })
    const secret = { Database__Url: database, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
    const migrated = await image.execute(image.volume(), secret, [
      'latchkey',
      ...job.spec.template.spec.containers[0].args,
    ])
    assert.equal(migrated.code, 0, migrated.output)
    assert.match(migrated.output, /The schema is up to date/)

    const [port, metrics] = [await freePort(), await freePort()]
    const named = variables.map(({ name, value }: { name: string; value: string }) => [name, value])
    const env = {
      ...Object.fromEntries(named),
      ...secret,
      Server__Port: String(port),
      Metrics__Port: String(metrics),
      Server__DrainDelay: '2',
    }
    const volume = image.volume()
    const container = image.run(volume, env, ...args)
    await container.says(/"msg":"ready"/)
    assert.equal((await get(port, '/readyz')).status, 200)
    assert.match(await (await get(metrics, '/metrics')).text(), new RegExp(`latchkey_info\\{version="${version}"\\} 1`))

    const stopped = container.stop()
    await container.says(/"msg":"stopping"/)
    // Not ready any more, and answering all the same.
    assert.equal((await get(port, '/readyz')).status, 503)
    assert.equal((await get(port, '/.well-known/openid-configuration')).status, 200)
    assert.equal(await stopped, 0)
    assert.deepEqual(readdirSync(volume), [], 'nothing is written to the volume')
  })

  it('leaves no mount behind', () => {
    const { stdout } = spawnSync('cat', ['/proc/self/mounts'], { encoding: 'utf8' })
    assert.ok(!stdout.includes(image.files) && !stdout.includes('latchkey-container-'))
  })
})
