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
    <nav aria-label={text.lists}>
      <ul class="switch">
        {tabs.map(([name, href, label]) => (
          <li key={name}>
            <a href={href} aria-current={name === current ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
