import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { fill, fillNodes } from '../texts.ts'
import { actorOf, detailsOf, type Entry, type Filters, filtersOf, kindInWords } from './activity-entry.ts'
import { Export } from './activity-export.tsx'
import { FilterForm } from './activity-filters.tsx'
import { type Kind, nameOf, useNames } from './activity-names.ts'
import { Verify } from './activity-verify.tsx'
import { follow } from './events.ts'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { type List, useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish, ProblemNotice } from './problem.tsx'
import { at, setQuery, usePlace } from './router.tsx'
import { words } from './texts.ts'

/** Entries shown while the page follows: older ones give way. */
const SHOWN_AT_MOST = 500

/** `/admin/activity`: the audit trail. */
export default function ActivityPage() {
  const { query } = usePlace()
  const filters = filtersOf(query)
  const key = JSON.stringify(filters)
  // What comes is not of a period that ends.
  const isFollowing = query.has('follow') && filters.until === ''
  const list = useList<Entry>('/audit', filters)
  const live = useLive(filters, isFollowing, list)
  const items = useMemo(() => merged(live.entries, list.items), [live.entries, list.items])
  useNames(items ?? none)
  const me = useMe()
  const text = words().activity
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <Frame page="activity" title={words().pages.activity} lead={text.lead} busy={list.items === null}>
      <Section id="filters" title={text.filters}>
        <FilterForm key={key} filters={filters} />
      </Section>
      <Section id="entries" title={text.title}>
        <div class="buttons">
          <Button
            aria-pressed={isFollowing}
            {...(filters.until !== '' && { disabled: true })}
            onClick={() => setQuery({ follow: isFollowing ? '' : 'true' })}
          >
            {text.follow}
          </Button>
        </div>
        <p class="quiet progress" role="status">
          {isFollowing && live.said}
        </p>
        {isFollowing && live.failed && <ProblemNotice result={live.failed} />}
        <ListPart list={{ ...list, items }} empty={isFiltered ? text.emptyFiltered : text.empty}>
          {(one) => <Row key={one.hash} entry={one} />}
        </ListPart>
      </Section>
      {me.may('admin:audit') && (
        <Section id="verify" title={text.verifyTitle}>
          <Verify />
        </Section>
      )}
      <Section id="export" title={text.exportTitle}>
        <p class="quiet">{text.exportLead}</p>
        <Export key={key} filters={filters} />
      </Section>
    </Frame>
  )
}

const none: readonly Entry[] = []

/** What came since, and what was read: each entry once, newest first. */
function merged(live: readonly Entry[], read: Entry[] | null): Entry[] | null {
  if (read === null || live.length === 0) return read
  const known = new Set(read.map(({ hash }) => hash))
  const all = [...live.filter(({ hash }) => !known.has(hash)), ...read]
  return all.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

/** Entries that are recorded while the page is open. */
function useLive(filters: Filters, isOn: boolean, list: List<Entry>) {
  const [entries, setEntries] = useState<readonly Entry[]>(none)
  const [state, setState] = useState<'connecting' | 'open' | 'waiting'>('connecting')
  const [failed, setFailed] = useState<Parameters<typeof ProblemNotice>[0]['result'] | null>(null)
  const { since: _since, until: _until, ...members } = filters
  const key = JSON.stringify([isOn, filters])

  // What has come stays when the page no longer follows.
  useEffect(() => setEntries(none), [JSON.stringify(filters)])

  useEffect(() => {
    setState('connecting')
    setFailed(null)
    if (!isOn) return
    let isFirst = true
    return follow(
      { method: 'GET', path: '/audit/stream', query: members },
      {
        opened() {
          setState('open')
          setFailed(null)
          // What was recorded between the list and the stream.
          if (isFirst) void list.reload()
          isFirst = false
        },
        message: (data) => setEntries((before) => [JSON.parse(data) as Entry, ...before].slice(0, SHOWN_AT_MOST)),
        waiting: () => setState('waiting'),
        refused: setFailed,
      },
    )
  }, [key])

  const text = words().activity
  const said: Record<typeof state, string> = {
    connecting: text.connecting,
    waiting: text.waiting,
    open:
      entries.length === 0
        ? text.followed
        : entries.length < SHOWN_AT_MOST
          ? fill(text.newOnes, { count: entries.length })
          : fill(text.cut, { count: numberInWords(entries.length) }),
  }
  return { entries, failed, said: failed ? '' : said[state] }
}

function Row({ entry }: { entry: Entry }) {
  const { at: iso, kind, user_id: userId, client_id: clientId, address, trace_id: traceId } = entry
  const text = words().activity
  const actor = actorOf(entry)
  const details = detailsOf(entry)
  return (
    <li class="entry">
      <p class="entry-what">
        <strong>{kindInWords(kind)}</strong> <Time iso={iso} />
      </p>
      <p class="entry-who">
        {userId !== null && <Named kind="user" id={userId} />}
        {actor && (
          <span>
            {fillNodes(text.by, {
              name: actor.kind ? <Named kind={actor.kind} id={actor.id} /> : <bdi>{actor.id}</bdi>,
            })}
          </span>
        )}
        {clientId !== null && <Named kind="client" id={clientId} />}
        {address !== null && <bdi class="quiet">{address}</bdi>}
      </p>
      {details.length > 0 && (
        <dl class="entry-details">
          {details.map(([name, value]) => (
            <div key={name}>
              <dt>
                <InEnglish>{name}</InEnglish>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {traceId !== null && (
        <p class="entry-trace">
          <a href={at('explain', traceId)} aria-label={`${text.explain} ${traceId}`}>
            <code dir="ltr">{traceId}</code>
          </a>{' '}
          <a href={`${at('activity')}?trace_id=${traceId}`} aria-label={`${text.ofRequest} ${traceId}`}>
            {text.ofRequest}
          </a>
        </p>
      )}
    </li>
  )
}

/** To the second: what happened first matters here. */
function Time({ iso }: { iso: string }) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time class="quiet" dateTime={iso}>
      {format.format(new Date(iso))}
    </time>
  )
}

const pagesOf = { user: 'people', client: 'applications' } as const

/** A name that leads to its page. The id stands for a record that is gone, or that the visitor may not read. */
function Named({ kind, id }: { kind: Kind; id: string }): ComponentChildren {
  const name = nameOf(kind, id)
  return name ? (
    <a href={at(pagesOf[kind], id)}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <code dir="ltr">{id}</code>
  )
}
