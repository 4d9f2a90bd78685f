/** Refusals in words: bounded, printable, and complete for every rule of the catalogue. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RefusalEntry } from '../../src/protocol/refusals/entry.ts'
import { explain, explainId, factsOf } from '../../src/protocol/refusals/explanation.ts'
import { describe as describeEntry, type RefusalReason, refusals, refuse } from '../../src/protocol/refusals/index.ts'
import { errorsReference } from '../../src/protocol/refusals/reference.ts'
import { boundDetail, printable } from '../../src/protocol/refusals/refusal-detail.ts'

const entries = Object.entries<RefusalEntry>(refusals) as [RefusalReason, RefusalEntry][]

describe('the catalogue of refusals', () => {
  it('says of every rule what happened, why, how to fix it, and where it comes from', () => {
    assert.ok(entries.length >= 70, `only ${entries.length} entries`)
    const reference = errorsReference()
    for (const [reason, { description, why, fix, source }] of entries) {
      for (const text of [description, why, fix]) assert.match(text, /^[^\s].{15,}[.]$/s, reason)
      assert.ok(source.length > 3, reason)
      for (const text of [why, fix, source]) assert.ok(reference.includes(text), reason)
      // RFC 6749 §5.2: error_description is printable ASCII without quotation mark and backslash.
      assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, reason)
    }
  })

  it('reads as sentences where no request names the parameter (ID2029, ID2030, ID2031)', () => {
    const named = entries.filter(([, { description }]) => description.includes('{name}'))
    assert.ok(named.length >= 6, `only ${named.length} descriptions name a parameter`)
    for (const [reason, entry] of named) {
      const text = describeEntry(entry)
      assert.doesNotMatch(text, /\{name\}|in question|\b[Tt]he that\b/, reason)
    }
    const said = (id: string) => explainId(id).map(({ what }) => what)
    assert.ok(said('ID2029').includes('The mandatory parameter that error_description names is missing.'))
    assert.deepEqual(said('ID2030'), ['The redirect_uri or post_logout_redirect_uri must be an absolute URI.'])
    assert.deepEqual(said('ID2031'), ['The redirect_uri or post_logout_redirect_uri must not include a fragment.'])
    assert.equal(
      explain('redirect_uri_fragment', { parameter: 'redirect_uri' })?.what.slice(0, 17),
      'The redirect_uri ',
    )
  })

  it('is found by rule and by number, and has nothing for what is unknown', () => {
    for (const [reason, { id }] of entries) {
      assert.equal(explain(reason)?.id, id)
      assert.ok(explainId(id).some((one) => one.rule === reason))
    }
    assert.equal(explain('toString'), undefined)
    assert.deepEqual(explainId('ID0000'), [])
  })
})

describe('the detail of a refusal', () => {
  it('holds 256 characters of a value, twelve values of a list, and says how many there were', () => {
    const { detail } = refuse('scope_unknown', 'scope', {
      requested: Array.from({ length: 40 }, (_, index) => `scope-${index}`),
      unregistered: ['x'.repeat(4000)],
    })
    const { requested, unregistered } = detail as Record<string, readonly string[]>
    assert.equal(requested?.length, 13)
    assert.equal(requested?.at(-1), '... and 28 more')
    assert.equal(unregistered?.[0], `${'x'.repeat(256)}... (4000 characters)`)
  })

  it('is printable: no control character, no mark that turns the direction of text', () => {
    assert.equal(
      printable('a\r\n\u001b[31m\u202eb\u0000é😀'),
      'a\\u{d}\\u{a}\\u{1b}[31m\\u{202e}b\\u{0}\\u{e9}\\u{1f600}',
    )
    assert.equal(printable('\ud800'), '\\u{d800}')
    assert.equal(printable('a value, as it stands: https://a.test/?b=c'), 'a value, as it stands: https://a.test/?b=c')
  })

  it('leaves out what is not there, and never takes the name of the parameter from a stranger as a pattern', () => {
    assert.deepEqual(boundDetail({ a: undefined, b: null, c: 0, d: false, e: '' }), { c: 0, d: false, e: '' })
    assert.match(refuse('parameter_missing', '$&').description, /parameter \$& is missing/)
  })

  it('reads as labels and values', () => {
    assert.deepEqual(
      factsOf({
        expiredSecondsAgo: 75,
        leewaySeconds: 30,
        issuedTo: 'demo',
        permitted: ['a', 'b'],
        granted: [],
        old: true,
      }),
      [
        ['expired', '75 seconds ago'],
        ['leeway', '30 seconds'],
        ['issued to', 'demo'],
        ['permitted', ['a', 'b']],
        ['granted', 'none'],
        ['old', 'yes'],
      ],
    )
  })
})
