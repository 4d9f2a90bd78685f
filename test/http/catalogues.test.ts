/** Every catalogue of texts has the same keys and places as the English one. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'

const folders = ['pages/texts', 'pages/account/texts', 'pages/console/texts']
const root = new URL('../../', import.meta.url)

/** By path, the names in braces of each text. Forms of a plural (`one`, `few`, `other` …) count as one text. */
function placesOf(texts: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof texts === 'string') return new Map([[path, [...texts.matchAll(/\{\w+\}/g)].map(String).sort().join(' ')]])
  const members = Object.entries(texts as object)
  const isPlural = members.length > 0 && members.every(([name]) => /^(?:zero|one|two|few|many|other)$/.test(name))
  if (isPlural) return placesOf(members.find(([name]) => name === 'other')?.[1] ?? '', path)
  return new Map(members.flatMap(([name, member]) => [...placesOf(member, `${path}.${name}`)]))
}

const sorted = (places: ReadonlyMap<string, string>) =>
  [...places].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, names]) => `${path} ${names}`)

for (const folder of folders) {
  const files = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.ts') && name !== 'index.ts')
  const read = async (name: string) => (await import(new URL(`${folder}/${name}`, root).href)).default

  describe(`the catalogues in ${folder}`, () => {
    it('are there', () => assert.ok(files.includes('en.ts') && files.includes('de.ts')))

    for (const name of files.filter((one) => one !== 'en.ts')) {
      it(`${name} has the texts and places of en.ts`, async () => {
        const english = placesOf(await read('en.ts'))
        assert.ok(english.size >= 5)
        assert.deepEqual(sorted(placesOf(await read(name))), sorted(english))
      })
    }
  })
}
