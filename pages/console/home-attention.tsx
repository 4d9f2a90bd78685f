import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { toast } from '../kit/toast.tsx'
import { fill, fillNodes } from '../texts.ts'
import { type Call, call, get, type Result } from './api.ts'
import { useChange } from './change.tsx'
import { type Me, useMe } from './me.tsx'
import { ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Mail = { id: string; to: string; purpose: string; state: string; error: string | null; created_at: string }
type Key = { id: string; use: string; algorithm: string; state: string; active_at: string; expires_at: string | null }
type Refused = { id: string; name: string; count: number }

type Found = {
  mails: Mail[]
  keys: Key[]
  refused: Refused[]
  /** Whether there are more refusals than were counted. */
  isMore: boolean
  failed: Exclude<Result<unknown>, { kind: 'ok' }> | null
}

const dayMs = 86_400_000
/** A key that ends within this time needs a successor. */
const keyEndsMs = 14 * dayMs
/** Of each kind. */
const shownAtMost = 5
const consoleId = 'latchkey-console'

/** What fails, ends or is refused, each with a way to mend it. */
export function Attention() {
  const me = useMe()
  const [found, setFound] = useState<Found | null>(null)
  const text = words().home
  const look = async () => setFound(await gather(me))
  useEffect(() => {
    void look()
  }, [])

  return (
    <Section id="attention" title={text.attention}>
      {found === null ? <Skeleton rows={['line']} /> : <Items found={found} look={look} />}
    </Section>
  )
}

type ItemsProps = { found: Found; look(): Promise<void> }

function Items({ found: { mails, keys, refused, isMore, failed }, look }: ItemsProps) {
  const text = words().home
  const count = mails.length + keys.length + refused.length
  if (failed) return <ProblemNotice result={failed} />
  if (count === 0) return <p class="well">{text.nothing}</p>
  return (
    <ul class="items">
      {mails.slice(0, shownAtMost).map((one) => (
        <FailedMail
          key={one.id}
          mail={one}
          retried={async () => {
            await look()
            toast(fillNodes(text.mailRetried, { to: <bdi>{one.to}</bdi> }))
          }}
        />
      ))}
      {mails.length > shownAtMost && (
        <li class="item">
          <p class="what">{fill(text.moreMails, { count: mails.length - shownAtMost })}</p>
        </li>
      )}
      {keys.map(({ id, algorithm, expires_at }) => (
        <Item key={id} link={{ address: at('keys'), label: words().pages.keys }}>
          {fillNodes(expires_at === null ? text.keyOverdue : text.keyEnds, {
            key: <bdi>{algorithm}</bdi>,
            when: expires_at === null ? '' : <When iso={expires_at} dayOnly />,
          })}
        </Item>
      ))}
      {refused.slice(0, shownAtMost).map(({ id, name, count }) => (
        <Item key={id} link={{ address: at('applications', id, 'usage'), label: text.seeWhy, about: name }}>
          {fillNodes(isMore ? text.refusedMore : text.refused, { name: <bdi>{name}</bdi>, count })}
        </Item>
      ))}
      {refused.length > shownAtMost && (
        <Item link={{ address: at('applications'), label: words().pages.applications }}>
          {fill(text.moreRefused, { count: refused.length - shownAtMost })}
        </Item>
      )}
    </ul>
  )
}

type ItemProps = { link: { address: string; label: string; about?: string }; children: ComponentChildren }

function Item({ link: { address, label, about }, children }: ItemProps) {
  return (
    <li class="item">
      <p class="what">{children}</p>
      <ButtonLink look="quiet" href={address} aria-label={about && `${label}: ${about}`}>
        {label}
      </ButtonLink>
    </li>
  )
}

function FailedMail({ mail, retried }: { mail: Mail; retried(): Promise<void> }) {
  const { id, to, purpose, error, created_at } = mail
  const change = useChange()
  const me = useMe()
  const text = words().home
  return (
    <li class="item">
      <div class="what">
        {fillNodes(text.mailFailed, { to: <bdi>{to}</bdi>, purpose })}
        <p>
          <When iso={created_at} />
          {error && (
            <>
              {': '}
              <bdi>{error}</bdi>
            </>
          )}
        </p>
        {change.failed && <ProblemNotice result={change.failed} />}
      </div>
      {me.may('admin:users') && (
        <Button
          busy={change.busy}
          onClick={() =>
            change.run(() => call({ method: 'POST', path: `/mail/${encodeURIComponent(id)}/retry` }), retried)
          }
        >
          {text.sendAgain}
        </Button>
      )}
    </li>
  )
}

type Items<T> = { items: T[]; next: string | null }

const read = <T,>(what: Call) => call<Items<T>>(what)

const mailsFrom = (cursor?: string): Call => get('/mail', { limit: 500, cursor })
const allKeys = get('/keys', { limit: 500 })
const allSettings = get('/settings')
const someClients = get('/clients', { limit: 500 })

/** Those of the last day. */
function lastRefusals(): Call {
  // A whole hour, so that the command of the page stays one that can be repeated.
  const since = new Date(Math.floor((Date.now() - dayMs) / 3_600_000) * 3_600_000).toISOString()
  return get('/audit', { kind: 'refusal', since, limit: 500 })
}

export const firstCallsOfAttention = (): readonly Call[] => [
  mailsFrom(),
  allKeys,
  lastRefusals(),
  someClients,
  allSettings,
]

async function gather(me: Me): Promise<Found> {
  const [mails, keys, refusals] = await Promise.all([
    me.may('admin:users:read') ? failedMails() : none,
    me.may('admin:keys:read') ? endingKeys(me) : none,
    me.may('admin:audit:read') && me.may('admin:clients:read') ? refusedClients() : none,
  ])
  const failed = [mails, keys, refusals].find((one) => 'kind' in one)
  return {
    mails: 'items' in mails ? mails.items : [],
    keys: 'items' in keys ? keys.items : [],
    refused: 'items' in refusals ? refusals.items : [],
    isMore: 'isMore' in refusals && refusals.isMore,
    failed: failed && 'kind' in failed ? failed : null,
  }
}

type Part<T> = { items: T[]; isMore?: boolean } | NonNullable<Found['failed']>
const none = { items: [] }

/** The newest 1,000 mails are two pages, oldest first. */
async function failedMails(): Promise<Part<Mail>> {
  const failed: Mail[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Result<Items<Mail>> = await read<Mail>(mailsFrom(cursor))
    if (page.kind !== 'ok') return page
    failed.push(...page.value.items.filter(({ state }) => state === 'failed'))
    cursor = page.value.next
  }
  return { items: failed.reverse() }
}

/** Keys that sign, end soon or should have been replaced, and have no successor. */
async function endingKeys(me: Me): Promise<Part<Key>> {
  const [keys, settings] = await Promise.all([
    read<Key>(allKeys),
    me.may('admin:read') ? read<{ name: string; value: unknown }>(allSettings) : undefined,
  ])
  if (keys.kind !== 'ok') return keys
  const rotation = settings?.kind === 'ok' && settings.value.items.find(({ name }) => name === 'Keys:RotateEvery')
  const everyMs = rotation ? Number(rotation.value) * 1000 : 0
  const nowMs = Date.now()
  const hasNext = ({ use, algorithm }: Key) =>
    keys.value.items.some((one) => one.state === 'published' && one.use === use && one.algorithm === algorithm)
  const ends = ({ expires_at }: Key) => expires_at !== null && Date.parse(expires_at) < nowMs + keyEndsMs
  // The service replaces its keys by itself within minutes.
  const isOverdue = ({ active_at }: Key) => everyMs > 0 && Date.parse(active_at) + everyMs < nowMs - dayMs
  return {
    items: keys.value.items.filter(
      (one) => one.use === 'sign' && one.state === 'active' && !hasNext(one) && (ends(one) || isOverdue(one)),
    ),
  }
}

/** Applications whose requests were refused in the last day, by their number in the newest 500 refusals. */
async function refusedClients(): Promise<Part<Refused>> {
  const [entries, clients] = await Promise.all([
    read<{ client_id: string | null }>(lastRefusals()),
    read<{ client_id: string; client_name: string }>(someClients),
  ])
  if (entries.kind !== 'ok') return entries
  if (clients.kind !== 'ok') return clients
  const counts = new Map<string, number>()
  for (const { client_id: clientId } of entries.value.items) {
    if (clientId !== null && clientId !== consoleId) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
  }
  const names = new Map(clients.value.items.map((one) => [one.client_id, one.client_name]))
  const items = [...counts]
    // What is not registered any more has no page.
    .filter(([id]) => names.has(id) || clients.value.next !== null)
    .map(([id, count]) => ({ id, name: names.get(id) ?? id, count }))
    .sort((a, b) => b.count - a.count)
  return { items, isMore: entries.value.next !== null }
}
