import { useEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { fill } from '../texts.ts'
import { call } from './api.ts'
import { ScopeChoice } from './application-fields.tsx'
import { Gallery, TemplateMark } from './application-gallery.tsx'
import type { Template, WithSecret } from './application-kinds.ts'
import { keepRegistered } from './application-registered.ts'
import { nameOf, own } from './application-templates.ts'
import { Field, useChange } from './change.tsx'
import { Frame } from './frame.tsx'
import { NotLoaded, Part, useLoaded } from './loaded.tsx'
import { messagesFor } from './problem.tsx'
import { linesFault, linesOf } from './redirect-address.ts'
import { at, go, usePlace } from './router.tsx'
import { type Kind, kindNames, kinds, redirects } from './safe-kinds.ts'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** `/admin/applications/new`: the choice, and with `?for=` the form of what was chosen. */
export function NewApplication() {
  const { query } = usePlace()
  const templates = useLoaded<{ items: Template[] }>('/client-templates')
  const chosen = query.get('for') ?? ''
  const text = words().applications
  const chosenBefore = useRef(chosen)
  // The tile that was pressed is gone, and the page keeps its title.
  useEffect(() => {
    const isLost = chosenBefore.current !== chosen && document.activeElement === document.body
    chosenBefore.current = chosen
    if (isLost) document.querySelector<HTMLElement>('main h1')?.focus()
  }, [chosen])
  const template = templates.value?.items.find(({ id }) => id === chosen)
  const isWaiting = templates.value === null && chosen !== '' && chosen !== own
  return (
    <Frame page="applications" title={text.add} isBelow busy={isWaiting}>
      {chosen === own ? (
        <Registration key={own} template={undefined} />
      ) : template !== undefined ? (
        <Registration key={template.id} template={template} />
      ) : isWaiting && templates.failed === null ? (
        <Part loaded={templates}>{() => null}</Part>
      ) : isWaiting && templates.failed !== null ? (
        <NotLoaded failed={templates.failed} reload={templates.reload} />
      ) : (
        <Gallery templates={templates} />
      )}
    </Frame>
  )
}

/** `template` undefined: the kind is chosen, and redirect addresses are typed. */
function Registration({ template }: { template: Template | undefined }) {
  const [base, setBase] = useState('')
  const [kind, setKind] = useState<Kind>('spa')
  const [name, setName] = useState(template === undefined ? '' : nameOf(template).name)
  const [addresses, setAddresses] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const change = useChange()
  const text = words().applications
  const nameBox = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The name is a proposal: what is typed replaces it.
    if (template === undefined) return
    nameBox.current?.focus()
    nameBox.current?.select()
  }, [])
  const asKind = {
    ...kinds[kind],
    ...(redirects(kind) && { redirect_uris: linesOf(addresses) }),
    scope: scopes.filter((one) => kind !== 'machine' || one !== 'offline_access').join(' '),
  }
  const members = template === undefined ? asKind : forTemplate(template, base, scopes)
  const save = () =>
    change.run(
      () => call<WithSecret>({ method: 'POST', path: '/clients', body: { client_name: name.trim(), ...members } }),
      (made) => {
        keepRegistered(made)
        go(at('applications', made.client_id, 'setup'), { replace: true })
      },
    )
  const choice = <ScopeChoice chosen={scopes} set={setScopes} messages={messagesFor(change.failed, 'scope')} />
  return (
    <Section id="application" title={template === undefined ? text.newTitle : <Chosen template={template} />}>
      <p>
        <a href={at('applications', 'new')}>{words().gallery.change}</a>
      </p>
      <SaveForm
        change={change}
        shown={['client_name', 'base_url', 'redirect_uris', 'scope']}
        save={save}
        label={text.add}
      >
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
          boxRef={nameBox}
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
        {template === undefined ? (
          choice
        ) : (
          <details open={messagesFor(change.failed, 'scope').length > 0}>
            <summary>{words().gallery.scopes}</summary>
            {choice}
          </details>
        )}
      </SaveForm>
    </Section>
  )
}

const forTemplate = ({ id, takes }: Template, base: string, scopes: readonly string[]) => ({
  template: id,
  ...(takes !== 'nothing' && base.trim() !== '' && { base_url: base.trim() }),
  ...(scopes.length > 0 && { scope: scopes.join(' ') }),
})

/** What was chosen, as its tile shows it. */
export function Chosen({ template }: { template: Template }) {
  const { name, library } = nameOf(template)
  return (
    <span class="chosen">
      <TemplateMark template={template} />
      <span>
        <bdi>{name}</bdi>
        {library && (
          <small class="quiet">
            <bdi>{library}</bdi>
          </small>
        )}
      </span>
    </span>
  )
}
