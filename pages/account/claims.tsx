import { useEffect, useRef, useState } from 'preact/hooks'
import { type FieldsWith, type FieldValues, fieldEntries, type TextForm } from '../../src/person-fields.ts'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/field.tsx'
import { useSaid } from '../kit/said.tsx'
import { change } from './json.ts'
import type { Loaded, Profile } from './loaded.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'

/** Fields with a box, and those with a control of their own. */
type Claim = FieldsWith<{ account: { part: string } }>
type Apart = FieldsWith<{ account: 'apart' }>
type Box = { claim: Claim; autocomplete: string; type?: 'tel' | 'url' }
type Claims = Pick<FieldValues, Claim | Apart>

const inputTypes: Partial<Record<TextForm, 'tel' | 'url'>> = { phone_number: 'tel', web_address: 'url' }

/** The boxes of one part, in their places. */
function boxesOf(part: 'main' | 'more'): Box[] {
  const boxes = fieldEntries.flatMap(([name, field]) => {
    if (!('account' in field) || field.account === 'apart' || field.account.part !== part) return []
    const type = field.type === 'text' && field.form && inputTypes[field.form]
    const { autocomplete, place } = field.account
    return [{ place, claim: name as Claim, autocomplete, ...(type && { type }) }]
  })
  return boxes.sort((a, b) => a.place - b.place).map(({ place: _, ...box }) => box)
}

const main = boxesOf('main')
const more = boxesOf('more')

/** The boxes by the names of their claims, as texts; empty: the claim is not set. */
type Typed = Record<string, string>

function typedOf(claims: Claims): Typed {
  const typed: Typed = { locale: claims.locale ?? '', zoneinfo: claims.zoneinfo ?? '' }
  for (const { claim } of [...main, ...more]) typed[claim] = claims[claim] ?? ''
  typed.address = claims.address?.formatted ?? ''
  return typed
}

/** What the person says about himself or herself, and the language. */
export function Claims({ loaded }: { loaded: Loaded<Profile> }) {
  const text = words().profile
  const labels: Readonly<Record<Claim, string>> = text.claims
  const stored = loaded.value as Profile & Claims
  const [typed, setTyped] = useState(() => typedOf(stored))
  const [said, say] = useSaid()
  const task = useTask()
  const form = useRef<HTMLFormElement>(null)
  const faults = faultsOf(task.failed)

  useEffect(() => {
    if (faults.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [task.failed])

  const set = (claim: string) => (value: string) => setTyped((before) => ({ ...before, [claim]: value }))
  const field = ({ claim, ...others }: Box) => (
    <Field
      key={claim}
      {...others}
      id={claim}
      label={labels[claim]}
      value={typed[claim] ?? ''}
      onInput={set(claim)}
      hint={(text.hints as Partial<Record<Claim, string>>)[claim]}
      fault={faults.includes(claim) && text.invalid}
    />
  )

  function submit(event: Event): void {
    event.preventDefault()
    const changes = changesOf(typed, stored)
    if (Object.keys(changes).length === 0) {
      say(text.saved)
      return
    }
    void task.run(
      () => change<Profile & Claims>('PATCH', '/Account/Self', changes, { task: 'claims' }),
      async (now) => {
        setTyped(typedOf(now))
        // The service chose the language of this page when it was loaded.
        if (changes.locale) return location.reload()
        await loaded.reload()
        say(text.saved)
      },
    )
  }

  const isFaultBelow = [...more.map(({ claim }) => claim), 'zoneinfo', 'address'].some((one) => faults.includes(one))
  return (
    <Section id="about" title={text.title}>
      {said}
      <form ref={form} class="form" noValidate onSubmit={submit}>
        <div class="columns">{main.map(field)}</div>
        <div class="field">
          <label for="locale">{text.language}</label>
          <select id="locale" value={typed.locale} onChange={(event) => set('locale')(event.currentTarget.value)}>
            <option value="">{text.anyLanguage}</option>
            {stored.settings.languages.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {nameOf(tag)}
              </option>
            ))}
          </select>
        </div>
        <details open={isFaultBelow}>
          <summary>{text.more}</summary>
          <div class="columns">{more.map(field)}</div>
          <div class="field">
            <label for="zoneinfo">{text.claims.zoneinfo}</label>
            <select
              id="zoneinfo"
              value={typed.zoneinfo}
              onChange={(event) => set('zoneinfo')(event.currentTarget.value)}
            >
              <option value="">{text.anyZone}</option>
              {zones(typed.zoneinfo ?? '').map((zone) => (
                <option key={zone} value={zone}>
                  {zone.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="address">{text.claims.address}</label>
            <textarea
              id="address"
              rows={3}
              autocomplete="street-address"
              value={typed.address}
              onInput={(event) => set('address')(event.currentTarget.value)}
            />
          </div>
        </details>
        {task.failed && (faults.length === 0 ? <TaskNotice task={task} /> : null)}
        <div class="buttons">
          <Button type="submit" look="main" busy={task.busy}>
            {text.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** What differs from the stored claims; null removes a claim. */
function changesOf(typed: Typed, stored: Claims): Record<string, unknown> {
  const before = typedOf(stored)
  const changes: Record<string, unknown> = {}
  for (const [claim, value] of Object.entries(typed)) {
    if (value.trim() !== before[claim]) changes[claim] = value.trim() || null
  }
  if ('address' in changes) {
    const { formatted: _, ...others } = stored.address ?? {}
    const next = changes.address ? { ...others, formatted: changes.address } : others
    changes.address = Object.keys(next).length > 0 ? next : null
  }
  return changes
}

/** The claims that cannot be saved, from the JSON pointers of the problem (RFC 6901). */
function faultsOf(answer: ReturnType<typeof useTask>['failed']): string[] {
  if (answer?.kind !== 'refused') return []
  const { errors = [] } = answer.problem as { errors?: { path?: string }[] }
  return errors.flatMap(({ path }) => path?.split('/')[1] ?? [])
}

/** The language's name in itself. */
function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** IANA time zones, the stored one included. */
function zones(stored: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return stored === '' || known.includes(stored) ? known : [stored, ...known]
}
