import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertNone } from '../support/values.ts'
import { filesBelow, type Import, importsOf, membersOf } from './sources.ts'

type Rule = {
  /** Areas whose code it may run; itself always. */
  readonly runs: readonly string[]
  /** Areas of which it may know the types besides. */
  readonly knows: readonly string[]
}

const rules: ReadonlySet<string> = new Set(['protocol', 'users'])

const nothing: Rule = { runs: [], knows: [] }

/** Endpoints may share a check with one another: the pages of the account ask what `connect/` would decide. */
const endpoint: Rule = {
  runs: [
    'refusal',
    'protocol',
    'users',
    'tokens',
    'secrets',
    'audit',
    'http',
    'browser',
    'connect',
    'port',
    'mail',
    'on-demand',
    'patterns',
  ],
  knows: ['service', 'telemetry', 'problem'],
}

/**
 * Who may import whom (CONTRIBUTING.md), from the bottom up. An area is a folder of src/ or a file directly in it; `port`
 * stands for what the outside has to give. No area has a way back to one that has a way to it, but for the types that
 * `knows` names.
 */
const directions: Readonly<Record<string, Rule>> = {
  proof: nothing,
  refusal: nothing,
  finding: nothing,
  problem: { runs: ['refusal'], knows: [] },
  text: nothing,
  message: nothing,
  semaphore: nothing,
  'fair-queue': nothing,
  thread: nothing,
  tick: nothing,
  'on-demand': nothing,
  // Patterns that an operator gives, with the engine that runs them.
  patterns: { runs: ['on-demand'], knows: [] },
  package: nothing,
  stack: nothing,
  // Names and types of fields, which rules of both kinds, and pages, need.
  'person-fields': nothing,
  protocol: { runs: ['problem', 'refusal', 'person-fields'], knows: ['proof'] },
  users: { runs: ['problem', 'refusal', 'person-fields'], knows: ['proof'] },
  // Which hosts are this machine is a rule.
  settings: { runs: ['protocol'], knows: [] },
  // Settings come before the record that is stored.
  branding: { runs: ['protocol', 'settings'], knows: ['port'] },
  // What files declare, compared with what is stored; commands read the files and commit the changes.
  configuration: { runs: ['protocol', 'users', 'person-fields', 'problem', 'refusal'], knows: ['port', 'audit'] },
  // What the trail is made of and how it is proven; it is stored like everything else.
  audit: { runs: ['protocol', 'users', 'problem'], knows: ['port', 'keys', 'mail'] },
  port: { runs: [], knows: ['protocol', 'users', 'audit', 'mail'] },
  // What a mail says; it is sealed with secrets of the key ring.
  mail: {
    runs: ['protocol', 'users', 'secrets', 'http', 'message', 'package'],
    knows: ['keys', 'settings', 'audit', 'port'],
  },
  // Cookies are signed and sealed with secrets of the key ring.
  secrets: { runs: ['semaphore', 'thread', 'outbound'], knows: ['keys'] },
  // The master key is read from its file under the same rule as from a setting.
  keys: { runs: ['protocol', 'secrets', 'settings', 'audit'], knows: ['port'] },
  tokens: { runs: ['protocol', 'secrets'], knows: ['keys', 'settings', 'port', 'outbound'] },
  outbound: { runs: ['protocol', 'fair-queue'], knows: ['settings'] },
  // Keys of providers are used under the rule for those of clients, and the key ring has those for authenticating there.
  providers: { runs: ['protocol', 'keys', 'port'], knows: ['settings', 'outbound'] },
  storage: {
    runs: ['protocol', 'users', 'port', 'audit', 'semaphore', 'thread', 'tick'],
    knows: ['settings', 'telemetry', 'mail'],
  },
  // Knows the outside of what it watches, and nothing of what that does. Its listener has the bounds of the kernel.
  telemetry: { runs: ['http'], knows: ['port'] },
  http: { runs: ['protocol', 'tick', 'fair-queue'], knows: [] },
  browser: { runs: ['protocol', 'users', 'secrets', 'audit', 'http'], knows: ['keys', 'settings', 'port'] },
  site: { runs: ['protocol', 'http', 'refusal', 'message'], knows: ['service'] },
  connect: endpoint,
  account: endpoint,
  api: endpoint,
  // Its schemas describe records, and the problems of rules are part of its answers.
  admin: {
    runs: [...endpoint.runs, 'account', 'keys', 'settings', 'person-fields'],
    knows: [...endpoint.knows, 'problem'],
  },
  service: {
    runs: [],
    knows: [
      'browser',
      'http',
      'site',
      'keys',
      'outbound',
      'providers',
      'secrets',
      'settings',
      'port',
      'telemetry',
      'tokens',
      'mail',
      'finding',
      'branding',
    ],
  },
  'alias-routes': { runs: ['connect', 'http', 'protocol', 'lazy-route'], knows: ['service'] },
  'lazy-route': { runs: ['on-demand'], knows: ['http'] },
  routes: {
    runs: ['connect', 'account', 'api', 'admin', 'site', 'lazy-route', 'alias-routes'],
    knows: ['service', 'http'],
  },
  app: {
    runs: [
      ...['routes', 'http', 'browser', 'site', 'protocol', 'audit', 'tokens', 'secrets', 'providers', 'settings'],
      ...['telemetry', 'port', 'package', 'outbound', 'on-demand', 'mail', 'branding'],
    ],
    knows: ['service', 'keys', 'finding'],
  },
  server: {
    runs: [
      ...[
        'semaphore',
        'finding',
        'refusal',
        'app',
        'http',
        'users',
        'protocol',
        'audit',
        'tokens',
        'secrets',
        'keys',
        'outbound',
        'providers',
        'mail',
        'settings',
        'storage',
        'port',
        'telemetry',
        'branding',
      ],
      ...['package', 'stack', 'text'],
    ],
    knows: ['problem'],
  },
  // Reads files of other systems; the rules and the storage are those of everything else.
  import: {
    runs: ['protocol', 'users', 'person-fields', 'secrets', 'problem', 'refusal', 'audit'],
    knows: ['keys', 'port'],
  },
  cli: {
    runs: [
      ...[
        'finding',
        'server',
        'import',
        'protocol',
        'users',
        'person-fields',
        'audit',
        'secrets',
        'keys',
        // Metadata of providers are read on the way that the settings say.
        'outbound',
        'providers',
        'mail',
        'settings',
        'storage',
        'port',
        'problem',
        'refusal',
        'configuration',
        'branding',
      ],
      ...['package', 'text', 'patterns'],
    ],
    knows: [],
  },
  main: { runs: ['cli', 'server', 'text', 'stack', 'secrets'], knows: [] },
}

