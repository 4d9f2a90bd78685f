/** Every template, registered where its library runs in development. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientTemplates } from '../../src/protocol/templates/index.ts'
import type { Setup } from '../../src/protocol/templates/template.ts'
import { workplace } from './run.ts'

type Shown = Readonly<Record<string, unknown>> & {
  readonly setup: Setup
}

describe('templates of clients', () => {
  it('register a client each, where its library runs in development, and print settings with its values', async (t) => {
    const place = workplace(t)
    for (const { id, takes, title } of clientTemplates) {
      const printed = (await place.json(`client add app-${id} --for ${id}`)) as Shown
      const { code, notes, environment } = printed.setup
      const text = [printed.setup.title, code, environment?.code, ...notes].join('\n')
      assert.ok(text.includes(`app-${id}`), `${title}: the client id`)
      assert.match(text, /http:\/\/localhost:\d+/, `${title}: the issuer`)
      if (typeof printed.client_secret === 'string') {
        assert.ok(text.includes(printed.client_secret) || takes === 'api')
        assert.ok(environment === undefined || !code.includes(printed.client_secret), title)
      }
      const [redirectUri = ''] = (printed.redirect_uris as string[] | undefined) ?? []
      const isNamed = ['react', 'vue', 'angular'].includes(id) || takes === 'scheme'
      if (isNamed) assert.ok(text.includes(redirectUri), `${title}: ${redirectUri}`)
      assert.doesNotMatch(text, /undefined|\[object/, title)
      assert.ok(
        code.split('\n').length <= 40 && notes.length > 0,
        `${title}: at most 40 lines, and a word about what else it needs`,
      )
    }
  })
})
