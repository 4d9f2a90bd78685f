/**
 * The software bill of materials of a package: what it ships and what its installation brings, in the JSON format of
 * CycloneDX 1.6. Made from the lockfile alone, so that the same commit gives the same bill on every machine. `npm sbom`
 * leaves out what is built into the pages and the runtime that an install script fetches, and names the root
 * component after its folder.
 */
import { createHash } from 'node:crypto'
import { parseSync } from 'vite'
import { filesBelow, read } from '../test/repository/sources.ts'

/** An entry of `packages` in a lockfile of version 3. */
type Locked = {
  readonly name?: string
  readonly version: string
  readonly license?: string
  /** Subresource Integrity: `sha512-` and base64. */
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
type Lockfile = { readonly packages: Readonly<Record<string, Locked>> }

export type Component = {
  readonly type: 'application' | 'library' | 'platform'
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly scope?: 'required' | 'optional'
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses: readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[]
  readonly purl: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

export type BillOfMaterials = {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.6'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: {
    readonly timestamp: string
    readonly lifecycles: readonly { readonly phase: 'build' }[]
    readonly component: Component
  }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Where a component is in an installation: below `node_modules`, or part of the built files. */
const place = 'latchkey:place'

/** Packages whose data is part of a generated source. */
const generatedFrom: readonly string[] = ['unhomoglyph']

/** Returns the bill of this checkout. `archive`: the packed package, `at`: the time of its commit; both identify the bill. */
export function billOfMaterials({ archive, at }: { archive: Uint8Array; at: Date }): BillOfMaterials {
  const manifest = JSON.parse(read('package.json'))
  const { packages }: Lockfile = JSON.parse(read('package-lock.json'))
  const installed = Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true)
  const built = new Map<string, string>([
    ...packagesInPages().map((name) => [`node_modules/${name}`, 'dist/pages'] as const),
    ...generatedFrom.map((name) => [`node_modules/${name}`, 'dist/server'] as const),
  ])
  const locked = (path: string): Locked => {
    const found = packages[path]
    if (!found) throw new Error(`${path} is not in package-lock.json.`)
    return found
  }
  const places = (path: string): string[] => [
    ...(installed.includes(path) ? ['node_modules'] : []),
    ...(built.has(path) ? [built.get(path) ?? ''] : []),
  ]
  const runtime = runtimePackage()
  const product: Component = {
    type: 'application',
    ...identityOf(manifest.name, manifest.version),
    description: manifest.description,
    hashes: [{ alg: 'SHA-512', content: createHash('sha512').update(archive).digest('hex') }],
    licenses: [licenseOf(manifest)],
  }
  const components = [
    ...installed.map((path) => component(path, locked(path), places(path))),
    ...[...built.keys()]
      .filter((path) => !installed.includes(path))
      .map((path) => component(path, locked(path), places(path))),
    ...(runtime ? [runtime] : []),
  ].toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))
  const dependencies = new Map<string, readonly string[]>(
    installed.map((path) => [refOf(path, locked(path)), dependenciesOf(path, packages)]),
  )
  for (const path of built.keys()) dependencies.set(refOf(path, locked(path)), dependenciesOf(path, packages))
  const wrapper = refOf('node_modules/node', locked('node_modules/node'))
  if (runtime) {
    dependencies.set(wrapper, [...(dependencies.get(wrapper) ?? []), runtime['bom-ref']])
    dependencies.set(runtime['bom-ref'], [])
  }
  const direct = [...dependenciesOf('', packages), ...[...built.keys()].map((path) => refOf(path, locked(path)))]
  dependencies.set(product['bom-ref'], direct)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(archive)}`,
    version: 1,
    metadata: { timestamp: at.toISOString(), lifecycles: [{ phase: 'build' }], component: product },
    components,
    dependencies: [...dependencies]
      .map(([ref, dependsOn]) => ({ ref, dependsOn: [...new Set(dependsOn)].sort() }))
      .toSorted((one, other) => (one.ref < other.ref ? -1 : 1)),
  }
}

/** Packages that the sources of the pages import, and so become part of the built files. */
function packagesInPages(): string[] {
  const imported = filesBelow('pages', ['.ts', '.tsx']).flatMap((file) =>
    parseSync(file, read(file)).module.staticImports.flatMap(({ moduleRequest: { value }, entries }) =>
      /^[./#]/.test(value) || (entries.length > 0 && entries.every(({ isType }) => isType)) ? [] : [value],
    ),
  )
  return [...new Set(imported.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier))].sort()
}

/**
 * The package with the program of the runtime. The lockfile does not have it: an install script of the package
 * `node` fetches it for the platform that it runs on, and npm records it beside that package.
 */
function runtimePackage(): Component | undefined {
  const { packages }: Lockfile = JSON.parse(read('node_modules/node/node_modules/.package-lock.json'))
  const [path, entry] = Object.entries(packages).find(([name]) => /^node_modules\/node-(?!bin-setup$)/.test(name)) ?? []
  if (path === undefined || !entry) return undefined
  return { ...component(path, { ...entry, optional: true }, ['node_modules']), type: 'platform' }
}

function component(path: string, entry: Locked, places: readonly string[]): Component {
  return {
    type: 'library',
    ...identityOf(nameOf(path, entry), entry.version),
    scope: entry.optional ? 'optional' : 'required',
    hashes: [hashOf(path, entry)],
    licenses: [licenseOf(entry)],
    properties: places.map((value) => ({ name: place, value })),
  }
}

/** Group, name, version and Package URL, which has the `@` of a scope percent-encoded. */
function identityOf(name: string, version: string) {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { 'bom-ref': purl, ...(scope && { group: scope }), name: rest ?? name, version, purl }
}

const nameOf = (path: string, entry: Locked): string => entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)

const refOf = (path: string, entry: Locked): string => identityOf(nameOf(path, entry), entry.version)['bom-ref']

function hashOf(path: string, { integrity = '' }: Locked) {
  const [, digest] = /^sha512-([\w+/]+=*)$/.exec(integrity) ?? []
  if (digest === undefined) throw new Error(`${path} has no SHA-512 in package-lock.json.`)
  return { alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }
}

function licenseOf({ name, license }: { name?: string; license?: string }) {
  if (!license) throw new Error(`${name ?? 'A package'} names no licence.`)
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } }
}

/** What a package uses, where Node.js finds it: the nearest folder `node_modules` from the package upwards. */
function dependenciesOf(path: string, packages: Lockfile['packages']): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
      const found = packages[candidate]
      // A peer that only development brings is not there where the package is installed.
      if (found) return found.dev === true ? [] : [refOf(candidate, found)]
      if (folder === '') return []
    }
  })
}

/** A UUID of version 8 (RFC 9562 §5.8) from the SHA-256 of the package. */
function uuidOf(archive: Uint8Array): string {
  const hex = createHash('sha256').update(archive).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
