import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { Facts } from '../kit/list.tsx'
import { fill } from '../texts.ts'
import { call } from './api.ts'
import { CodeSection, SetupSection } from './application-code.tsx'
import { ScopeChoice, SecretShown } from './application-fields.tsx'
import { type Kind, kindNames, kinds, redirects, type Template, type WithSecret } from './application-kinds.ts'
import { Field, useChange } from './change.tsx'
import { Frame } from './frame.tsx'
import { useLoaded } from './loaded.tsx'
import { messagesFor } from './problem.tsx'
import { linesFault, linesOf } from './redirect-address.ts'
import { at } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** `/admin/applications/new`: the secret and the code of what was registered stand in its place afterwards. */
export function NewApplication() {
  const [library, setLibrary] = useState('')
  const [base, setBase] = useState('')
  const [kind, setKind] = useState<Kind>('spa')
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const [made, setMade] = useState<WithSecret | null>(null)
  const templates = useLoaded<{ items: Template[] }>('/client-templates')
  const change = useChange()
  const text = words().applications

  if (made) {
    return (
      <Frame
        key="made"
        page="applications"
        title={<bdi>{made.client_name}</bdi>}
        windowTitle={made.client_name}
        isBelow
      >
        <Section id="registered" title={text.registered}>
          <SecretShown client={made} />
          <Facts facts={[[text.clientId, <code dir="ltr">{made.client_id}</code>]]} />
          <div class="below">
            <ButtonLink href={at('applications', made.client_id)}>{text.open}</ButtonLink>
          </div>
        </Section>
        {made.setup === undefined ? <CodeSection client={made} /> : <SetupSection setup={made.setup} />}
      </Frame>
    )
  }
  const template = (templates.value?.items ?? []).find(({ id }) => id === library)
  const asKind = {
    ...kinds[kind],
    ...(redirects(kind) && { redirect_uris: linesOf(addresses) }),
    scope: scopes.filter((one) => kind !== 'machine' || one !== 'offline_access').join(' '),
  }
  const forLibrary = {
    template: library,
    ...(template?.takes !== 'nothing' && base.trim() !== '' && { base_url: base.trim() }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  const save = () =>
    change.run(
      () =>
        call<WithSecret>({
          method: 'POST',
          path: '/clients',
          body: { client_name: name.trim(), ...(template === undefined ? asKind : forLibrary) },
        }),
      setMade,
    )
  return (
    <Frame page="applications" title={text.add} isBelow>
      <Section id="application" title={text.newTitle}>
        <SaveForm
          change={change}
          shown={['client_name', 'base_url', 'redirect_uris', 'scope']}
          save={save}
          label={text.add}
        >
          <Select
            label={text.library}
            value={library}
            hint={text.libraryHint}
            options={[
              ['', text.noLibrary],
              ...(templates.value?.items ?? []).map(({ id, title }) => [id, title] as const),
            ]}
            onChange={setLibrary}
          />
          {template === undefined && (
            <Select
              label={text.kind}
              value={kind}
              hint={text.kindHints[kind]}
              options={kindNames.map((one) => [one, text.kinds[one]])}
              onChange={(value) => setKind(value as Kind)}
            />
          )}
          <Field
            label={words().common.name}
            name="client_name"
            value={name}
            onInput={setName}
            hint={text.nameHint}
            required
            result={change.failed}
          />
          {template?.default_url !== undefined && (
            <Field
              label={text.base}
              name="base_url"
              value={base}
              onInput={setBase}
              hint={fill(text.baseHint, { url: template.default_url })}
              result={change.failed}
            />
          )}
          {template === undefined && redirects(kind) && (
            <Field
              label={text.redirect}
              name="redirect_uris"
              value={addresses}
              onInput={setAddresses}
              hint={text.redirectHint}
              lines={3}
              required
              message={linesFault(addresses)}
              result={change.failed}
            />
          )}
          <ScopeChoice chosen={scopes} set={setScopes} messages={messagesFor(change.failed, 'scope')} />
        </SaveForm>
      </Section>
    </Frame>
  )
}
