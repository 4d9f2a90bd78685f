/** What is below deploy/: read as the programs read it that it is meant for, and held against the code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { exposureProblems } from '../../src/settings/exposure.ts'
import { readSettings } from '../../src/settings/read.ts'
import { settingsTable } from '../../src/settings/table.ts'
import { databaseDeadlineMs } from '../../src/site/health.ts'
import { filesBelow, read, root } from '../repository/sources.ts'
import { assertNone, valuesOf } from '../support/values.ts'
import { copies, environment, instructions, lastStage, words } from './dockerfile.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape of a manifest is what the tests look at
type Manifest = any

const secrets = { Keys__MasterKey: Buffer.alloc(32, 1).toString('base64'), Database__Url: 'postgres://u:p@db/latchkey' }

/** Every name is a setting, and every value a good one. */
function assertSettings(env: Readonly<Record<string, string>>): void {
  const reading = readSettings({ env, cwd: '/nonexistent' })
  assert.deepEqual(reading.ok ? [] : reading.problems, [])
}

/** Why a container with these settings beside those of the image would not start. */
function exposure(env: Readonly<Record<string, string>>): readonly string[] {
  const image = Object.entries(environment(lastStage())).filter(([name]) => name.includes('__'))
  const reading = readSettings({ env: { ...Object.fromEntries(image), ...env }, cwd: '/nonexistent' })
  return reading.ok ? exposureProblems(reading.settings, false) : reading.problems
}

/** Folders below which the image writes: what its environment names, and where it works. */
const written = Object.values(environment(lastStage()))
  .flatMap((value) => /^(?:sqlite:)?(\/(?:tmp|data))\b/.exec(value)?.[1] ?? [])
  .sort()

