import type { ComponentChildren } from 'preact'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { type AddressFound, checkAddresses } from './address-check.ts'
import { call, type Result } from './api.ts'
import { type Draft, membersOf, sentOf, typedOf } from './application-draft.ts'
import { ScopeBoxes, ScopeChoice } from './application-fields.tsx'
import { type Application, kindOf, pathOf } from './application-kinds.ts'
import { type FormMember, type FormTab, formMembers, type Written, wordsOf } from './application-members.ts'
import { Field, faultOf, useChange } from './change.tsx'
import { messagesFor } from './problem.tsx'
import { SaveForm } from './save-form.tsx'
import { measured } from './setting-values.ts'
import { words } from './texts.ts'

/** An application with what is typed into its forms, which its pages share. */
export type Edited = {
  client: Application
  etag: string | null
  draft: Draft
  setDraft(change: (before: Draft) => Draft): void
  /** `back`: sets the members of the change as they were; undefined: more than those changed. */
  saved(client: Application, etag: string | null, back?: () => Promise<Result<Application>>): void
  mayChange: boolean
}

type FormProps = {
  edited: Edited
  tab: FormTab
  id: string
  title: ComponentChildren
  /** Stands above the fields. */
  before?: ComponentChildren
  /** Further fields, with what they change of the record. */
  more?: {
    fields(failed: Result<unknown> | null): ComponentChildren
    body: object
    names: readonly string[]
    done(): void
  }
}

/** The form of one page of an application: what its kind has, and what is set although its kind does not have it. */
export function MemberForm({ edited, tab, id, title, before, more }: FormProps) {
  const { client, etag, draft, setDraft, saved, mayChange } = edited
  const members = membersOf(tab)
  const typed = (member: FormMember): string => draft[member] ?? typedOf(client, member)
  const change = useChange()
  const body = Object.fromEntries(
    members.filter((member) => draft[member] !== undefined).map((member) => [member, sentOf(member, typed(member))]),
  )
  const patch = (changes: object, version: string | null) =>
    call<Application>({ method: 'PATCH', path: pathOf(client.client_id), body: changes, etag: version })
  const save = () => {
    const changes = { ...body, ...more?.body }
    return change.run(
      () => patch(changes, etag),
      (value, version) => {
        // What was typed meanwhile stays.
        setDraft((now) =>
          Object.fromEntries(
            Object.entries(now).filter(
              ([name, typed]) => !(members as string[]).includes(name) || typed !== draft[name as FormMember],
            ),
          ),
        )
        more?.done()
        saved(value, version, () => patch(asItWas(client, changes), version))
      },
    )
  }
  const shown = members.filter((member) => isShown(client, member, typed))
  return (
    <Section id={id} title={title}>
      {before}
      <SaveForm
        change={change}
        shown={[...shown, ...(more?.names ?? [])]}
        save={save}
        isReadOnly={!mayChange}
        class={before ? 'form below' : 'form'}
        within={null}
      >
        {more?.fields(change.failed)}
        {shown.map((member) => (
          <MemberField
            key={member}
            client={client}
            member={member}
            typed={typed}
            set={(value) => setDraft((now) => ({ ...now, [member]: value }))}
            warning={draft[member] === undefined ? warningOf(client, member) : undefined}
            result={change.failed}
          />
        ))}
      </SaveForm>
    </Section>
  )
}

/** The members of the change as they are stored; what is absent has its default. */
const asItWas = (client: Application, changes: object): object =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, (client as Record<string, unknown>)[name] ?? null]))

const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

function isShown(client: Application, member: FormMember, typed: (member: FormMember) => string): boolean {
  const { of, appliesTo }: Written = formMembers[member]
  if (of?.includes(kindOf(client)) === false) return !isEmpty(client[member])
  return appliesTo === undefined || appliesTo(typed, client.token_endpoint_auth_method) || !isEmpty(client[member])
}

