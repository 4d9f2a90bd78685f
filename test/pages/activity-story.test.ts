/** What the page Activity says of entries, how it gathers them, and what it asks the API for. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Entry } from '../../pages/console/activity-entry.ts'
import { groupsOf } from '../../pages/console/activity-groups.ts'
import { spanOf } from '../../pages/console/activity-period.ts'
import { filtersOf, kindGroups, queryOf } from '../../pages/console/activity-query.ts'
import { sentenceOf } from '../../pages/console/activity-sentence.ts'
import { auditKinds } from '../../src/audit/kinds.ts'

let made = 0
function anEntry(more: Partial<Entry> = {}): Entry {
  made += 1
  return {
    ...{ at: '2030-01-31T12:00:00.000Z', writer: 'a', seq: made, kind: 'sign_in', user_id: 'u1', client_id: null },
    ...{ trace_id: null, address: '192.0.2.1', details: {}, hash: `h${made}` },
    ...more,
  }
}
const user = (id: string) => ({ kind: 'user', id })
const client = (id: string) => ({ kind: 'client', id })
const byRoot = { actor: 'root', actor_kind: 'user' }

describe('the sentence of an entry', () => {
  const said = (more: Partial<Entry>) => {
    const { key, who, whom, what } = sentenceOf(anEntry(more))
    return [key, who, whom, what]
  }

  it('names who did what to whom: the person alone, an operator, a command, the service, or nobody in particular', () => {
    const somebody = { kind: 'somebody' }
    assert.deepEqual(said({ client_id: 'demo' }), ['sign_in_to', user('u1'), user('u1'), client('demo')])
    assert.deepEqual(said({})[0], 'sign_in')
    assert.deepEqual(said({ kind: 'user_changed', details: { ...byRoot, change: 'locked' } }).slice(0, 3), [
      'locked',
      user('root'),
      user('u1'),
    ])
    assert.deepEqual(said({ kind: 'user_changed', details: { change: 'totp_on' } }).slice(0, 2), [
      'totp_on',
      user('u1'),
    ])
    const command = { kind: 'role_added', user_id: null, details: { actor: 'ops', name: 'editor' } }
    assert.deepEqual(said(command), [
      'role_added',
      { kind: 'text', text: 'ops' },
      somebody,
      { kind: 'text', text: 'editor' },
    ])
    const rotated = said({ kind: 'keys_rotated', user_id: null, details: { actor: 'service' } })
    assert.deepEqual(rotated.slice(0, 2), ['keys_rotated', { kind: 'service' }])
    assert.deepEqual(said({ kind: 'sign_in_failed', user_id: null })[1], somebody)
  })

  it('tells apart who acted for whom: an application alone or for a person, and a person from an operator', () => {
    const tokens = { kind: 'tokens_issued', client_id: 'demo' }
    assert.deepEqual(said(tokens), ['tokens_issued', user('u1'), user('u1'), client('demo')])
    assert.equal(said({ ...tokens, user_id: null })[0], 'tokens_issued_alone')
    assert.equal(said({ kind: 'passkey_removed' })[0], 'passkey_removed')
    assert.equal(said({ kind: 'passkey_removed', details: byRoot })[0], 'user_changed')
    assert.equal(said({ kind: 'client_changed', user_id: null, client_id: 'demo' })[0], 'client_changed_alone')
    assert.equal(said({ kind: 'client_changed', client_id: 'demo', details: byRoot })[0], 'client_changed')
    assert.equal(said({ kind: 'user_deleted' })[0], 'own_deleted')
    const untold = { kind: 'logout_notice', client_id: 'demo', details: { actor: 'service', outcome: 'given_up' } }
    assert.deepEqual(said(untold).slice(0, 2), ['logout_notice_failed', user('u1')])
    assert.equal(said({ kind: 'confirmation_asked', user_id: null, details: byRoot })[0], 'invited')
  })

  it('is there for every kind, and for one that the console does not know', () => {
    const texts = readFileSync(new URL('../../messages/messages.pot', import.meta.url), 'utf8')
    for (const kind of Object.keys(auditKinds)) {
      for (const details of [{}, byRoot]) {
        const [key] = said({ kind, client_id: 'demo', details })
        assert.notEqual(key, 'other', kind)
        assert.match(texts, new RegExp(`#: .*console\\.activity\\.story\\.${key}\\b`), kind)
      }
    }
    assert.equal(said({ kind: 'of_another_version' })[0], 'other')
  })
})

describe('rows of what repeats', () => {
  const at = (minute: number) => new Date(Date.UTC(2030, 0, 31, 12, minute)).toISOString()
  const dayOf = (iso: string) => iso.slice(0, 10)
  const sizes = (entries: readonly Entry[]) => groupsOf(entries, dayOf).map((group) => group.entries.length)

  it('gather the same person, kind, target and place, close together, whatever stands between them', () => {
    const signIns = [50, 40, 15].map((minute) => anEntry({ at: at(minute), client_id: 'demo' }))
    const between = anEntry({ at: at(45), kind: 'tokens_issued', client_id: 'demo' })
    assert.deepEqual(sizes([signIns[0], between, signIns[1], signIns[2]] as Entry[]), [3, 1])
  })

  it('keep apart what differs, what is half an hour apart, and days', () => {
    const one = anEntry({ at: at(50) })
    for (const more of [
      { user_id: 'u2' },
      { client_id: 'demo' },
      { address: '192.0.2.2' },
      { kind: 'sign_out' },
      { details: { reason: 'locked' } },
      { at: at(19) },
    ]) {
      assert.deepEqual(sizes([one, anEntry({ at: at(49), ...more })]), [1, 1], JSON.stringify(more))
    }
    const midnight = ['2030-02-01T00:05:00.000Z', '2030-01-31T23:59:00.000Z'].map((iso) => anEntry({ at: iso }))
    assert.deepEqual(sizes(midnight), [1, 1])
  })

  it('keep their name while newer entries join', () => {
    const older = [anEntry({ at: at(2) }), anEntry({ at: at(1) })]
    const [before] = groupsOf(older, dayOf)
    const [after] = groupsOf([anEntry({ at: at(3) }), ...older], dayOf)
    assert.equal(after?.id, before?.id)
    assert.equal(after?.entries.length, 3)
  })
})

describe('the filters of the page', () => {
  const now = new Date(2030, 2, 1, 15, 30)
  const asked = (text: string) => queryOf(filtersOf(new URLSearchParams(text)), now)

  it('have times by name: whole days, and the month before, where the visitor is', () => {
    const day = (...of: [number, number, number]) => new Date(...of).toISOString()
    assert.deepEqual(spanOf('today', now), { since: day(2030, 2, 1), until: '' })
    assert.deepEqual(spanOf('yesterday', now), {
      since: day(2030, 1, 28),
      until: new Date(new Date(2030, 2, 1).getTime() - 1).toISOString(),
    })
    assert.equal(spanOf('week', now).since, day(2030, 1, 23))
    assert.equal(spanOf('month', now).since, day(2030, 1, 1))
    assert.equal(spanOf('month', new Date(2030, 0, 31)).since, day(2029, 11, 1))
    assert.equal(asked('when=yesterday&since=x').since, day(2030, 1, 28))
    assert.equal(asked('when=tomorrow&since=2030-01-01T00:00:00Z').since, '2030-01-01T00:00:00Z')
  })

  it('leave out the console unless it is asked for, by its chip, an application or a trace', () => {
    assert.equal(asked('').exclude_client_id, 'latchkey-console')
    for (const query of ['console=true', 'client_id=demo', 'trace_id=ab']) {
      assert.equal(asked(query).exclude_client_id, '', query)
    }
  })

  it('join groups of kinds with a kind, pass over unknown groups, and every kind is in a group', () => {
    assert.equal(asked('').kind, undefined)
    assert.deepEqual(asked('kind=data_exported&group=roles,nonsense').kind, ['data_exported', ...kindGroups.roles])
    const grouped = new Set<string>(Object.values(kindGroups).flat())
    assert.deepEqual(
      Object.keys(auditKinds).filter((kind) => !grouped.has(kind)),
      [],
    )
  })
})
