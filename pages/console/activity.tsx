import { useMemo, useRef } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { fill } from '../texts.ts'
import { Chips } from './activity-chips.tsx'
import type { Entry } from './activity-entry.ts'
import { Export } from './activity-export.tsx'
import { FilterForm } from './activity-filters.tsx'
import { eachOnce, type Live, shownAtMost, useLive } from './activity-live.ts'
import { filtersOf, noFilters, queryOf } from './activity-query.ts'
import { Story } from './activity-story.tsx'
import { Verify } from './activity-verify.tsx'
import { type Call, get } from './api.ts'
import { Frame } from './frame.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { ProblemNotice } from './problem.tsx'
import { type Place, setQuery, usePlace } from './router.tsx'
import { words } from './texts.ts'

export const firstCalls = ({ query }: Place): readonly Call[] => [get('/audit', queryOf(filtersOf(query), new Date()))]

/** `/admin/activity`: the audit trail, as a story. */
export default function ActivityPage() {
  const place = usePlace()
  const filters = filtersOf(place.query)
  const key = JSON.stringify(filters)
  const query = queryOf(filters, new Date())
  // What comes is not of a period that ends.
  const mayFollow = query.until === ''
  const isFollowing = mayFollow && place.query.get('follow') !== 'false'
  const list = useList<Entry>('/audit', query)
  const top = useRef<HTMLDivElement>(null)
  const isAway = () =>
    (top.current?.getBoundingClientRect().top ?? 0) < 0 || top.current?.querySelector('[aria-expanded=true]') != null
  const live = useLive(query, isFollowing, list, isAway)
  const items = useMemo(() => merged(live.entries, list.items), [live.entries, list.items])
  const sentFrom = useRef<string | null>(null)
  const me = useMe()
  const text = words().activity
  const isFiltered = JSON.stringify(noFilters) !== key
  return (
    <Frame
      page="activity"
      title={words().pages.activity}
      lead={text.lead}
      busy={list.items === null && list.failed === null}
    >
      <Section id="filters" title={text.filters}>
        <Chips filters={filters} />
        <FilterForm key={key} filters={filters} sentFrom={sentFrom} />
      </Section>
      <Section id="entries" title={text.title}>
        <div class="story-tools">
          {mayFollow && (
            <Button onClick={() => setQuery({ follow: isFollowing ? 'false' : '' })}>
              {isFollowing ? text.pause : text.follow}
            </Button>
          )}
          <p class="quiet" role="status">
            {isFollowing && !live.failed && saidOf(live)}
          </p>
          <Export key={key} query={query} />
        </div>
        {isFollowing && live.failed && <ProblemNotice result={live.failed} />}
        <div ref={top} class="story-list">
          {(live.held > 0 || live.isBehind) && (
            <p class="story-held">
              <Button
                look="main"
                onClick={() => {
                  live.release()
                  document.getElementById('entries')?.scrollIntoView()
                }}
              >
                {live.isBehind ? text.behind : fill(text.held, { count: live.held })}
              </Button>
            </p>
          )}
          <Story list={{ ...list, items }} empty={isFiltered ? text.emptyFiltered : text.empty} />
        </div>
      </Section>
      {me.may('admin:audit') && (
        <Section id="verify" title={text.verifyTitle}>
          <Verify />
        </Section>
      )}
    </Frame>
  )
}

function saidOf({ state, entries, held }: Live): string {
  const text = words().activity
  if (state !== 'open') return text[state]
  const count = entries.length + held
  if (count === 0) return text.followed
  return count < shownAtMost ? fill(text.newOnes, { count }) : fill(text.cut, { count: numberInWords(count) })
}

/** What came since, and what was read: each entry once, newest first. */
function merged(live: readonly Entry[], read: Entry[] | null): Entry[] | null {
  if (read === null || live.length === 0) return read
  return eachOnce([...live, ...read]).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}