/** Packages that belong to one place, so that they can be replaced in one place. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  kysely: ['storage'],
  'kysely-postgres-js': ['storage'],
  postgres: ['storage'],
  nodemailer: ['server'],
  'node:sqlite': ['storage', 'import'],
  cookie: ['http'],
  'node:http': ['http', 'telemetry', 'outbound'],
  // What the kept release runs on (test/durability/previous-release.long.test.ts); nothing here does.
  fastify: [],
  '@fastify/cookie': [],
  '@fastify/cors': [],
  'ipaddr.js': ['http', 'outbound'],
  bcryptjs: ['secrets'],
  jose: ['tokens', 'keys', 'secrets', 'audit', 'providers'],
  'openid-client': ['providers'],
  commander: ['cli', 'main'],
  yaml: ['configuration'],
  re2js: ['patterns'],
  'prom-client': ['telemetry'],
  '@opentelemetry/api': ['telemetry'],
  '@opentelemetry/context-async-hooks': ['telemetry'],
  '@opentelemetry/core': ['telemetry'],
  '@opentelemetry/exporter-trace-otlp-http': ['telemetry'],
  '@opentelemetry/resources': ['telemetry'],
  '@opentelemetry/sdk-trace-base': ['telemetry'],
}

/**
 * The one way from outside of storage to its verbs: the type of what runs them. The outside knows the port alone, whose file
 * passes the type on.
 */
const derived = { from: 'src/storage/port/storage.ts', to: 'src/storage/sql/storage.ts' }

/** What the outside has to give, without any of it: types, limits, and the errors that every adapter throws. */
const isPort = (path: string): boolean => path.startsWith('src/storage/port/') || path === 'src/providers/provider.ts'

function areaOf(path: string): string {
  if (isPort(path)) return 'port'
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}

function violation({ from, specifier, to, typeOnly }: Import): string | undefined {
  const area = areaOf(from)
  if (to === undefined) {
    const homes = packageHomes[specifier]
    if (homes && !homes.includes(area)) return `${from} imports ${specifier}, which belongs to ${homes.join(', ')}`
    // Rules touch nothing outside themselves; a hash is a calculation.
    if (rules.has(area) && specifier !== 'node:crypto') return `${from} imports ${specifier}, but rules are pure`
    return undefined
  }
  if (!to.startsWith('src/')) return `${from} imports ${to}, which is no part of the product`
  const target = areaOf(to)
  const rule = directions[area]
  if (!rule) return `${from} is in an area without a rule; add one to ${import.meta.filename}`
  const allowed = target === area || rule.runs.includes(target) || (typeOnly && rule.knows.includes(target))
  if (allowed || (typeOnly && from === derived.from && to === derived.to)) return undefined
  return `${from} imports ${typeOnly ? 'a type of ' : ''}${to}, but ${area} may not depend on ${target}`
}

/** Groups of files that import one another, directly or through others, each sorted (Tarjan's strongly connected components). */
function circlesIn(all: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of all) {
    if (to !== undefined) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  }
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const at = order.size
    order.set(file, at)
    lowest.set(file, at)
    open.push(file)
    for (const target of targets.get(file) ?? []) {
      const reached = order.has(target) ? (open.includes(target) ? order.get(target) : undefined) : visit(target)
      lowest.set(file, Math.min(lowest.get(file) ?? at, reached ?? at))
    }
    if (lowest.get(file) === at) {
      const group = open.splice(open.indexOf(file))
      if (group.length > 1 || targets.get(file)?.has(file)) circles.push(group.sort())
    }
    return lowest.get(file) ?? at
  }
  for (const file of targets.keys()) if (!order.has(file)) visit(file)
  return circles
}

