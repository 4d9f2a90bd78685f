import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { exactly } from '../kit/ago.tsx'
import { Icon } from '../kit/icon.tsx'
import { fillNodes } from '../texts.ts'
import { kindInWords } from './activity-entry.ts'
import { nameOf, useNames } from './activity-names.ts'
import { isPeriod, periods } from './activity-period.ts'
import { type Filters, filterNames, groupsIn, kindGroupNames, noFilters } from './activity-query.ts'
import { setQuery } from './router.tsx'
import { words } from './texts.ts'

/** What is filtered by with one press, and what is filtered by now: each chip takes itself back. */
export function Chips({ filters }: { filters: Filters }) {
  const text = words().activity
  const { when, since, until, outcome, console } = filters
  const chosen = groupsIn(filters)
  const isAnyTime = when === '' && since === '' && until === ''
  const place = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(filters)
  const keyBefore = useRef(key)
  // A filter that was taken away is gone with what was pressed.
  useEffect(() => {
    const isLost = keyBefore.current !== key && document.activeElement === document.body
    keyBefore.current = key
    if (!isLost) return
    const all = place.current
    const next = all?.querySelector<HTMLElement>('.activity-chosen button') ?? all?.querySelector('button')
    next?.focus({ preventScroll: true })
  }, [key])
  const period = (name: string) => setQuery({ when: name, since: '', until: '' })
  return (
    <div ref={place} class="activity-chips">
      <Group name={text.chips.period}>
        <Chip isOn={isAnyTime} onClick={() => period('')}>
          {text.chips.all}
        </Chip>
        {periods.map((name) => (
          <Chip key={name} isOn={when === name} onClick={() => period(when === name ? '' : name)}>
            {text.chips[name]}
          </Chip>
        ))}
      </Group>
      <Group name={text.chips.events}>
        {kindGroupNames.map((name) => {
          const isOn = chosen.includes(name)
          const next = isOn ? chosen.filter((one) => one !== name) : [...chosen, name]
          return (
            <Chip key={name} isOn={isOn} onClick={() => setQuery({ group: next.join(',') })}>
              {text.chips[name]}
            </Chip>
          )
        })}
        <Chip isOn={outcome === 'failed'} onClick={() => setQuery({ outcome: outcome === 'failed' ? '' : 'failed' })}>
          {text.chips.failed}
        </Chip>
        <Chip
          isOn={console !== ''}
          title={text.chips.consoleHint}
          onClick={() => setQuery({ console: console === '' ? 'true' : '' })}
        >
          {text.chips.console}
        </Chip>
      </Group>
      <Chosen filters={filters} />
    </div>
  )
}

/** The filters that no chip above stands for, and the button that ends all. */
function Chosen({ filters }: { filters: Filters }) {
  const { user_id: userId, client_id: clientId, kind, trace_id: traceId, when, since, until, outcome } = filters
  const text = words().activity
  useNames(useMemo(() => [{ user_id: userId || null, client_id: clientId || null, details: {} }], [userId, clientId]))
  const own = isPeriod(when) ? [] : ([['since', since] as const, ['until', until] as const] as const)
  const all = [
    ['user_id', text.person, userId && (nameOf('user', userId) ?? userId)],
    ['client_id', text.application, clientId && (nameOf('client', clientId) ?? clientId)],
    ['kind', text.kind, kind && kindInWords(kind)],
    ['outcome', text.kind, outcome === 'failed' ? '' : outcome],
    ['trace_id', text.trace, traceId],
    ...own.map(([name, iso]) => [name, text[name], iso && momentInWords(iso)] as const),
  ] as const
  const shown = all.filter(([, , value]) => value !== '')
  if (filterNames.every((name) => filters[name] === '')) return null
  return (
    <div class="activity-chosen">
      {shown.map(([name, label, value]) => (
        <button key={name} type="button" class="activity-chip on" onClick={() => setQuery({ [name]: '' })}>
          {fillNodes(text.chips.remove, {
            name: (
              <>
                <span class="quiet">{label}</span> <bdi>{value}</bdi>
              </>
            ),
          }).map((part, index) =>
            typeof part === 'string' ? (
              <span key={index} class="hidden">
                {part}
              </span>
            ) : (
              part
            ),
          )}
          <Icon path="m5 5 6 6m0-6-6 6" />
        </button>
      ))}
      <button type="button" class="link" onClick={() => setQuery({ ...noFilters })}>
        {text.clear}
      </button>
    </div>
  )
}

const momentInWords = (iso: string): string => (Number.isNaN(Date.parse(iso)) ? iso : exactly(new Date(iso)))

const Group = ({ name, children }: { name: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
  <div role="group" aria-label={name} class="activity-chip-group">
    {children}
  </div>
)

type ChipProps = { isOn: boolean; title?: string; onClick(): void; children: ComponentChildren }

const Chip = ({ isOn, children, ...others }: ChipProps) => (
  <button type="button" class={isOn ? 'activity-chip on' : 'activity-chip'} aria-pressed={isOn} {...others}>
    {children}
  </button>
)
