import { Section } from '../kit/area.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { RowLink } from '../kit/list.tsx'
import { OneApplication } from './application.tsx'
import { type Application, kindOf } from './application-kinds.ts'
import { NewApplication } from './application-new.tsx'
import { tabAt } from './application-tabs.tsx'
import { TestedSignIn } from './application-test-result.tsx'
import { Field } from './change.tsx'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { at, setQuery, usePlace } from './router.tsx'
import { words } from './texts.ts'

/** `/admin/applications`, `/admin/applications/new`, `/admin/applications/ID` and its pages. */
export default function ApplicationsPage({ segments }: { segments: readonly string[] }) {
  const [, id, part] = segments
  if (id === undefined) return <ApplicationList />
  if (id === 'new' && part === undefined) return <NewApplication />
  if (part === 'test') return <TestedSignIn key={id} id={id} />
  return <OneApplication key={id} id={id} tab={tabAt(part) ?? 'settings'} />
}

function ApplicationList() {
  const { query } = usePlace()
  const me = useMe()
  const text = words().applications
  const search = query.get('search') ?? ''
  const type = query.get('type') ?? ''
  const list = useList<Application>('/clients', { search: search.trim(), type })
  return (
    <Frame
      page="applications"
      title={words().pages.applications}
      lead={text.lead}
      busy={list.items === null}
      actions={me.may('admin:clients') && <ButtonLink href={at('applications', 'new')}>{text.add}</ButtonLink>}
    >
      <Section id="applications" title={words().pages.applications}>
        <div class="filters">
          <Field
            label={text.search}
            name="search"
            type="search"
            value={search}
            onInput={(value) => setQuery({ search: value })}
          />
          <Select
            label={text.type}
            value={type}
            options={[
              ['', text.all],
              ['public', text.public],
              ['confidential', text.confidential],
            ]}
            onChange={(value) => setQuery({ type: value })}
          />
        </div>
        <ListPart list={list} empty={search || type ? text.emptySearch : text.empty}>
          {(one) => (
            <RowLink key={one.client_id} href={at('applications', one.client_id)} name={one.client_name}>
              <span class="quiet">
                <bdi>{one.client_id}</bdi>
              </span>
              <span class="quiet">{text.kinds[kindOf(one)]}</span>
            </RowLink>
          )}
        </ListPart>
      </Section>
    </Frame>
  )
}
