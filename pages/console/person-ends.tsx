/** What an action on a person ends, told before. */
import { numberInWords } from '../account/when.tsx'
import { Facts } from '../kit/list.tsx'
import type { Overview } from './person-name.ts'
import { words } from './texts.ts'

/** What a person is signed in with, and what has access for them. */
export const accessOf = ({ sessions, applications }: Overview): [string, number][] => [
  [words().people.items.sessions.title, sessions],
  [words().people.overview.applications, applications],
]

/** What an action ends, in numbers. */
export function Ends({ counts }: { counts: readonly (readonly [label: string, count: number])[] }) {
  return <Facts facts={counts.map(([label, count]) => [label, numberInWords(count)])} />
}
