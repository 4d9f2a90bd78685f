import type { ComponentChildren } from 'preact'
import { AreaFrame } from '../kit/area.tsx'
import { Notice } from '../kit/layout.tsx'
import { recall, remember } from '../tab-memory.ts'
import { texts } from '../texts.ts'
import { words } from './texts.ts'

/** The pages of the account area, in the order of the navigation. */
const areas = ['overview', 'security', 'devices', 'applications', 'profile'] as const
export type Area = (typeof areas)[number]

const addressOf = (area: Area): string =>
  `/Account${area === 'overview' ? '' : `/${area[0]?.toUpperCase()}${area.slice(1)}`}`

/** Somebody else had signed in when something was to be changed, and the page was loaded again. */
export const isChanged = recall('changed') === 'true'
if (isChanged) remember('changed', '')

type Props = {
  area: Area
  /** Who is signed in; null while it is not known. */
  person: string | null
  lead?: ComponentChildren
  busy?: boolean
  children?: ComponentChildren
}

/** A page of the account area. */
export function Frame({ area, person, lead, busy, children }: Props) {
  const text = words().area
  return (
    <AreaFrame
      title={text[area]}
      person={person}
      skip={text.skip}
      navigation={text.navigation}
      links={areas.map((each) => ({ href: addressOf(each), label: text[each], isCurrent: each === area }))}
      signOut={<a href="/Account/Logout">{text.signOut}</a>}
      lead={lead}
      busy={busy}
      chooser={area !== 'profile'}
    >
      {isChanged && !busy && <Notice>{texts.changed}</Notice>}
      {children}
    </AreaFrame>
  )
}
