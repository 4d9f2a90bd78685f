import { useEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { Notice } from '../kit/layout.tsx'
import { Facts } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { DeletionSection } from './application-deletion.tsx'
import { ScopeBoxes, ScopeChoice } from './application-fields.tsx'
import { type Application, hasSecret, kindOf, pathOf } from './application-kinds.ts'
import {
  type Draft,
  type FormMember,
  formMemberNames,
  formMembers,
  joined,
  sentOf,
  typedOf,
  type Written,
  wordsOf,
} from './application-members.ts'
import { TokenPreview } from './application-preview.tsx'
import { Refusals } from './application-refusals.tsx'
import { Rotation } from './application-secret.tsx'
import { Tabs } from './application-tabs.tsx'
import { Field, faultOf, useChange } from './change.tsx'
import { ClaimRules } from './claim-rules.tsx'
import { Frame } from './frame.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish, messagesFor } from './problem.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** `/admin/applications/ID`. */
export function OneApplication({ id }: { id: string }) {
  const loaded = useLoaded<Application>(pathOf(id))
  const me = useMe()
  const [said, say] = useSaid()
  const text = words().applications
  const name = loaded.value?.client_name ?? id
  const mayChange = me.may('admin:clients')
  const saved = (client: Application, etag: string | null) => {
    loaded.set(client, etag)
    say(fillNodes(text.saved, { name: <bdi>{client.client_name}</bdi> }))
  }
  return (
    <Frame page="applications" title={<bdi>{name}</bdi>} windowTitle={name} isBelow busy={loaded.value === null}>
      <Part loaded={loaded}>
        {(client) => (
          <>
            <Tabs id={id} current="settings" />
            {said}
            <Edit client={client} etag={loaded.etag} saved={saved} isReadOnly={!mayChange} />
            {mayChange && hasSecret(client) && (
              <Rotation client={client} changed={(record, etag) => loaded.set(record, etag)} />
            )}
            <ClaimRules
              rules={client.claims ?? []}
              lead={words().rules.leadOfApplication}
              places={['userinfo']}
              save={
                mayChange
                  ? (claims) =>
                      call<Application>({ method: 'PATCH', path: pathOf(id), body: { claims }, etag: loaded.etag })
                  : undefined
              }
              saved={(value, etag) => saved(value as Application, etag)}
            />
            <TokenPreview id={id} scope={client.scope} />
            <Refusals client={client} etag={loaded.etag} saved={saved} />
            {mayChange && <DeletionSection id={id} name={name} etag={loaded.etag} />}
          </>
        )}
      </Part>
    </Frame>
  )
}

type EditProps = {
  client: Application
  etag: string | null
  saved(client: Application, etag: string | null): void
  isReadOnly: boolean
}

function Edit({ client, etag, saved, isReadOnly }: EditProps) {
  const [draft, setDraft] = useState<Draft>({})
  const shownBefore = useRef(client)
  const set = (more: Draft) => setDraft((before) => ({ ...before, ...more }))
  const typed = (member: FormMember): string => draft[member] ?? typedOf(client, member)
  useEffect(() => {
    const before = shownBefore.current
    shownBefore.current = client
    if (before !== client) setDraft((now) => joined(now, before, client))
  }, [client])
  const change = useChange()
  const text = words().applications
  const kind = kindOf(client)
  // What is absent has its default, and stays so until something is typed.
  const sentMembers = () => formMemberNames.filter((member) => member in client || draft[member] !== undefined)
  const save = () =>
    change.run(
      () =>
        call<Application>({
          method: 'PATCH',
          path: pathOf(client.client_id),
          body: Object.fromEntries(sentMembers().map((member) => [member, sentOf(member, typed(member))])),
          etag,
        }),
      (value, version) => {
        setDraft({})
        saved(value, version)
      },
    )
  const isShown = (member: FormMember): boolean => {
    const { appliesTo }: Written = formMembers[member]
    return appliesTo === undefined || appliesTo(typed) || member in client
  }
  const facts = [
    [text.clientId, client.client_id],
    [text.kind, text.kinds[kind]],
    [text.grantTypes, client.grant_types.join(', ')],
    [text.authentication, client.token_endpoint_auth_method],
  ] as const
  return (
    <Section id="application" title={words().common.details}>
      <Facts facts={facts.map(([label, value]) => [label, <bdi key={label}>{value}</bdi>])} />
      {client.warnings?.filter(isOfNoField).map((warning) => (
        <Notice key={warning} role="note">
          <InEnglish>{warning}</InEnglish>
        </Notice>
      ))}
      <SaveForm change={change} shown={formMemberNames} save={save} isReadOnly={isReadOnly} class="form below">
        {formMemberNames.filter(isShown).map((member) => (
          <MemberField
            key={member}
            member={member}
            typed={typed}
            set={(value) => set({ [member]: value })}
            warning={draft[member] === undefined ? warningOf(client, member) : undefined}
            result={change.failed}
          />
        ))}
      </SaveForm>
    </Section>
  )
}

type MemberFieldProps = {
  member: FormMember
  /** What the field of a member shows. */
  typed(member: FormMember): string
  set(typed: string): void
  /** What the service says of the stored value, in English. */
  warning: string | undefined
  result: Parameters<typeof messagesFor>[0]
}

/** A warning begins with the member that it is about. There may be several. */
const warningOf = ({ warnings = [] }: Application, member: FormMember): string | undefined =>
  warnings.filter((warning) => warning.startsWith(`${member} `)).join(' ') || undefined

const isOfNoField = (warning: string): boolean => !formMemberNames.some((member) => warning.startsWith(`${member} `))

function MemberField({ member, typed: typedOfMember, set, warning, result }: MemberFieldProps) {
  const { form, label, hint, required, lines, fault, values, among }: Written = formMembers[member]
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
  return (
    <Field
      label={label()}
      name={member}
      value={typed}
      onInput={set}
      hint={hint?.()}
      message={fault?.(typed)}
      told={warning}
      {...(required && { required })}
      {...(lines && { lines })}
      {...(form === 'seconds' && { inputmode: 'numeric' as const })}
      result={result}
    />
  )
}
