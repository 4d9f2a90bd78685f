import { useLayoutEffect, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Form, Select } from '../kit/field.tsx'
import { kindInWords, kinds } from './activity-entry.ts'
import { clientIdOf, nameOf, userIdOf } from './activity-names.ts'
import { isPeriod, spanOf } from './activity-period.ts'
import type { Filters } from './activity-query.ts'
import { Field } from './change.tsx'
import { setQuery } from './router.tsx'
import { words } from './texts.ts'

type Props = {
  filters: Filters
  /** The name of what had the focus when the form was sent; null: it was not. The form is made anew for its answer. */
  sentFrom: { current: string | null }
}

/** The filters, as a form: they count when it is sent, and stand in the address then. */
export function FilterForm({ filters, sentFrom }: Props) {
  const [draft, setDraft] = useState({
    ...filters,
    ...(isPeriod(filters.when) && spanOf(filters.when, new Date())),
    user_id: nameOf('user', filters.user_id) ?? filters.user_id,
  })
  const [unknown, setUnknown] = useState('')
  const [busy, setBusy] = useState(false)
  const text = words().activity
  const [hasMore] = useState((['kind', 'trace_id', 'since', 'until'] as const).some((name) => filters[name] !== ''))
  useLayoutEffect(() => {
    const name = sentFrom.current
    sentFrom.current = null
    if (name === null || document.activeElement !== document.body) return
    const field = name === '' ? null : document.querySelector<HTMLElement>(`.filter-form [name="${name}"]`)
    const to = field ?? document.querySelector<HTMLElement>('.filter-form [type=submit]')
    to?.focus()
  }, [])
  const set = (change: Partial<Filters>) => setDraft((before) => ({ ...before, ...change }))
  const field = (name: 'user_id' | 'client_id' | 'trace_id') => ({
    name,
    value: draft[name],
    onInput: (value: string) => set({ [name]: value }),
  })

  async function apply(): Promise<void> {
    const focused = document.activeElement?.getAttribute('name') ?? ''
    const person = draft.user_id.trim()
    setUnknown('')
    setBusy(true)
    const id = person === '' || looksLikeId.test(person) ? person : await userIdOf(person)
    setBusy(false)
    if (id === undefined) return setUnknown(person)
    const { kind, client_id, trace_id, since, until } = draft
    const client = client_id.trim() === '' ? '' : await clientIdOf(client_id.trim())
    // A period that was chosen by its name keeps it until another is typed.
    const span = isPeriod(filters.when) ? spanOf(filters.when, new Date()) : undefined
    const isOwn = since !== (span?.since ?? filters.since) || until !== (span?.until ?? filters.until)
    const times = isOwn ? { when: '', since, until } : {}
    sentFrom.current = focused
    setQuery({ kind, user_id: id, client_id: client, trace_id: trace_id.trim(), ...times })
  }

  return (
    <Form class="filter-form" onSubmit={apply}>
      <div class="filters">
        <Field
          label={text.person}
          hint={text.personHint}
          {...field('user_id')}
          message={unknown !== '' && unknown === draft.user_id.trim() ? text.personUnknown : undefined}
        />
        <Field label={text.application} hint={text.applicationHint} {...field('client_id')} />
        <div class="filter-send">
          <Button type="submit" look="main" busy={busy}>
            {text.show}
          </Button>
        </div>
      </div>
      <details open={hasMore}>
        <summary>{text.chips.more}</summary>
        <div class="filters">
          <Select
            label={text.kind}
            value={draft.kind}
            options={[
              ['', text.anyKind],
              ...[...new Set<string>([...kinds, ...(draft.kind === '' ? [] : [draft.kind])])].map(
                (kind) => [kind, kindInWords(kind)] as const,
              ),
            ]}
            onChange={(kind) => set({ kind })}
          />
          <Field label={text.trace} {...field('trace_id')} />
          <Field label={text.since} name="since" {...momentOf(draft.since, (since) => set({ since }))} />
          <Field label={text.until} name="until" {...momentOf(draft.until, (until) => set({ until }))} />
        </div>
      </details>
    </Form>
  )
}

const looksLikeId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A time, chosen in the time zone of the browser. */
const momentOf = (iso: string, set: (iso: string) => void) => ({
  type: 'datetime-local' as const,
  step: '1',
  value: localOf(iso),
  onInput: (value: string) => set(value === '' ? '' : new Date(value).toISOString()),
})

function localOf(iso: string): string {
  const date = new Date(iso)
  if (iso === '' || Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
