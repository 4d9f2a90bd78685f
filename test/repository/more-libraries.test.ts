/** What docs/more-libraries.md claims: programs that fit what the commands above them register, and none that was run. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { workplace } from '../cli/run.ts'
import { read } from './sources.ts'

const sections = read('docs/more-libraries.md').split(/^## /m).slice(1)
const blockOf = (section: string, language: string): string =>
  new RegExp(`^\`\`\`(?:${language})\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1] ?? assert.fail(section)

async function registered(t: TestContext, section: string) {
  const command = blockOf(section, 'sh').trim()
  assert.match(command, /^latchkey client add \w+ --for [\w-]+ /)
  const at = workplace(t)
  await at.json(command.replace('latchkey ', ''), { env: { OAuth__Issuer: 'https://id.example.com/' } })
  const [, id = ''] = /client add (\w+)/.exec(command) ?? []
  return (await at.withStorage(({ clients }) => clients.find(id))) ?? assert.fail(command)
}

describe('docs/more-libraries.md', () => {
  it('says of each library that it was not run, and which version it was written from', () => {
    assert.equal(sections.length, 6)
    for (const section of sections) {
      assert.match(section, /^Not run by the tests: it follows the documentation of \S.* \d[\d.]*\d?\b/m)
    }
  })

  for (const section of sections) {
    const [title = ''] = section.split('\n')
    it(`has a program of at most 40 lines with what its command registers: ${title}`, async (t) => {
      const code = blockOf(section, 'java|go|csharp')
      assert.ok(code.split('\n').length <= 41)
      const { id, redirectUris, scopes } = await registered(t, section)
      assert.ok(code.includes(`"${id}"`) || title.startsWith('An API'))
      assert.match(code, /"https:\/\/id\.example\.com\/(?:\.well-known\/openid-configuration)?"/)
      const asked = /"openid ([\w ]+)"/.exec(code)?.[1]?.split(' ') ?? []
      assert.deepEqual(
        asked.filter((scope) => !scopes.includes(scope)),
        [],
      )
      // Some programs join the address from the name of the client, or from the port that is free.
      const isNamed = (uri: string) => {
        const { origin, pathname } = new URL(uri)
        return (
          code.includes(uri) || (code.includes(origin) && code.includes('callback')) || code.includes(`"${pathname}"`)
        )
      }
      assert.deepEqual(
        redirectUris.filter((uri) => !isNamed(uri)),
        [],
      )
    })
  }
})
