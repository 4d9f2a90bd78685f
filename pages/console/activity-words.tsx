import type { ComponentChildren } from 'preact'
import type { Message } from '#messages'
import { fill, fillNodes } from '../texts.ts'
import { type Entry, kindInWords } from './activity-entry.ts'
import { nameOf } from './activity-names.ts'
import { type Named, sentenceOf } from './activity-sentence.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** Every text of the story has some of these places. */
type Told = Message<'who' | 'whom' | 'what'>

/** What happened, with links to whom and what it names. */
export function Told({ entry }: { entry: Entry }) {
  const { key, who, whom, what } = sentenceOf(entry)
  return (
    <>
      {fillNodes(words().activity.story[key] as unknown as Told, {
        who: <Name of={who} />,
        whom: <Name of={whom} />,
        what: key === 'other' ? kindInWords(entry.kind) : <Name of={what} />,
      })}
    </>
  )
}

/** The same as a text, for what names the row. */
export function toldInWords(entry: Entry): string {
  const { key, who, whom, what } = sentenceOf(entry)
  return fill(words().activity.story[key] as unknown as Told, {
    who: nameInWords(who),
    whom: nameInWords(whom),
    what: key === 'other' ? kindInWords(entry.kind) : nameInWords(what),
  })
}

function nameInWords(of: Named): string {
  const text = words().activity
  switch (of.kind) {
    case 'user':
    case 'client':
      return nameOf(of.kind, of.id) ?? of.id
    case 'text':
      return of.text
    case 'service':
      return text.service
    case 'somebody':
      return text.somebody
  }
}

const pagesOf = { user: 'people', client: 'applications' } as const

/** A name that leads to its page. The id stands for a record that is gone, or that the visitor may not read. */
function Name({ of }: { of: Named }): ComponentChildren {
  if (of.kind === 'text') return <bdi>{of.text}</bdi>
  if (!('id' in of)) return nameInWords(of)
  const name = nameOf(of.kind, of.id)
  return name ? (
    <a href={at(pagesOf[of.kind], of.id)}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <code dir="ltr">{of.id}</code>
  )
}

/** From where: the browser and the system in words; undefined: the entry does not say. */
export function deviceOf({ details: { browser, system } }: Entry): string | undefined {
  if (typeof browser === 'string' && typeof system === 'string')
    return fill(words().activity.browserOn, { browser, system })
  return typeof browser === 'string' ? browser : typeof system === 'string' ? system : undefined
}