const files = filesBelow('src', ['.ts'])
const imports = files.flatMap((file) => importsOf(file))

describe('import directions', () => {
  it('are kept by every import of every source file', (context) => {
    context.diagnostic(`${files.length} files, ${imports.length} imports`)
    assert.ok(files.length >= 50, `only ${files.length} source files were found`)
    assert.ok(imports.length >= 200, `only ${imports.length} imports were found`)
    assert.deepEqual(imports.map(violation).filter(Boolean), [])
  })

  it('notice a rule that reads the database, an endpoint that opens one, SQL outside storage, and arrows that run up', () => {
    const found = [
      ...importsOf(
        'src/protocol/authorization-request/pkce.ts',
        `import type { Storage } from '../../storage/port/storage.ts'`,
      ),
      ...importsOf('src/users/lockout.ts', `export { readFile } from 'node:fs/promises'`),
      ...importsOf('src/connect/token.ts', `const storage = await import('../storage/sqlite/engine.ts')`),
      ...importsOf('src/account/login.ts', `type Database = import('kysely').Kysely<never>`),
      ...importsOf('src/http/answers.ts', `import type { Service } from '../service.ts'`),
      ...importsOf('src/http/kernel.ts', `import type { Metrics } from '../telemetry/metrics.ts'`),
      ...importsOf('src/app.ts', `import { openStorage } from './storage/open.ts'`),
      ...importsOf(derived.from, `export { sqlStorage } from '../sql/storage.ts'`),
      ...importsOf(derived.from, `export type { sqlGrants } from '../sql/grants.ts'`),
      ...importsOf('src/storage/port/grants.ts', `import type { Storage } from '../sql/storage.ts'`),
      ...importsOf('src/tokens/mint.ts', `import type { Storage } from '../storage/sql/storage.ts'`),
      ...importsOf('src/server/serve.ts', `import { table } from '../cli/text.ts'`),
      ...importsOf('src/cli/client.ts', `import { authorize } from '../connect/authorize.ts'`),
    ]
    assert.equal(found.length, 13)
    assertNone(found.filter((one) => violation(one) === undefined))
  })

  it('lead from the port to the verbs of storage at one place, and there to their type alone', () => {
    const opens = (area: string) => area === 'storage' || directions[area]?.runs.includes('storage')
    const others = imports.filter(({ from, to }) => to?.startsWith('src/storage/sql/') && !opens(areaOf(from)))
    assert.deepEqual(
      others.map(({ from, to, typeOnly }) => ({ from, to, typeOnly })),
      [{ ...derived, typeOnly: true }],
    )
  })

  for (const folder of ['src', 'pages', 'bench', 'scripts', 'examples']) {
    it(`form no circle of files in ${folder}, types included`, () => {
      const all = folder === 'src' ? imports : filesBelow(folder, ['.ts', '.tsx']).flatMap((file) => importsOf(file))
      assert.deepEqual(circlesIn(all), [])
    })
  }

  it('notice a circle of types, and one through several files', () => {
    const found = [
      ...importsOf('src/a.ts', `import type { B } from './b.ts'`),
      ...importsOf('src/b.ts', `export type { A } from './a.ts'`),
      ...importsOf('src/c.ts', `import { d } from './d.ts'\nimport { a } from './a.ts'`),
      ...importsOf('src/d.ts', `import './e.ts'`),
      ...importsOf('src/e.ts', `const c = await import('./c.ts')`),
      ...importsOf('src/f.ts', `import { a } from './a.ts'`),
    ]
    assert.deepEqual(circlesIn(found), [
      ['src/a.ts', 'src/b.ts'],
      ['src/c.ts', 'src/d.ts', 'src/e.ts'],
    ])
  })
})

describe('the world outside', () => {
  const members = files.map((file) => ({ file, members: membersOf(file) }))
  const places = (object: string, property: string): string[] =>
    members.flatMap(({ file, members: ones }) =>
      ones.filter((one) => one.object === object && one.property === property).map(({ line }) => `${file}:${line}`),
    )
  const outside = (found: readonly string[], allowed: RegExp) => found.filter((place) => !allowed.test(place))

  it('is asked for its environment by the settings alone', () => {
    const found = places('process', 'env')
    assert.ok(found.length > 0, 'the settings read the environment somewhere')
    assert.deepEqual(outside(found, /^src\/settings\//), [])
  })

  it('is asked for the time by the composition root and the commands alone', () => {
    const found = [...places('Date', 'now'), ...places('new', 'Date')]
    assert.ok(found.length > 0, 'somebody reads the clock')
    assert.deepEqual(outside(found, /^src\/(app\.ts|main\.ts|cli\/|server\/)/), [])
  })
})
