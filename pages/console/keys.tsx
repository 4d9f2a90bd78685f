import type { ComponentChildren } from 'preact'
import { durationInWords, When, withWhen } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Item } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fill, fillNodes } from '../texts.ts'
import { type Call, call, get } from './api.ts'
import { Asking } from './change.tsx'
import { Frame } from './frame.tsx'
import { KeyTimeline, shortId } from './key-timeline.tsx'
import { type Key, momentsOf, stepsOf } from './key-times.ts'
import { ListPart } from './list.tsx'
import { type List, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { words } from './texts.ts'

type Setting = { name: string; value: unknown }

export const firstCalls = (): readonly Call[] => [get('/keys', { limit: 500 })]

/** `/admin/keys`: what signs, since when, and what comes next. */
export default function KeysPage() {
  const list = useList<Key>('/keys', { limit: 500 })
  const me = useMe()
  const text = words().keys
  return (
    <Frame page="keys" title={words().pages.keys} lead={text.lead} busy={list.items === null && list.failed === null}>
      <Section id="signing" title={text.signing}>
        <TimeLines list={list} />
      </Section>
      <Section id="next" title={text.next}>
        <Steps keys={list.items?.filter(isForTokens) ?? []} />
        {me.may('admin:read') ? <Schedule keys={list.items ?? []} /> : null}
        {me.may('admin:keys') && (
          <>
            <p class="quiet">{text.rotateLead}</p>
            <Asking
              label={text.rotate}
              question={text.rotateAsk}
              body={
                <>
                  <p>{text.rotateBody}</p>
                  <p>{text.rotateCaches}</p>
                </>
              }
              act={() => call({ method: 'POST', path: '/keys/rotate' })}
              then={async () => {
                await list.reload()
                toast(text.rotated)
              }}
            />
          </>
        )}
      </Section>
      <Section id="secrets" title={text.others}>
        <p class="quiet">{text.othersLead}</p>
        <Purposes list={list} isMeant={(key) => !isForTokens(key)} />
      </Section>
    </Frame>
  )
}

const isForTokens = ({ use }: Key): boolean => use === 'sign'

/** The signing keys, a picture for each algorithm. */
function TimeLines({ list }: { list: List<Key> }) {
  const algorithms = Object.entries(Object.groupBy(list.items?.filter(isForTokens) ?? [], (key) => key.algorithm))
  return (
    <ListPart list={{ ...list, items: list.items && algorithms }} empty={words().keys.empty}>
      {([algorithm, keys = []]) => (
        <li key={algorithm} class="item">
          <div class="what">
            <strong>{algorithm}</strong>
            <KeyTimeline keys={keys} algorithm={algorithm} />
          </div>
        </li>
      )}
    </ListPart>
  )
}

/** What happens by itself from now on. */
function Steps({ keys }: { keys: readonly Key[] }) {
  const steps = stepsOf(momentsOf(keys), Date.now())
  const text = words().keys.timeline
  if (steps.length === 0) return null
  return (
    <ol class="plain">
      {steps.map(({ atMs, what, key }) => (
        <li key={`${what} ${key.id}`}>
          {fillNodes(what === 'signs' ? text.willSign : text.willEnd, {
            when: <When iso={new Date(atMs).toISOString()} />,
            algorithm: key.algorithm,
            key: <code dir="ltr">{shortId(key.id)}</code>,
          })}
        </li>
      ))}
    </ol>
  )
}

/** When the service itself replaces the keys. */
function Schedule({ keys }: { keys: readonly Key[] }) {
  const { value } = useLoaded<{ items: Setting[] }>('/settings')
  const text = words().keys
  if (value === null) return null
  const everySeconds = Number(value.items.find(({ name }) => name === 'Keys:RotateEvery')?.value ?? 0)
  if (everySeconds === 0) return <p>{text.neverRotated}</p>
  const lastMs = Math.min(...keys.filter(({ state }) => state === 'active').map(({ active_at: at }) => Date.parse(at)))
  const isReplaced = keys.some(({ state }) => state === 'published')
  return (
    <p>
      {fill(text.rotatedEvery, { period: durationInWords(everySeconds) })}{' '}
      {!isReplaced &&
        Number.isFinite(lastMs) &&
        withWhen(text.nextRotation, new Date(lastMs + everySeconds * 1000).toISOString())}
    </p>
  )
}

/** Keys of one purpose replace one another. */
function Purposes({ list, isMeant }: { list: List<Key>; isMeant(key: Key): boolean }) {
  const purposes = Object.values(
    Object.groupBy(list.items?.filter(isMeant) ?? [], (one) => `${one.use} ${one.algorithm}`),
  )
  return (
    <ListPart list={{ ...list, items: list.items && (purposes as Key[][]) }} empty={words().keys.empty}>
      {(own, index) => <Purpose key={index} keys={own} />}
    </ListPart>
  )
}

const order = ['active', 'published', 'retired', 'expired'] as const

function Purpose({ keys }: { keys: readonly Key[] }) {
  const [first] = keys
  const text = words().keys
  const sorted = [...keys].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || Date.parse(b.active_at) - Date.parse(a.active_at),
  )
  if (first === undefined) return null
  const { use, algorithm } = first
  const uses: Record<string, string> = text.uses
  return (
    <Item title={uses[use] ?? use}>
      {' '}
      {algorithm !== 'secret' && <span class="tag">{algorithm}</span>}
      <ul class="keys-of">
        {sorted.map((key) => (
          <li key={key.id}>
            <span class={`tag ${key.state}`}>{text.states[key.state]}</span> <span>{timesOf(key)}</span>{' '}
            <code dir="ltr">{key.id}</code>
          </li>
        ))}
      </ul>
    </Item>
  )
}

function timesOf({ state, active_at, expires_at }: Key): ComponentChildren {
  const text = words().keys
  const from = <When iso={active_at} />
  if (state === 'published') return fillNodes(text.usedFrom, { from })
  if (expires_at === null) return state === 'active' ? fillNodes(text.usedSince, { from }) : text.keptOpen
  const until = <When iso={expires_at} />
  if (state === 'active') return fillNodes(text.usedUntil, { from, until })
  return fillNodes(state === 'expired' ? text.ended : text.keptUntil, { until })
}
