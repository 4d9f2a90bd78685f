import type { ComponentChildren } from 'preact'
import './table.css'

/** A state or a role, in a word. */
export function Chip({ look, children }: { look?: 'warning' | 'active'; children: ComponentChildren }) {
  return <span class={look ? `tag ${look}` : 'tag'}>{children}</span>
}

type FilterChipProps = {
  isOn: boolean
  count?: string | undefined
  onToggle(isOn: boolean): void
  children: ComponentChildren
}

/** A filter that is on or off. `count`: how many it lets through; empty: not known yet, and its place is kept. */
export function FilterChip({ isOn, count, onToggle, children }: FilterChipProps) {
  return (
    <label class="filter-chip">
      <input type="checkbox" checked={isOn} onChange={(event) => onToggle(event.currentTarget.checked)} />
      <span>
        {children}
        {count !== undefined && <span class="count">{count && ` ${count}`}</span>}
      </span>
    </label>
  )
}

type NamedProps = { href: string; name: string; picture?: ComponentChildren; children?: ComponentChildren }

/** Who or what a row is of, with the link that is as large as the row. */
export function Named({ href, name, picture, children }: NamedProps) {
  return (
    <div class="named">
      {picture}
      <span>
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
        {children && <span class="quiet">{children}</span>}
      </span>
    </div>
  )
}

/** What a list says that has nothing, with the next step. */
export function EmptyState({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty-state">
      <svg viewBox="0 0 120 72" width="120" height="72" aria-hidden="true">
        <rect x="14" y="6" width="92" height="18" rx="6" />
        <rect x="8" y="28" width="104" height="18" rx="6" />
        <rect x="14" y="50" width="92" height="18" rx="6" />
        <circle cx="22" cy="37" r="5" />
        <path d="M34 37h34M28 15h26M28 59h26" />
      </svg>
      <p class="quiet">{children}</p>
      {action && <div class="buttons">{action}</div>}
    </div>
  )
}
