import { Tabs } from '../kit/tabs.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** The lists of the page People. */
export function PeopleTabs({ current }: { current: 'people' | 'invitations' }) {
  const text = words().people
  const tabs = [
    ['people', at('people'), words().pages.people],
    ['invitations', at('people', 'invitations'), text.invitations.all],
  ] as const
  return (
    <Tabs label={text.lists} tabs={tabs.map(([name, href, label]) => ({ href, label, isCurrent: name === current }))} />
  )
}
