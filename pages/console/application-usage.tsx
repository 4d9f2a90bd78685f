import { numberInWords, When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Facts } from '../kit/list.tsx'
import { fill, fillNodes } from '../texts.ts'
import { type Application, kindOf, pathOf } from './application-kinds.ts'
import { Refusals } from './application-refusals.tsx'
import { Chart, ChartTable } from './home-charts.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Usage = {
  counted_since: string | null
  last_used: string | null
  days: { day: string; sign_ins: number; tokens: number }[]
  counts: { consents: number; grants: number; exact: boolean }
}

type Props = {
  client: Application
  etag: string | null
  saved(client: Application, etag: string | null): void
}

/** Who uses the application, how much, and what it was refused. */
export function ApplicationUsage({ client, etag, saved }: Props) {
  const me = useMe()
  const hasPeople = kindOf(client) !== 'machine'
  return (
    <>
      <Days client={client} hasPeople={hasPeople} />
      {hasPeople && me.may('admin:users:read') && <People id={client.client_id} />}
      {me.may('admin:audit:read') && <Refusals client={client} etag={etag} saved={saved} />}
    </>
  )
}

function Days({ client, hasPeople }: { client: Application; hasPeople: boolean }) {
  const loaded = useLoaded<Usage>(`${pathOf(client.client_id)}/usage`)
  const text = words().applications
  const { charts } = words().home
  return (
    <Section id="usage" title={text.usageTitle}>
      <Part loaded={loaded}>
        {({ days, counts, last_used, counted_since }) => {
          const series = [
            ...(hasPeople
              ? [{ title: charts.signIns, points: days.map((one) => [one.day, one.sign_ins] as const) }]
              : []),
            { title: charts.tokens, points: days.map((one) => [one.day, one.tokens] as const) },
          ]
          const counted = (count: number) =>
            counts.exact ? numberInWords(count) : fill(words().home.atLeast, { count: numberInWords(count) })
          return (
            <>
              <Facts
                facts={[
                  [text.lastUsed, last_used === null ? text.never : <When key="last" iso={last_used} />],
                  [text.grants, hasPeople && counted(counts.grants)],
                  [text.consents, hasPeople && counted(counts.consents)],
                ]}
              />
              <div class="charts below">
                {series.map(({ title, points }) => (
                  <Chart key={title} title={title} parts={[points]} step="day" />
                ))}
              </div>
              <ChartTable label={words().applications.usageTitle} step="day" series={series} />
              {counted_since !== null && (
                <p class="quiet">{fillNodes(text.countedSince, { time: <When iso={counted_since} dayOnly /> })}</p>
              )}
            </>
          )
        }}
      </Part>
    </Section>
  )
}

type Using = { user_id: string; grants: number; consents: number; last_used_at: string | null }

function People({ id }: { id: string }) {
  const loaded = useLoaded<{ items: Using[]; complete: boolean }>(`${pathOf(id)}/people`)
  const text = words().applications
  return (
    <Section id="people" title={words().pages.people}>
      <Part loaded={loaded}>
        {({ items, complete }) =>
          items.length === 0 ? (
            <p class="quiet">{text.peopleNone}</p>
          ) : (
            <>
              <PeopleList items={items} />
              {!complete && <p class="quiet">{text.peopleMore}</p>}
            </>
          )
        }
      </Part>
    </Section>
  )
}

/** Names come with one call for all of them. */
function PeopleList({ items }: { items: readonly Using[] }) {
  const named = useLoaded<{ items: { id: string; username: string; email: string }[] }>('/users', {
    id: items.map(({ user_id }) => user_id),
  })
  const text = words().applications
  return (
    <Part loaded={named}>
      {(people) => (
        <ul class="items rows">
          {items.map(({ user_id, grants, consents, last_used_at }) => {
            const person = people.items.find((one) => one.id === user_id)
            return (
              <li key={user_id}>
                <a class="row" href={at('people', user_id)}>
                  <strong>
                    <bdi>{person?.username ?? user_id}</bdi>
                  </strong>
                  <span class="quiet">
                    <bdi>{person?.email}</bdi>
                  </span>
                  <span class="quiet">
                    {[
                      grants > 0 && fill(text.grantCount, { count: grants }),
                      consents > 0 && fill(text.consentCount, { count: consents }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  <span class="quiet">{last_used_at !== null && <When iso={last_used_at} />}</span>
                </a>
              </li>
            )
          })}
        </ul>
      )}
    </Part>
  )
}
