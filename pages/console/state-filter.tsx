import { usePlace } from './router.tsx'
import { words } from './texts.ts'

type Props = {
  /** What is filtered. */
  label: string
  /** With what they are called. */
  states: readonly (readonly [value: string, label: string])[]
}

/** Not `state`: an address with that comes from an authorization. */
const parameter = 'status'

/** The state that the address of the list chooses; empty: all. */
export const useChosenState = (): string => usePlace().query.get(parameter) ?? ''

/** Links that show all records of a list, or those in one state. The choice is in the address. */
export function StateFilter({ label, states }: Props) {
  const current = useChosenState()
  return (
    <nav aria-label={label}>
      <ul class="switch">
        {[['', words().applications.all] as const, ...states].map(([value, name]) => (
          <li key={value}>
            <a
              href={value === '' ? location.pathname : `${location.pathname}?${parameter}=${value}`}
              aria-current={value === current ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
