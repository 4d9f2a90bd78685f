/** The words of the search for people in the console, and the lines of its file. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  boundsOf,
  completed,
  noFilters,
  peopleWords,
  readWords,
  suggestionsFor,
  writeWords,
} from '../../pages/console/people-words.ts'

const dayMs = 86_400_000

describe('the words of the search for people', () => {
  it('are filters where they have a colon, and a search otherwise', () => {
    const { filters, unknown } = readWords('Ada is:locked role:editor no:factor LoV last:>90d created:<7d group:/staff')
    assert.deepEqual(unknown, [])
    assert.deepEqual(filters, {
      ...noFilters,
      search: 'Ada LoV',
      locked: 'true',
      role: 'editor',
      second_factor: 'false',
      last: '>90d',
      created: '<7d',
      group: '/staff',
    })
  })

  it('have values with spaces in quotes, whatever their case, and the last of a kind counts', () => {
    assert.equal(readWords('role:"shop editor"').filters.role, 'shop editor')
    assert.equal(readWords('role:"shop ed').filters.role, 'shop ed')
    assert.equal(readWords('IS:Unlocked is:LOCKED').filters.locked, 'true')
    assert.equal(readWords('has:factor is:confirmed').filters.email_verified, 'true')
  })

  it('are told where they are not known, with what could stand there', () => {
    assert.deepEqual(readWords('is:asleep').unknown, [
      { word: 'is:asleep', known: ['is:locked', 'is:unlocked', 'is:confirmed', 'is:unconfirmed'] },
    ])
    assert.deepEqual(readWords('colour:red').unknown, [{ word: 'colour:red', known: peopleWords }])
    for (const word of ['last:soon', 'created:7d', 'created:<7x', 'last:>12345d']) {
      const { filters, unknown } = readWords(word)
      assert.deepEqual([unknown.length, filters], [1, noFilters], word)
    }
    // Nothing is wrong with what is about to be typed.
    for (const begun of ['role:', 'created:', 'created:<', 'last:>9', '10:30', ''])
      assert.deepEqual(readWords(begun).unknown, [])
    assert.equal(readWords('10:30').filters.search, '10:30')
  })

  it('are written as they are read', () => {
    for (const typed of ['is:locked no:factor role:"shop editor" last:>90d ada lovelace', 'group:/staff', '', 'ada'])
      assert.equal(writeWords(readWords(typed).filters), typed)
  })

  it('bound times from the beginning of a day or hour, so that the pages of a list belong together', () => {
    const now = Date.parse('2030-05-20T12:34:56Z')
    assert.deepEqual(boundsOf('<7d', now), { after: '2030-05-13T00:00:00.000Z' })
    assert.deepEqual(boundsOf('>2h', now), { before: '2030-05-20T10:00:00.000Z' })
    assert.deepEqual(boundsOf('<1y', now), { after: new Date(Date.parse('2030-05-20') - 365 * dayMs).toISOString() })
    assert.deepEqual(boundsOf('', now), {})
  })

  it('are suggested for the last word alone, and completed', () => {
    assert.deepEqual(suggestionsFor('ada is:un'), ['is:unlocked', 'is:unconfirmed'])
    for (const typed of ['', 'ada ', 'is:locked', 'is:locked ']) assert.deepEqual(suggestionsFor(typed), [], typed)
    assert.equal(completed('ada is:un', 'is:unlocked'), 'ada is:unlocked ')
    assert.equal(completed('ro', 'role:'), 'role:')
  })
})
