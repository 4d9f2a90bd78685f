import { at } from './router.tsx'
import { words } from './texts.ts'

/** The pages of an application. */
export function Tabs({ id, current }: { id: string; current: 'settings' | 'setup' }) {
  const text = words().setUp
  const tabs = [
    ['settings', at('applications', id), text.settings],
    ['setup', at('applications', id, 'setup'), text.title],
  ] as const
  return (
    <nav aria-label={text.tabs}>
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
