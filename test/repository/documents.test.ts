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
      const target = join(dirname(document), path)
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

  it('that are generated say what the sources say (npm run generate) [C4.12]', async () => {
    assert.equal(generated.size, 5)
    assert.deepEqual(await staleDocuments(), [])
  })
})
