/** The texts in `messages/` are whole in every language, and each is used. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemsOf } from '../../scripts/message-problems.ts'
import { readSources, unusedKeys } from '../../scripts/message-usage.ts'
import { type Catalogues, catalogue, declaration, itemsOf, keysOf, readCatalogues } from '../../scripts/messages.ts'
import { languageTags } from '../../src/protocol/language-tags.ts'

const files = readCatalogues()

describe('the messages', () => {
  it('are there in every language of pages and mails', () => {
    assert.deepEqual([...files.keys()].sort(), [...languageTags].sort())
  })

  it('have a translation each, with the places of the English text and the plural forms of the language', () => {
    const keys = itemsOf(files.get('en') ?? '').flatMap(keysOf)
    assert.ok(keys.length >= 1000, `only ${keys.length} were found`)
    assert.deepEqual(problemsOf(files), [])
  })

  it('are used, every one', () => {
    const keys = itemsOf(files.get('en') ?? '').flatMap(keysOf)
    const sources = readSources()
    assert.ok(sources.size >= 300, `only ${sources.size} sources were found`)
    assert.deepEqual(unusedKeys(keys, sources), [])
  })
})

/** A catalogue in English and Polish. */
function scratch(english: string, polish: string): Catalogues {
  return new Map([
    ['en', `#: signIn.title\nmsgid "Sign in"\nmsgstr ""\n\n#: signIn.left\n${english}\nmsgstr ""\n`],
    ['pl', `msgid "Sign in"\nmsgstr "Zaloguj się"\n\n${polish}\n`],
  ])
}

const codes = 'msgid "{count, plural, one {# code} other {# codes}} of {name}"'
const inPolish = (cases: string, of = '{name}') => `${codes}\nmsgstr "{count, plural, ${cases}} – ${of}"`
const allForms = 'one {# kod} few {# kody} many {# kodów} other {# kodu}'

describe('a catalogue', () => {
  it('has no problem with every form of Polish', () => {
    assert.deepEqual(problemsOf(scratch(codes, inPolish(allForms))), [])
  })

  for (const [what, english, polish, problem] of [
    ['lacks a message', codes, '', 'pl: signIn.left: there is no translation'],
    ['has an empty translation', codes, `${codes}\nmsgstr ""`, 'pl: signIn.left: there is no translation'],
    [
      'has a translation that nobody has confirmed',
      codes,
      `#, fuzzy\n${inPolish(allForms)}`,
      'pl: signIn.left: the translation is marked as fuzzy',
    ],
    [
      'has a message that is gone',
      codes,
      `${inPolish(allForms)}\n\nmsgid "Gone"\nmsgstr "Nie ma"`,
      'pl: "Gone": there is no such message any more',
    ],
    ['lacks a value', codes, inPolish(allForms, 'X'), 'pl: signIn.left: {name} is missing'],
    [
      'names a value that is not given',
      codes,
      inPolish(allForms, '{name} {host}'),
      'pl: signIn.left: {host} is not among the places of the English text',
    ],
    [
      'lacks a plural form of its language',
      codes,
      inPolish('one {# kod} other {# kodu}'),
      'pl: signIn.left: the form few, many of {count} is missing',
    ],
    [
      'has a plural form of another language',
      codes,
      inPolish(`two {# kody} ${allForms}`),
      'pl: signIn.left: The plural case two is not valid in this locale at line 1 col 17:',
    ],
    [
      'says a number without its forms',
      codes,
      `${codes}\nmsgstr "{count} – {name}"`,
      'pl: signIn.left: {count} chooses a plural form in one of the two languages only (one,few,many,other)',
    ],
    [
      'has an open brace',
      'msgid "Of {name}"',
      'msgid "Of {name}"\nmsgstr "{name"',
      'pl: signIn.left: Unexpected message end at line 1 col 6:',
    ],
    [
      'asks for a format that pages cannot read',
      'msgid "At {when}"',
      'msgid "At {when}"\nmsgstr "{when, date}"',
      'pl: signIn.left: {when, date} is not among plural and select',
    ],
  ] as const) {
    it(`that ${what} is refused`, () => assert.deepEqual(problemsOf(scratch(english, polish)), [problem]))
  }

  it('that has a key twice, or a key below a text, is refused', () => {
    const text = (keys: string, id: string) => `#: ${keys}\nmsgid "${id}"\nmsgstr ""\n`
    assert.deepEqual(problemsOf(new Map([['en', `${text('a.b c', 'One')}\n${text('c a.b.d', 'Two')}`]])), [
      'en: a.b is a text and a group of texts',
      'en: c is there twice',
    ])
    assert.deepEqual(problemsOf(new Map([['en', 'msgid "{oops"\nmsgstr ""\n']])).length, 2)
  })

  it('is compiled into a text with its places, and a list where a number chooses', () => {
    assert.deepEqual(catalogue(scratch(codes, inPolish(allForms)), 'pl').signIn, {
      title: 'Zaloguj się',
      left: [
        ['count', { one: '{count} kod', few: '{count} kody', many: '{count} kodów', other: '{count} kodu' }],
        ' – {name}',
      ],
    })
    assert.match(
      declaration(scratch(codes, '')),
      /"signIn": \{ readonly "title": string; readonly "left": Message<'name', 'count'> \}/,
    )
  })

  it('that is not whole is not compiled', () => {
    assert.throws(() => catalogue(scratch(codes, ''), 'pl'), /pl: signIn\.left: there is no translation/)
  })
})

describe('a text that no source reaches', () => {
  const keys = [
    'signIn.title',
    'signIn.lead',
    'signIn.errors.locked',
    'account.common.saved',
    'mail.mails.reset.subject',
  ]
  const unused = (file: string, text: string) => unusedKeys(keys, new Map([[file, text]]))

  it('is told, whatever else has its name', () => {
    assert.deepEqual(unused('pages/a.tsx', 'const other = { title: 1 }; texts.consent.title; other.title'), keys)
    assert.deepEqual(unused('pages/a.tsx', '<p>{texts.signIn.title}</p>'), keys.slice(1))
    const shortened = 'const { lead } = texts.signIn; const text = texts.signIn; text.errors[error]; lead'
    assert.deepEqual(unused('pages/a.ts', shortened), ['signIn.title', ...keys.slice(3)])
    const inner = 'const f = () => { const text = words().common; text.saved }; text.title'
    assert.deepEqual(unused('pages/account/a.ts', inner), [...keys.slice(0, 3), ...keys.slice(4)])
  })

  it('is a mail that nobody sends', () => {
    const writer = ['src/mail/rendering.ts', 'texts.mails[purpose]'] as const
    assert.deepEqual(unusedKeys(keys, new Map([writer])), keys)
    const sent = new Map([writer, ['src/account/a.ts', "send({ purpose: 'reset' })"] as const])
    assert.deepEqual(unusedKeys(keys, sent), keys.slice(0, 4))
  })
})
