/** The standard claims of a person (OpenID Connect Core §5.1) on the command line. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeAfter, type Workplace, workplace } from './run.ts'

const alice = 'user add alice --email alice@example.com --no-password'
const set = async (place: Workplace, words: string) =>
  (await place.json(`user set alice ${words}`)) as Record<string, unknown>
/** One word of a command, spaces and all. */
const word = (text: string) => `'${text}'`

describe('latchkey user set with standard claims', () => {
  it('sets every claim of OpenID Connect Core §5.1, and shows it by its name', async (t) => {
    const place = workplace(t)
    const before = (await place.json(alice)) as Record<string, unknown>
    const texts = {
      given_name: 'Alice',
      family_name: 'Example',
      middle_name: 'Ann',
      nickname: 'ally',
      preferred_username: 'ally',
      profile: 'https://example.com/alice',
      picture: 'https://example.com/alice.png',
      website: 'http://alice.example.com/',
      gender: 'female',
      birthdate: '1987-10-16',
      zoneinfo: 'Europe/Berlin',
      locale: 'de_DE',
      phone_number: '+49-30-123456;ext=7',
    }
    const words = Object.entries(texts).map(([claim, value]) => word(`${claim}=${value}`))
    const address = { formatted: 'Hauptstr. 1\nBerlin', locality: 'Berlin' }
    const others = ['name=Alice Ann Example', 'phone_number_verified=true', `address=${JSON.stringify(address)}`]
    await set(place, [...words, ...others.map(word)].join(' '))
    const claims = { ...texts, name: 'Alice Ann Example', phone_number_verified: true, address }
    assert.deepEqual(await place.json('user show alice'), { ...before, ...claims, groups: [], effective_roles: [] })
    const { stdout } = await place.run('user show alice')
    for (const line of [/^name +alice$/m, /^full name +Alice Ann Example$/m, /^birthdate +1987-10-16$/m]) {
      assert.match(stdout, line)
    }
  })

  it('takes dates without a year and years alone, and removes a claim without a value', async (t) => {
    const place = await placeAfter(t, alice)
    for (const birthdate of ['1987', '0000-10-16', '0000-02-29', '2024-02-29']) {
      assert.equal((await set(place, `birthdate=${birthdate}`)).birthdate, birthdate)
    }
    const { birthdate, nickname } = await set(place, 'birthdate= nickname=ally')
    assert.deepEqual([birthdate, nickname], [undefined, 'ally'])
    assert.equal('nickname' in (await set(place, 'nickname= address=')), false)
  })

  it('ends the confirmation of a telephone number with the number', async (t) => {
    const place = await placeAfter(t, alice)
    await set(place, "'phone_number=+49 30 1' phone_number_verified=true")
    assert.equal((await set(place, "'phone_number=+49 30 1'")).phone_number_verified, true)
    assert.equal((await set(place, "'phone_number=+49 30 22'")).phone_number_verified, undefined)
  })

  it('refuses malformed values and unknown members, names them, and changes nothing', async (t) => {
    const place = workplace(t)
    const before = await place.json(alice)
    for (const [given, message] of [
      ['sub=x', /sub never changes/],
      ['updated_at=1', /updated_at follows from other changes/],
      ['shoe_size=44', /shoe_size is not a member of a user/],
      ['constructor=1', /constructor is not a member of a user/],
      ['birthdate=2023-02-29', /birthdate must be a date/],
      ['birthdate=0000', /birthdate must be a date/],
      ['birthdate=16.10.1987', /birthdate must be a date/],
      ['zoneinfo=Mars/Olympus', /zoneinfo must be a time zone/],
      ['zoneinfo=+01:00', /zoneinfo must be a time zone/],
      ['locale=german!', /locale must be a language tag/],
      ['picture=javascript:alert(1)', /picture must be an address that begins with https/],
      ['website=example.com', /website must be an address/],
      ['phone_number=call-me', /phone_number must be a telephone number/],
      ['phone_number_verified=yes', /phone_number_verified must be true or false/],
      ['phone_number_verified=true', /phone_number_verified needs a phone_number/],
      ['preferred_username=аlice', /preferred_username must not mix Cyrillic and Latin letters/],
      ['name= Alice', /name must not begin or end with a space/],
      ['address=Berlin', /address must be a JSON object/],
      ['address=[]', /address must be a JSON object/],
      ['address={}', /address must be a JSON object/],
      ['address={"planet":"Mars"}', /address must be a JSON object with members of/],
      ['address={"locality":1}', /locality that is not a text/],
      ['address={"country":""}', /country that must not be empty/],
    ] as const) {
      await place.refuses(`user set alice nickname=ally ${word(given)}`, message)
    }
    await place.misuses('user set alice __proto__=1', /is not MEMBER=VALUE/)
    assert.deepEqual(await place.json('user show alice'), { ...(before as object), groups: [], effective_roles: [] })
  })
})