describe('the image', () => {
  const all = instructions()
  const last = lastStage()
  const one = (name: string) => last.findLast((instruction) => instruction.name === name)?.rest ?? ''

  it('is built in stages, and runs as nobody in particular', () => {
    assert.equal(all.filter(({ name }) => name === 'FROM').length, 3)
    assert.match(one('USER'), /^[1-9]\d{3,}:[1-9]\d{3,}$/)
    assert.equal(one('VOLUME'), '/data')
    assert.deepEqual(words(last, 'ENTRYPOINT'), ['/opt/latchkey/bin/latchkey'])
    assert.deepEqual(words(last, 'CMD'), ['serve'])
    assert.match(words(last, 'HEALTHCHECK').at(-1) ?? '', /\/healthz/)
    assert.match(one('HEALTHCHECK'), new RegExp(`127\\.0\\.0\\.1:${one('EXPOSE')}/`))
  })

  it('has nothing that its account can write but its data', () => {
    // Whatever is copied belongs to root and keeps its mode; only one folder is made for somebody else.
    const [uid, gid] = one('USER').split(':')
    const made = all.filter(({ name, rest }) => name === 'RUN' && rest.startsWith('install '))
    assert.deepEqual(valuesOf(made, 'rest'), [
      `install --directory --owner=${uid} --group=${gid} --mode=0700 /writable${one('VOLUME')}`,
    ])
    const owned = all.filter(({ rest }) => rest.includes('--chown'))
    assert.deepEqual(owned, [{ name: 'COPY', rest: `--from=system --chown=${uid}:${gid} /writable/ /` }])
    assert.doesNotMatch(read('deploy/Dockerfile'), /--chmod|\bchmod|\bchown /)
    // There is no shell to run anything with.
    assertNone(last.filter(({ name }) => name === 'RUN' || name === 'ADD'))
    const userAt = last.findIndex(({ name }) => name === 'USER')
    assert.ok(last.findLastIndex(({ name }) => name === 'COPY') < userAt)
  })

  it('builds with the major version that it runs, and holds nothing but the system libraries and the service', () => {
    const { dependencies } = JSON.parse(read('package.json'))
    const [major] = dependencies.node.split('.')
    const [{ rest: base } = assert.fail()] = all.filter(({ name }) => name === 'ARG')
    assert.match(base, new RegExp(`^BASE=node:${major}-[a-z]+-slim$`))
    const froms = all.filter(({ name }) => name === 'FROM').map(({ rest }) => rest)
    const stages = froms.map((rest) => /^\$\{BASE\} AS (\w+)$/.exec(rest)?.[1] ?? rest)
    assert.deepEqual(stages, ['build', 'system', 'scratch'])
  })

  it('sets in its environment what the command line outside of it sets', () => {
    const script = read('bin/latchkey')
    const exports = [...script.matchAll(/^export (\w+)="\$\{\1-(.*)\}"$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const env = environment(last)
    const others = exports.filter(([name]) => name !== 'NODE_COMPILE_CACHE')
    assert.equal(others.length, 3)
    for (const [name = '', value] of others) assert.equal(env[name], value, name)
    const [, flags] = /^exec "\$runtime" (.+) "\$entry" "\$@"$/m.exec(script) ?? []
    assert.equal(env.NODE_OPTIONS, flags)
    const [path = '', ...more] = env.PATH?.split(':') ?? []
    assert.equal(`${path}/latchkey`, words(last, 'ENTRYPOINT')[0])
    assert.deepEqual(more, ['/opt/latchkey/node_modules/node/bin'])
    assert.ok(read('deploy/image/latchkey').startsWith(`#!${more[0]}/node\n`))
  })

  it('copies only what is there: in the checkout, or made by the build', () => {
    const allowed: readonly string[] = read('.dockerignore').match(/(?<=^!).+$/gm) ?? []
    const isSent = (path: string) => path === '.' || (allowed.includes(path) && existsSync(join(root, path)))
    const first = copies(all.slice(0, all.length - last.length)).flatMap(({ sources }) => sources)
    const [system, ...others] = copies(last).filter(({ from }) => from === 'system')
    assert.deepEqual(system?.sources, ['/system/'])
    assert.equal(others.length, 1)
    const second = copies(last).filter(({ from }) => from === 'build')
    assert.ok(first.length >= 4 && second.length >= 4)
    assertNone(first.filter((source) => !isSent(source)))
    assert.equal(copies(last).length, second.length + 2)
    const built = second.flatMap(({ sources }) => sources).map((source) => source.replace(/^\/build\//, ''))
    assert.deepEqual(
      built.filter((path) => !isSent(path)),
      ['dist', 'node_modules'],
    )
  })

  it('sets settings that exist', () => {
    const env = Object.fromEntries(Object.entries(environment(last)).filter(([name]) => name.includes('__')))
    assert.equal(Object.keys(env).length, 2)
    assertSettings(env)
  })

  it('asks for its public address, rather than to speak plain http to everybody', () => {
    const [problem, ...others] = exposure({})
    assert.match(
      problem ?? '',
      /^OAuth:Issuer is http:\/\/localhost:5080\/, which is plain http, but Server:Host is 0\.0\.0\.0/,
    )
    assert.deepEqual(others, [])
    const [, sample = ''] = /^(docker run [^`]+)```/m.exec(read('docs/deploy.md')) ?? []
    const named = [...sample.matchAll(/--env (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
    assert.ok(named.length >= 1, sample)
    assert.deepEqual(exposure(Object.fromEntries(named)), [])
  })

  it('is built from what .dockerignore lets through, and that lets no data through', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    assert.equal(rules[0], '*')
    const allowed = rules.slice(1).map((rule) => rule.replace(/^!/, ''))
    assert.ok(rules.slice(1).every((rule) => rule.startsWith('!')))
    assertNone(
      ['src', 'pages', 'messages', 'bin', 'package-lock.json', 'scripts'].filter((needed) => !allowed.includes(needed)),
    )
    for (const kept of ['data', 'latchkey.json', '.env', '.git', 'node_modules', 'dist', 'deploy']) {
      assert.ok(!allowed.includes(kept), kept)
    }
  })
})

describe('the commands about a container in docs/deploy.md', () => {
  it('speak of a container by the name that it was given', () => {
    const text = read('docs/deploy.md')
    const [, name] = /^docker run --name (\S+) /m.exec(text) ?? []
    assert.equal(name, 'latchkey')
    const spoken = [...text.matchAll(/docker (?:exec|kill|stop)(?: --\w+ \w+)* (\w+)/g)].map(([, spoken]) => spoken)
    assert.ok(spoken.length >= 1)
    assert.deepEqual([...new Set(spoken)], [name])
  })
})

describe('the Compose file', () => {
  const compose: Manifest = parse(read('deploy/compose.yaml'))

  it('starts the service after its database, without privileges, on a read-only file system', () => {
    const { latchkey, database } = compose.services
    assert.equal(latchkey.depends_on.database.condition, 'service_healthy')
    assert.equal(latchkey.read_only, true)
    assert.deepEqual(latchkey.cap_drop, ['ALL'])
    assert.ok(database.healthcheck.test.length > 0)
    // The image's own volume is the other place it writes to.
    const volumes = [...latchkey.tmpfs, lastStage().find(({ name }) => name === 'VOLUME')?.rest]
    assert.deepEqual(volumes.sort(), [...written].sort())
    for (const service of [latchkey, database]) {
      for (const secret of service.secrets) assert.ok(secret in compose.secrets, secret)
    }
    assert.ok(String(latchkey.ports[0]).startsWith('127.0.0.1:'))
    const env = Object.entries<string>(latchkey.environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{[^}]*\}/g, 'x'),
    ])
    assertSettings(Object.fromEntries(env))
    assert.deepEqual(exposure(Object.fromEntries(env)), [])
  })
})

describe('the Kubernetes manifests', () => {
  const files = filesBelow('deploy/kubernetes', ['.yaml'])
  const documents = (file: string): Manifest[] =>
    parseAllDocuments(read(file)).map((document) => {
      assert.deepEqual(document.errors, [], file)
      return document.toJS()
    })
  const all = files.flatMap(documents)
  const kustomization: Manifest = all.find((manifest) => manifest.kind === 'Kustomization')
  const manifests = all.filter((manifest) => manifest !== kustomization)
  const kind = (name: string): Manifest => manifests.find((manifest) => manifest.kind === name) ?? assert.fail(name)
  const { template, selector } = kind('Deployment').spec
  const [container] = template.spec.containers
  const job: Manifest = kind('Job').spec.template
  const version: string = JSON.parse(read('package.json')).version

  it('are all there, under one name and one label', () => {
    assert.deepEqual(manifests.map((manifest) => manifest.kind).sort(), [
      'Deployment',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'Namespace',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Secret',
      'Service',
      'ServiceAccount',
    ])
    for (const { apiVersion, kind, metadata } of manifests) {
      assert.match(apiVersion, /^(?:v1|[a-z.0-9]+\/v[12])$/)
      assert.equal(metadata.name, kind === 'Job' ? 'latchkey-migrate' : 'latchkey')
      if (kind === 'Namespace') continue
      assert.equal(metadata.labels['app.kubernetes.io/name'], metadata.name)
      assert.equal(metadata.labels['app.kubernetes.io/part-of'], 'latchkey')
    }
    const { labels } = template.metadata
    const matches = (selected: Manifest, pod: Manifest) => Object.entries(selected).every(([k, v]) => pod[k] === v)
    for (const selected of [
      selector.matchLabels,
      kind('Service').spec.selector,
      kind('PodDisruptionBudget').spec.selector.matchLabels,
      ...template.spec.topologySpreadConstraints.map((each: Manifest) => each.labelSelector.matchLabels),
    ]) {
      assert.ok(matches(selected, labels))
      // No request reaches the job, and it is counted nowhere.
      assert.ok(!matches(selected, job.metadata.labels))
    }
    const { podSelector } = kind('NetworkPolicy').spec
    for (const pod of [labels, job.metadata.labels]) assert.ok(matches(podSelector.matchLabels, pod))
  })

  it('are built together: the kustomization names each file that is no example and no choice', () => {
    const names = files.map((file) => file.replace('deploy/kubernetes/', ''))
    const chosen = ['autoscaler.yaml', 'kustomization.yaml', 'migrate.yaml']
    assert.deepEqual(
      [...kustomization.resources].sort(),
      names.filter((name) => !chosen.includes(name) && !name.includes('.example.')),
    )
    assert.equal(kustomization.namespace, kind('Namespace').metadata.name)
    const [{ name, newName, newTag }] = kustomization.images
    assert.equal(`${name}:${newTag}`, container.image)
    // The job is applied by itself, so that it names the registry.
    assert.equal(job.spec.containers[0].image, `${newName}:${newTag}`)
    assert.equal(newTag, version)
  })

  it('ask the paths that the service answers, on ports that it has', () => {
    const ports = new Map(container.ports.map((port: Manifest) => [port.name, port.containerPort]))
    assert.equal(container.readinessProbe.httpGet.path, '/readyz')
    for (const probe of ['livenessProbe', 'startupProbe']) assert.equal(container[probe].httpGet.path, '/healthz')
    for (const probe of ['livenessProbe', 'startupProbe', 'readinessProbe']) {
      assert.ok(ports.has(container[probe].httpGet.port), probe)
    }
    // The database may take its whole time: a late 503 is an answer, too.
    assert.ok(container.readinessProbe.timeoutSeconds * 1000 > databaseDeadlineMs)
    const [{ name, port, targetPort }] = kind('Service').spec.ports
    assert.ok(ports.has(targetPort))
    for (const rule of kind('NetworkPolicy').spec.ingress) assert.ok(ports.has(rule.ports[0].port))
    const rules: Manifest[] = kind('HTTPRoute').spec.rules
    for (const rule of rules) assert.deepEqual(rule.backendRefs, [{ name: kind('Service').metadata.name, port }])
    // What is answered for longer than a request may take has no end there: server-sent events.
    const [stream] = rules
    assert.equal(stream.timeouts.request, '0s')
    const { value: below } = stream.matches[0].path
    assert.equal(below, '/admin/api/v1/audit')
    const [{ http }] = kind('Ingress').spec.rules
    assert.deepEqual(http.paths[0].backend.service, { name: kind('Service').metadata.name, port: { name } })
  })

  it('give the service the host of its issuer', () => {
    const { value: issuer } = container.env.find((each: Manifest) => each.name === 'OAuth__Issuer')
    const { host } = new URL(issuer)
    assert.deepEqual(kind('HTTPRoute').spec.hostnames, [host])
    assert.equal(kind('Ingress').spec.rules[0].host, host)
    assert.deepEqual(kind('Ingress').spec.tls[0].hosts, [host])
  })

  it('set settings that exist, and leave more time to end than the service takes', () => {
    const env = Object.fromEntries(container.env.map(({ name, value }: Manifest) => [name, value]))
    assertSettings({ ...env, ...secrets })
    assert.deepEqual(exposure({ ...env, ...secrets }), [])
    assert.equal(
      env.Metrics__Port,
      String(container.ports.find((port: Manifest) => port.name === 'metrics').containerPort),
    )
    assert.ok(template.spec.terminationGracePeriodSeconds >= Number(env.Server__DrainDelay) + 15)
    // A pod is out of the endpoints, and every proxy knows it, before the service stops answering.
    assert.ok(Number(env.Server__DrainDelay) > container.readinessProbe.periodSeconds * 2)
    for (const { envFrom } of [container, job.spec.containers[0]]) {
      assert.equal(envFrom[0].secretRef.name, kind('Secret').metadata.name)
    }
    assert.deepEqual(Object.keys(kind('Secret').stringData).sort(), Object.keys(secrets).sort())
    const comments = files.flatMap((file) => [...read(file).matchAll(/#.*$/gm)].map(([comment]) => comment))
    const named = comments.flatMap((comment) => comment.match(/\b[A-Z]\w+(?::[A-Z]\w+)+|\b[A-Z]\w+__\w+/g) ?? [])
    assert.ok(named.length >= 5)
    const known = (name: string) => Object.keys(settingsTable).some((each) => `${each}:`.startsWith(`${name}:`))
    const written = named.map((name) => name.replaceAll('__', ':'))
    // Each provider has a name of its own below OAuth:External.
    assertNone(written.filter((name) => name !== 'OAuth:External' && !known(name)))
  })

  it('upgrade without a pod less, and let maintenance take one at a time', () => {
    const { strategy, replicas, minReadySeconds, progressDeadlineSeconds } = kind('Deployment').spec
    assert.deepEqual(strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
    assert.ok(minReadySeconds > 0)
    const { periodSeconds, failureThreshold } = container.startupProbe
    assert.ok(progressDeadlineSeconds > periodSeconds * failureThreshold)
    assert.equal(kind('PodDisruptionBudget').spec.maxUnavailable, 1)
    assert.ok(replicas > 1)
    const { minReplicas, maxReplicas, scaleTargetRef } = kind('HorizontalPodAutoscaler').spec
    assert.equal(minReplicas, replicas)
    assert.equal(scaleTargetRef.name, kind('Deployment').metadata.name)
    // PostgreSQL keeps three of its hundred connections for its administrators.
    assert.ok((maxReplicas + strategy.rollingUpdate.maxSurge) * 11 <= 97)
  })

  it('migrate beforehand with a command that exists, as often as it takes', () => {
    assert.equal(job.spec.restartPolicy, 'OnFailure')
    const [migrate] = job.spec.containers
    const { status, stdout } = spawnSync('bin/latchkey', [...migrate.args, '--help'], { cwd: root, encoding: 'utf8' })
    assert.equal(status, 0)
    assert.match(stdout, /Usage: latchkey db migrate/)
  })

  it('let out what the service is configured to talk to', () => {
    const rules: Manifest[] = kind('NetworkPolicy').spec.egress
    const open = (protocol: string, port: number): Manifest[] =>
      rules.filter(({ ports }) => ports.some((each: Manifest) => each.protocol === protocol && each.port === port))
    for (const protocol of ['UDP', 'TCP']) assert.equal(open(protocol, 53).length, 1, `DNS by ${protocol}`)
    const database = new URL(kind('Secret').stringData.Database__Url)
    const [toDatabase] = open('TCP', Number(database.port || 5432))
    assert.deepEqual(toDatabase.to[0].podSelector.matchLabels, { 'app.kubernetes.io/name': database.hostname })
    const [toProviders] = open('TCP', 443)
    const providers: Manifest[] = toProviders.to.map(({ ipBlock }: Manifest) => ipBlock)
    assert.deepEqual(providers.map(({ cidr }) => cidr).sort(), ['0.0.0.0/0', '::/0'])
    // Nothing private, and not where clouds hand out their credentials.
    assert.ok(providers[0].except.includes('169.254.0.0/16') && providers[0].except.includes('10.0.0.0/8'))
    for (const port of [587, 465]) assert.deepEqual(open('TCP', port)[0].to, toProviders.to, `mail at ${port}`)
    const [, collector = ''] = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+?)[`\s]/.exec(read('docs/operating.md')) ?? []
    const [toCollector] = open('TCP', Number(new URL(collector).port))
    const scraper = kind('NetworkPolicy').spec.ingress[1].from[0].namespaceSelector
    assert.deepEqual(toCollector.to, [{ namespaceSelector: scraper }])
    assert.equal(rules.length, 5)
  })

  it('take every privilege away, as the restricted profile of Kubernetes demands', () => {
    assert.equal(kind('Namespace').metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted')
    for (const pod of [template.spec, job.spec]) {
      assert.equal(pod.automountServiceAccountToken, false)
      assert.equal(pod.enableServiceLinks, false)
      assert.equal(pod.serviceAccountName, kind('ServiceAccount').metadata.name)
      assert.equal(pod.securityContext.runAsNonRoot, true)
      assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' })
      for (const shared of ['hostNetwork', 'hostPID', 'hostIPC', 'hostAliases']) assert.ok(!(shared in pod), shared)
      const [{ securityContext, resources }] = pod.containers
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory)
      assert.equal(pod.containers.length, 1)
    }
    assert.equal(kind('ServiceAccount').automountServiceAccountToken, false)
  })

  it('run the image as it is: its version, its account, its port, and a place wherever it writes', () => {
    assert.equal(container.image, `latchkey:${version}`)
    const { rest: account } = lastStage().find(({ name }) => name === 'USER') ?? {}
    const { rest: port } = lastStage().find(({ name }) => name === 'EXPOSE') ?? {}
    assert.ok(container.ports.some((each: Manifest) => each.name === 'http' && String(each.containerPort) === port))
    for (const pod of [template.spec, job.spec]) {
      const { runAsUser, runAsGroup } = pod.securityContext
      assert.equal(`${runAsUser}:${runAsGroup}`, account)
      const mounts: Manifest[] = pod.containers[0].volumeMounts
      assert.deepEqual(mounts.map(({ mountPath }) => mountPath).sort(), written)
      assert.ok(mounts.every((mount) => mount.readOnly !== true))
      const volumes: Manifest[] = pod.volumes
      assert.deepEqual(volumes.map(({ name }) => name).sort(), mounts.map(({ name }) => name).sort())
      assert.ok(volumes.every(({ emptyDir }) => emptyDir !== undefined))
    }
  })
})

describe('the systemd unit', () => {
  const unit = read('deploy/latchkey.service')
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value)

  it('starts, reloads and ends the service as it is meant to be', () => {
    assert.deepEqual(
      [...unit.matchAll(/^\[(.+)\]$/gm)].map(([, section]) => section),
      ['Unit', 'Service', 'Install'],
    )
    assert.match(values('ExecStart')[0] ?? '', /\/latchkey\/bin\/latchkey serve --config \S+$/)
    assert.deepEqual(values('ExecReload'), ['/bin/kill -HUP $MAINPID'])
    assert.ok(Number(values('TimeoutStopSec')[0]) > 10)
  })

  it('tries again for as long as the database is away, in pauses that grow', () => {
    const [unitSection = '', serviceSection = ''] = unit.split(/^\[Service\]$/m)
    assert.match(unitSection, /^StartLimitIntervalSec=0$/m)
    assert.match(serviceSection, /^Restart=on-failure$/m)
    const [first, steps, longest] = ['RestartSec', 'RestartSteps', 'RestartMaxDelaySec'].map((name) => {
      const [value, ...others] = values(name)
      assert.deepEqual(others, [])
      return Number(value)
    })
    assert.deepEqual({ first, steps, longest }, { first: 1, steps: 6, longest: 60 })
    // The start of the unit is over when the program runs: a migration, or a wait for the database, is not cut short.
    assert.deepEqual(values('Type'), ['exec'])
    assert.deepEqual(values('TimeoutStartSec'), [])
  })

  it('lets the service write where it works and caches, and nowhere else', () => {
    assert.deepEqual(values('WorkingDirectory'), [`/var/lib/${values('StateDirectory')[0]}`])
    assert.deepEqual(values('Environment'), [`NODE_COMPILE_CACHE=/var/cache/${values('CacheDirectory')[0]}`])
    assert.deepEqual(values('ReadWritePaths'), [])
    assert.deepEqual(values('PrivateTmp'), ['yes'])
  })

  it('takes every privilege away that the service does not need', () => {
    for (const [name, value] of [
      ['DynamicUser', 'yes'],
      ['NoNewPrivileges', 'yes'],
      ['CapabilityBoundingSet', ''],
      ['ProtectSystem', 'strict'],
      ['ProtectHome', 'yes'],
      ['PrivateDevices', 'yes'],
    ] as const) {
      assert.deepEqual(values(name), [value], name)
    }
  })

  it('has nothing to complain about for systemd, where there is one', (t) => {
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', 'deploy/latchkey.service'], {
      encoding: 'utf8',
    })
    if (error !== undefined) return t.diagnostic('there is no systemd here')
    const [, version = '0'] =
      /^systemd (\d+)/.exec(spawnSync('systemctl', ['--version'], { encoding: 'utf8' }).stdout) ?? []
    // That the program is not installed here is no fault of the unit, nor is an older systemd.
    const faultless = [
      /is not executable|No such file/,
      ...(Number(version) < 254 ? [/Unknown key (?:name )?'Restart(?:Steps|MaxDelaySec)'/] : []),
    ]
    const complaints = stderr.split('\n').filter((line) => line !== '' && !faultless.some((known) => known.test(line)))
    assert.deepEqual(complaints, [])
    t.diagnostic(`systemd ${version} ended with ${status}`)
  })
})