/** Whether the page has a field for the application. */
export const hasForm = (client: Application, tab: FormTab): boolean =>
  membersOf(tab).some((member) => isShown(client, member, (name) => typedOf(client, name)))

/** Whether something was typed into the page and is not saved. */
export const isChanged = (client: Application, draft: Draft, tab: FormTab): boolean =>
  membersOf(tab).some((member) => draft[member] !== undefined && draft[member] !== typedOf(client, member))

/** A warning begins with the member that it is about. There may be several. */
const warningOf = ({ warnings = [] }: Application, member: FormMember): string | undefined =>
  warnings.filter((warning) => warning.startsWith(`${member} `)).join(' ') || undefined

type MemberFieldProps = {
  client: Application
  member: FormMember
  /** What the field of a member shows. */
  typed(member: FormMember): string
  set(typed: string): void
  /** What the service says of the stored value, in English. */
  warning: string | undefined
  result: Parameters<typeof messagesFor>[0]
}

function MemberField({ client, member, typed: typedOfMember, set, warning, result }: MemberFieldProps) {
  const { form, label, hint, required, lines, fault, values, among, addresses }: Written = formMembers[member]
  const typed = typedOfMember(member)
  if (form === 'scopes' || form === 'scopeList') {
    const choice = {
      chosen: wordsOf(typed),
      set: (chosen: readonly string[]) => set(chosen.join(' ')),
      messages: messagesFor(result, member),
    }
    if (among === undefined) return <ScopeChoice {...choice} />
    return <ScopeBoxes legend={label()} hint={hint?.()} names={among(typedOfMember)} {...choice} />
  }
  if (form === 'choice') {
    const options = (values ?? []).map((value) => [value, value] as const)
    const told = faultOf(result, member)
    return <Select label={label()} value={typed} options={options} hint={hint?.()} fault={told} onChange={set} />
  }
  const found = addresses === undefined ? [] : checkAddresses(typed, addresses, aboutAddresses(client, member))
  const bad = found.find(({ kind }) => kind === 'fault')
  const box = (
    <Field
      label={label()}
      name={member}
      value={typed}
      onInput={set}
      hint={form === 'seconds' ? withDuration(hint?.(), typed) : hint?.()}
      message={bad ? `\u2066${bad.address}\u2069: ${bad.words}` : fault?.(typed)}
      told={warning}
      {...(required && { required })}
      {...(lines && { lines: Math.min(Math.max(lines, typed.split('\n').length), 10) })}
      {...(form === 'seconds' && { inputmode: 'numeric' as const })}
      result={result}
    />
  )
  if (addresses === undefined) return box
  return (
    <div class="checked-field">
      {box}
      {found.length > 0 && <Findings found={found} />}
    </div>
  )
}

function aboutAddresses(client: Application, member: FormMember) {
  const stored = client[member]
  const registered = Array.isArray(stored) ? stored.map(String) : stored === undefined ? [] : [String(stored)]
  return { registered, isNative: kindOf(client) === 'native' }
}

/** What there is to say about each address, while it is typed. */
function Findings({ found }: { found: readonly AddressFound[] }) {
  return (
    <ul class="findings" aria-label={words().applications.checks}>
      {found.map(({ address, kind, words: said }, index) => (
        <li key={`${address} ${index}`} data-kind={kind}>
          <Icon path={marks[kind]} />
          <span>
            <bdi dir="ltr">{address}</bdi> <small>{said}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A tick, an exclamation mark, a cross. */
const marks = { fine: 'M3 8.5l3.25 3.25L13 5', care: 'M8 3v6M8 12.5v.15', fault: 'M4 4l8 8M12 4l-8 8' } as const

/** A number of seconds in the largest unit that it is a multiple of. */
function withDuration(hint: string | undefined, typed: string): string | undefined {
  const duration = /^\d+$/.test(typed.trim()) ? measured({ value: Number(typed), unit: 'seconds' }) : undefined
  return duration === undefined ? hint : [`= ${duration}.`, hint].filter(Boolean).join(' ')
}
