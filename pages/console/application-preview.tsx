import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Form } from '../kit/field.tsx'
import { call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { InEnglish, ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

type Owner = { scope?: string; client?: string; resource?: string }
type Shown = {
  claims: Record<string, unknown>
  rules: ({ claim: string; from: string } & Owner)[]
  left_out: { claim: string; why: string }[]
}
type Preview = Record<'id_token' | 'access_token' | 'userinfo' | 'introspection', Shown | null>

const places = ['id_token', 'access_token', 'userinfo', 'introspection'] as const

/** What tokens of the application would say about a person. Nothing is issued. */
export function TokenPreview({ id, scope }: { id: string; scope: string }) {
  const [user, setUser] = useState('')
  const [preview, setPreview] = useState<Preview | null>(null)
  const change = useChange()
  const text = words().preview
  const isNobody = change.failed?.kind === 'refused' && change.failed.problem.status === 404
  const show = () =>
    change.run(
      () =>
        call<Preview>({
          method: 'POST',
          path: `/clients/${encodeURIComponent(id)}/preview`,
          body: { user: user.trim(), scope },
        }),
      setPreview,
    )
  return (
    <Section id="preview" title={text.title}>
      <p class="quiet">{text.lead}</p>
      <Form onSubmit={show}>
        <Field
          label={text.person}
          name="user"
          value={user}
          onInput={setUser}
          result={change.failed}
          message={isNobody ? words().activity.personUnknown : undefined}
          required
        />
        {change.failed && !isNobody && <ProblemNotice result={change.failed} shown={['user']} />}
        <Button type="submit" busy={change.busy}>
          {text.show}
        </Button>
      </Form>
      {preview &&
        change.failed === null &&
        places.map((place) => <Claims key={place} title={words().rules.places[place]} shown={preview[place]} />)}
    </Section>
  )
}

function Claims({ title, shown }: { title: string; shown: Shown | null }) {
  if (shown === null) return null
  const { leftOut } = words().preview
  return (
    <>
      <h3>{title}</h3>
      <div class="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keys */}
        <pre tabIndex={0} dir="ltr">
          <code>{JSON.stringify(shown.claims, null, 2)}</code>
        </pre>
      </div>
      {shown.rules.length > 0 && (
        <ul class="quiet">
          {shown.rules.map(({ claim, from, ...owner }) => (
            <li key={`${claim} ${JSON.stringify(owner)}`}>
              <bdi>{claim}</bdi> ← <bdi>{from}</bdi> (<bdi>{Object.values(owner).join(', ')}</bdi>)
            </li>
          ))}
        </ul>
      )}
      {shown.left_out.length > 0 && (
        <>
          <p class="quiet">{leftOut}</p>
          <ul class="quiet">
            {shown.left_out.map(({ claim, why }) => (
              <li key={claim}>
                <bdi>{claim}</bdi>: <InEnglish>{why}</InEnglish>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
