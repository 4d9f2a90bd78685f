import type { ComponentChildren } from 'preact'
import './record.css'

type TabsProps = {
  /** What the tabs belong to, for screen readers. */
  label: string
  tabs: readonly { href: string; label: ComponentChildren; isCurrent: boolean }[]
}

/** The pages of one record. Each has an address of its own, so they are links. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ href, label: name, isCurrent }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
