import { useEffect, useRef } from 'preact/hooks'
import { site } from '../site.ts'
import { fill } from '../texts.ts'
import type { Result } from './api.ts'
import { Field } from './change.tsx'
import { words } from './texts.ts'

/** Texts that a record has in several languages, by the members of the API: `purpose`, and `purpose#de`. */
export type Texts = Readonly<Record<string, string>>

/** The texts of a record, for a form. */
export function textsOf(record: object, members: readonly string[]): Texts {
  const empty = members.map((member) => [member, ''])
  const stored = Object.entries(record).filter(
    ([name, value]) => typeof value === 'string' && members.includes(name.split('#')[0] ?? ''),
  )
  return Object.fromEntries([...empty, ...stored])
}

/** The texts as the API takes them: an empty one is taken away. */
export const sentTexts = (texts: Texts): Record<string, string | null> =>
  Object.fromEntries(Object.entries(texts).map(([name, typed]) => [name, typed.trim() || null]))

/** Whether a text was typed that is not stored. */
export const changedTexts = (record: object, texts: Texts): boolean =>
  Object.entries(texts).some(([name, typed]) => typed.trim() !== ((record as Texts)[name] ?? ''))

type Props = {
  /** Without a language, in the order of the form. */
  members: readonly { member: string; label: string; hint: string }[]
  texts: Texts
  set(texts: Texts): void
  result: Result<unknown> | null
}

/** The fields of these texts, first without a language and then in each that has some, and a choice of a further one. */
export function LanguageTexts({ members, texts, set, result }: Props) {
  const added = useRef<string | null>(null)
  const text = words().common
  const tags = [...new Set(Object.keys(texts).flatMap((name) => name.split('#')[1] ?? []))]
  const further = site.languages.filter((tag) => !tags.includes(tag.toLowerCase()))

  useEffect(() => {
    // A language is chosen to write in it.
    if (added.current !== null) document.getElementsByName(added.current)[0]?.focus()
    added.current = null
  }, [tags.length])

  function add(tag: string) {
    if (tag === '') return
    added.current = `${members[0]?.member}#${tag}`
    set({ ...texts, ...Object.fromEntries(members.map(({ member }) => [`${member}#${tag}`, ''])) })
  }

  const box = (name: string, label: string, hint?: string) => (
    <Field
      key={name}
      label={label}
      hint={hint}
      name={name}
      value={texts[name] ?? ''}
      result={result}
      onInput={(typed) => set({ ...texts, [name]: typed })}
    />
  )
  return (
    <>
      {members.map(({ member, label, hint }) => box(member, label, hint))}
      {tags.map((tag) =>
        members.map(({ member, label }) =>
          box(`${member}#${tag}`, fill(text.inLanguage, { label, language: nameOf(tag) })),
        ),
      )}
      {further.length > 0 && (
        <select
          key={tags.length}
          class="more"
          aria-label={text.addLanguage}
          value=""
          onChange={(event) => add(event.currentTarget.value)}
        >
          <option value="">{text.addLanguage}</option>
          {further.map((tag) => (
            <option key={tag} value={tag.toLowerCase()}>
              {nameOf(tag)}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

/** The text in the language of the page, or else without a language. */
export function localText(texts: Texts, member: string): string {
  const tag = document.documentElement.lang.toLowerCase()
  const found = [tag, tag.replace(/-.*/, '')].map((one) => texts[`${member}#${one}`]).find((one) => one)
  return found ?? texts[member] ?? ''
}

/** The name of a language in that of the page. */
function nameOf(tag: string): string {
  try {
    return new Intl.DisplayNames([document.documentElement.lang], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
