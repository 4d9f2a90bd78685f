import { ClientLogo } from '../client-logo.tsx'
import { Section } from '../kit/area.tsx'
import { List } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { entry, fillNodes, texts } from '../texts.ts'
import { change } from './json.ts'
import { AreaPage, useLoaded, useProfile } from './loaded.tsx'
import { Asking } from './task.tsx'
import { words } from './texts.ts'
import { withWhen } from './when.tsx'

type Scope = { name: string; display_name: string | null; description: string | null }
type Application = {
  client_id: string
  name: string | null
  self_registered: boolean
  has_logo: boolean
  scope_descriptions: Scope[]
  created_at: string
  last_used_at: string | null
}

export default function ApplicationsPage() {
  const profile = useProfile()
  const applications = useLoaded<{ items: Application[] }>('/Account/Self/applications')
  const [said, say] = useSaid()
  const text = words().applications
  const items = applications.value?.items ?? []
  return (
    <AreaPage area="applications" lead={text.lead} profile={profile} others={[applications]}>
      {() => (
        <Section id="applications" title={text.title}>
          {said}
          <List items={items} empty={text.none}>
            {(one) => <Item key={one.client_id} application={one} reload={applications.reload} say={say} />}
          </List>
        </Section>
      )}
    </AreaPage>
  )
}

type ItemProps = { application: Application; reload(): Promise<void>; say(text: string): void }

function Item({ application: one, reload, say }: ItemProps) {
  const text = words().applications
  const common = words().common
  const id = one.client_id
  const name = <bdi>{one.name || id}</bdi>
  const scopes = one.scope_descriptions.filter((scope) => scope.name !== 'openid')
  return (
    <li class="item">
      <div class="what">
        <strong id={`app-${id}`} class="with-logo">
          {name}
          {one.has_logo && <ClientLogo id={id} />}
        </strong>
        {one.self_registered && <p>{text.selfRegistered}</p>}
        <p>
          {withWhen(text.given, one.created_at)} ·{' '}
          {one.last_used_at ? withWhen(common.lastUsed, one.last_used_at) : common.neverUsed}
        </p>
        {scopes.length === 0 ? (
          <p>{text.onlySignIn}</p>
        ) : (
          <>
            <p>{text.may}</p>
            <ul class="plain">
              {scopes.map((scope) => (
                <li key={scope.name}>
                  <bdi>{scope.display_name || builtIn(scope.name)}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Asking
        label={text.remove}
        question={fillNodes(text.ask, { name })}
        body={text.askBody}
        name={`remove-${id}`}
        describedBy={`app-${id}`}
        act={() => change('DELETE', `/Account/Self/applications/${encodeURIComponent(id)}`)}
        then={async () => {
          await reload()
          say(text.removed)
        }}
      />
    </li>
  )
}

function builtIn(scope: string): string {
  const known: Record<string, { name: string }> = texts.consent.builtInScopes
  return entry(known, scope, { name: scope }).name
}
