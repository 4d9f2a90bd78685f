import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { generated, staleDocuments } from '../../scripts/generate-docs.ts'
import { settingLanguages } from '../../scripts/setting-messages.ts'
import { auditKinds } from '../../src/audit/kinds.ts'
import { refusals } from '../../src/protocol/refusals/index.ts'
import { settingsTable } from '../../src/settings/table.ts'
import { assertNone } from '../support/values.ts'
import { filesBelow, read, root } from './sources.ts'

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...filesBelow('docs', ['.md']),
  ...filesBelow('examples', ['.md']),
  ...filesBelow('test/requirements', ['.yaml']),
]

/** Targets of links and pictures that point into the project or into the same page: no address. */
function relativeLinks(text: string): string[] {
  const withoutCode = text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '')
  return [...withoutCode.matchAll(/\]\(([^)\s]+)[^)]*\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** Anchors as they are made from headings: lower case, spaces to hyphens, everything else gone. */
function anchors(text: string): Set<string> {
  const headings = [...text.replaceAll(/```.*?```/gs, '').matchAll(/^#+ (.+)$/gm)]
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

describe('the documents', () => {
  it('link only to what exists', (context) => {
    const links = documents.flatMap((document) => relativeLinks(read(document)).map((link) => ({ document, link })))
    context.diagnostic(`${documents.length} documents, ${links.length} links`)
    assert.ok(documents.length >= 12, `only ${documents.length} documents were found`)
    assert.ok(links.length >= 20, `only ${links.length} links were found`)
    const broken = links.filter(({ document, link }) => {
      const [path = '', anchor] = link.split('#')
      // Links of the catalogues of requirements are relative to the project's folder.
      const target = path === '' ? document : join(document.endsWith('.yaml') ? '' : dirname(document), path)
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && target.endsWith('.md') && !anchors(read(target)).has(anchor.toLowerCase())
    })
    assert.deepEqual(broken, [])
  })

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = documents.flatMap((document) =>
      [...read(document).matchAll(/\bnpm (?:run ([a-z:-]+)|(start|test)\b)/g)].map(
        ([, script, short]) => script ?? short ?? '',
      ),
    )
    assert.ok(named.length >= 8, `only ${named.length} mentions were found`)
    assertNone(named.filter((script) => !(script in scripts)))
  })

  it('name only settings, numbers of refusals and metrics that exist', () => {
    const texts = documents
      .filter((document) => /^(?:docs\/(?:[\w-]+\/)?[\w-]+|README|CONTRIBUTING|SECURITY)\.md$/.test(document))
      .map((document) => ({ document, text: read(document) }))
    const named = (pattern: RegExp) =>
      texts.flatMap(({ document, text }) => [...text.matchAll(pattern)].map(([found]) => ({ document, found })))
    const missing = (pattern: RegExp, least: number, exists: (found: string) => boolean) => {
      const found = named(pattern)
      assert.ok(found.length >= least, `only ${found.length} mentions of ${pattern} were found`)
      assertNone(found.filter((one) => !exists(one.found)))
    }
    const settings = Object.keys(settingsTable)
    const groups = new Set(settings.map((name) => name.split(':')[0] ?? ''))
    const group = [...groups].join('|')
    const isSetting = (name: string): boolean =>
      name.startsWith('OAuth:External') || settings.some((one) => one === name || one.startsWith(`${name}:`))
    missing(new RegExp(`\\b(?:${group})(?::[A-Z]\\w+)+`, 'g'), 200, isSetting)
    missing(new RegExp(`\\b(?:${group})(?:__[A-Z][A-Za-z]+)+`, 'g'), 20, (name) =>
      isSetting(name.replaceAll('__', ':')),
    )
    const numbers = new Set(Object.values(refusals).map(({ id }) => id))
    missing(/\bID\d{4}\b/g, 100, (id) => (numbers as ReadonlySet<string>).has(id))
    const metrics = read('src/telemetry/prometheus.ts')
    missing(/\blatchkey_[a-z_]+(?=[`{ ])/g, 15, (metric) => metrics.includes(metric.replace(/^latchkey_|_total$/g, '')))
  })

  it('list every cookie of the service, every kind of audit entry, and every change of one', () => {
    const cookies = /type CookieName =(.*?)\n\n/s.exec(read('src/http/cookies.ts'))?.[1] ?? ''
    const bases = new Set([...cookies.matchAll(/['`](\w+)/g)].map(([, name = '']) => name))
    const changes = filesBelow('src', ['.ts']).flatMap((file) =>
      [...read(file).matchAll(/\bchange: '(\w+)'/g)].map(([, change = '']) => change),
    )
    assert.ok(bases.size > 5 && changes.length > 15)
    const limits = read('docs/limits.md')
    assertNone([...bases].filter((name) => !limits.includes(`\`latchkey.${name}`)))
    const audit = read('docs/audit-events.md')
    const events = [...Object.keys(auditKinds), ...changes]
    assert.ok(events.includes('sign_in'))
    assertNone(events.filter((name) => !audit.includes(`\`${name}\``)))
  })

  it('that are generated say what the sources say (npm run generate) [C4.12]', async () => {
    assert.equal(generated.size, 10 + 11 + 1 + settingLanguages().length)
    assert.deepEqual(await staleDocuments(), [])
  })
})
