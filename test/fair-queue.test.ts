import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Claim, fairQueue, type Place } from '../src/fair-queue.ts'

const unlimited = { waiting: 10_000, underway: 10_000 }
const always = () => true
const one = (key: string, turns = 1): Claim => ({ key, turns, liable: true })

/** Whose items they are, without the number behind. */
const partyOf = (item: string) => item.split(' ', 1)[0] ?? ''

function filled(waiting: Readonly<Record<string, number>>, limits = unlimited) {
  const queue = fairQueue<string>(limits)
  for (const [party, count] of Object.entries(waiting)) {
    for (let at = 0; at < count; at += 1) queue.add(`${party} ${at}`, [one(party)])
  }
  return queue
}

/** The next `count`, each ended before the next begins. */
function turnsOf(queue: ReturnType<typeof fairQueue<string>>, count: number): string[] {
  return Array.from({ length: count }, () => {
    const place = queue.next(always)
    assert.ok(place)
    place.release()
    return place.item
  })
}

function count(items: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[partyOf(item)] = (counts[partyOf(item)] ?? 0) + 1
  return counts
}

describe('a fair queue', () => {
  it('keeps the order of one party, and gives the parties turns whatever each has waiting', () => {
    const queue = filled({ flood: 100, office: 3, person: 1 })
    assert.deepEqual(turnsOf(queue, 7), [
      'flood 0',
      'office 0',
      'person 0',
      'flood 1',
      'office 1',
      'flood 2',
      'office 2',
    ])
    assert.deepEqual(turnsOf(queue, 3), ['flood 3', 'flood 4', 'flood 5'])
    assert.equal(queue.waiting(), 94)
  })

  it('serves next who had no turn lately, however many parties wait that had', () => {
    const queue = filled(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`attacker${at}`, 3])))
    turnsOf(queue, 150)
    queue.add('victim 0', [one('victim')])
    assert.deepEqual(turnsOf(queue, 1), ['victim 0'])
  })

  it('counts what is done with: who comes again at once waits for those who had fewer turns', () => {
    const queue = filled({ greedy: 1, slow: 2 })
    const order: string[] = []
    for (let at = 1; at <= 12; at += 1) {
      order.push(...turnsOf(queue, 1))
      queue.add(`greedy ${at}`, [one('greedy')])
      if (at % 3 === 0) queue.add(`slow ${at}`, [one('slow')])
    }
    assert.equal(count(order).slow, 5, 'as often as it came before the last turn')
  })

  it('gives those that wait a turn although new parties never cease to come', () => {
    const queue = filled({ office: 50 })
    turnsOf(queue, 10)
    const order: string[] = []
    for (let at = 0; at < 400; at += 1) {
      queue.add(`new${at} 0`, [one(`new${at}`)])
      order.push(...turnsOf(queue, 1))
    }
    const served = count(order).office ?? 0
    assert.ok(served >= 10, `${served} turns for the office, of 400`)
  })

  it('gives a network the turns that its size allows, however many addresses it has', () => {
    const queue = fairQueue<string>(unlimited)
    // A /48 with an address in each of 200 /64, of which eight share a /56; and ten other addresses.
    for (let at = 0; at < 200; at += 1) {
      queue.add(`spread ${at}`, [one(`64-${at}`), one(`56-${at >> 3}`, 2), one('48', 4)])
    }
    for (let at = 0; at < 10; at += 1) {
      for (let turn = 0; turn < 20; turn += 1) queue.add(`single${at} ${turn}`, [one(`single${at}`)])
    }
    const turns = count(turnsOf(queue, 140))
    assert.ok(Math.abs((turns.spread ?? 0) - 40) <= 4, `${turns.spread} turns of 140 for the /48`)
    for (let at = 0; at < 10; at += 1) {
      assert.ok(Math.abs((turns[`single${at}`] ?? 0) - 10) <= 1, `${turns[`single${at}`]} turns for one address`)
    }
  })

  it('gives an account one turn in a round, from however many networks it is tried', () => {
    const queue = fairQueue<string>(unlimited)
    for (let at = 0; at < 100; at += 1) queue.add(`alice ${at}`, [one(`network${at}`), one('account alice')])
    for (let at = 0; at < 9; at += 1) {
      for (let turn = 0; turn < 10; turn += 1) queue.add(`user${at} ${turn}`, [one(`home${at}`), one(`account ${at}`)])
    }
    assert.ok((count(turnsOf(queue, 50)).alice ?? 0) <= 6)
  })

  it('lets a party have only so many under way, and others pass it by', () => {
    const queue = filled({ flood: 10, person: 1 }, { waiting: 100, underway: 2 })
    const places: (Place<string> | undefined)[] = [1, 2, 3].map(() => queue.next(always))
    assert.deepEqual(
      places.map((place) => place?.item),
      ['flood 0', 'person 0', 'flood 1'],
    )
    assert.equal(queue.next(always), undefined)
    places[1]?.release()
    assert.equal(queue.next(always), undefined)
    places[0]?.release()
    assert.equal(queue.next(always)?.item, 'flood 2')
  })

  it('passes by what may not begin yet', () => {
    const queue = filled({ a: 2, b: 1 })
    assert.equal(queue.next((item) => !item.startsWith('a'))?.item, 'b 0')
    assert.equal(
      queue.next((item) => !item.startsWith('a')),
      undefined,
    )
    assert.deepEqual(
      queue.remove((item) => item === 'a 0'),
      ['a 0'],
    )
    assert.equal(queue.next(always)?.item, 'a 1')
  })

  it('lets the newest of the party that takes most give way, not whoever comes', () => {
    const queue = filled({ heavy: 5, light: 2, person: 1 })
    assert.equal(queue.giveWay(), 'heavy 4')
    assert.equal(queue.giveWay(), 'heavy 3')
    // Those who were refused count as heavier than those who have as many waiting.
    assert.equal(queue.giveWay(), 'heavy 2')
    assert.equal(queue.giveWay(), 'heavy 1')
    assert.equal(filled({}).giveWay(), undefined)
    const bounded = filled({ heavy: 5, light: 2 }, { waiting: 5, underway: 5 })
    assert.equal(bounded.add('heavy 5', [one('heavy')]), 'heavy 5')
    assert.equal(bounded.add('light 2', [one('light')]), undefined)
  })

  it('lets the heaviest network give way where an account has too many', () => {
    const queue = fairQueue<string>({ waiting: 6, underway: 6 })
    const account = { key: 'account', turns: 1, liable: false }
    for (let at = 0; at < 5; at += 1) queue.add(`flood ${at}`, [one('flood'), account])
    assert.equal(queue.add('person 0', [one('person'), account]), undefined)
    assert.equal(queue.add('other 0', [one('other'), account]), 'flood 4')
    assert.equal(queue.waiting(), 6)
  })

  it('charges the party for what was refused, and not for long', () => {
    const queue = filled({ flood: 100, other: 30 })
    for (let at = 0; at < 70; at += 1) assert.equal(partyOf(queue.giveWay() ?? ''), 'flood')
    const turns = turnsOf(queue, 12)
    assert.ok((count(turns).flood ?? 0) <= 3, 'it waits for others')
    assert.ok((count(turnsOf(queue, 16)).flood ?? 0) >= 6, 'and comes again')
  })

  it('charges an account nothing for what others were refused in its name', () => {
    const queue = fairQueue<string>(unlimited)
    const alice = { ...one('alice'), liable: false }
    const add = (item: string, network: string) => queue.add(item, [one(network), alice])
    for (let at = 0; at < 20; at += 1) add(`flood ${at}`, 'flood')
    for (let at = 0; at < 5; at += 1) queue.add(`other ${at}`, [one('other')])
    for (let at = 0; at < 20; at += 1) assert.equal(partyOf(queue.giveWay() ?? ''), 'flood')
    add('owner 0', 'owner')
    assert.deepEqual(turnsOf(queue, 2).sort(), ['other 0', 'owner 0'])
  })

  it('gives nobody credit for turns that it did not ask for', () => {
    const queue = filled({ patient: 2, other: 60 })
    turnsOf(queue, 41)
    for (let at = 0; at < 20; at += 1) queue.add(`patient again ${at}`, [one('patient')])
    assert.ok((count(turnsOf(queue, 10)).patient ?? 0) <= 6)
  })

  it('compares with nobody who is gone: when nothing is left, all begin anew', () => {
    const queue = filled({ busy: 20 })
    turnsOf(queue, 20)
    queue.add('busy 20', [one('busy')])
    queue.add('other 0', [one('other')])
    assert.deepEqual(turnsOf(queue, 2), ['busy 20', 'other 0'])
  })

  it('remembers a bounded number of parties, and none when nothing is left', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const before = process.memoryUsage().heapUsed
    const queue = filled({ first: 1 })
    for (let at = 0; at < 200_000; at += 1) {
      queue.add(`x ${at}`, [one(`a rather long name of a network that will never be seen again ${at}`)])
      if (at % 2 === 0) queue.giveWay()
      else turnsOf(queue, 1)
    }
    assert.ok(queue.waiting() <= 2)
    collect()
    const grown = process.memoryUsage().heapUsed - before
    assert.ok(grown < 10_000_000, `${grown} bytes`)
  })
})
