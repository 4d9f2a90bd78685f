import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { generated, staleDocuments } from '../../scripts/generate-docs.ts'
import { filesBelow, read, root } from './sources.ts'

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...filesBelow('docs', ['.md']),
  ...filesBelow('examples', ['.md']),
  ...filesBelow('test/requirements', ['.yaml']),
]

/** Targets of links and pictures that point into the project: no address, no anchor of the same page. */
function relativeLinks(text: string): string[] {
  const withoutCode = text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '')
  return [...withoutCode.matchAll(/\]\(([^)\s]+)[^)]*\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^([a-z]+:|#)/.test(target))
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
      const target = join(document.endsWith('.yaml') ? '' : dirname(document), path)
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
    assert.deepEqual(
      named.filter((script) => !(script in scripts)),
      [],
    )
  })

  it('list every cookie of the service, every kind of audit entry, and every change of one', () => {
    const cookies = /type CookieName =(.*?)\n\n/s.exec(read('src/http/cookies.ts'))?.[1] ?? ''
    const bases = new Set([...cookies.matchAll(/['`](\w+)/g)].map(([, name = '']) => name))
    const kinds = /type AuditKind =(.*?)\n\n/s.exec(read('src/audit/entry.ts'))?.[1] ?? ''
    const changes = filesBelow('src', ['.ts']).flatMap((file) =>
      [...read(file).matchAll(/\bchange: '(\w+)'/g)].map(([, change = '']) => change),
    )
    assert.ok(bases.size > 5 && changes.length > 15)
    const limits = read('docs/limits.md')
    assert.deepEqual(
      [...bases].filter((name) => !limits.includes(`\`latchkey.${name}`)),
      [],
    )
    const audit = read('docs/audit.md')
    const events = [...[...kinds.matchAll(/'(\w+)'/g)].map(([, kind = '']) => kind), ...changes]
    assert.ok(events.includes('sign_in'))
    assert.deepEqual(
      events.filter((name) => !audit.includes(`\`${name}\``)),
      [],
    )
  })

  it('that are generated say what the sources say (npm run generate) [C4.12]', async () => {
    assert.equal(generated.size, 6 + 11)
    assert.deepEqual(await staleDocuments(), [])
  })
})
