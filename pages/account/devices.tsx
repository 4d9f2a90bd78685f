import { type Agent as AgentNames, agentInWords } from '../agent-words.ts'
import { Ago } from '../kit/ago.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { List } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { fill, fillNodes } from '../texts.ts'
import { change } from './json.ts'
import { AreaPage, type Loaded, Part, useLoaded, useProfile } from './loaded.tsx'
import { Asking, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { listInWords, withWhen } from './when.tsx'

type Agent = AgentNames & { id: string; current: boolean }
type Session = Agent & {
  address: string | null
  same_network: boolean
  methods: string[]
  created_at: string
  last_seen_at: string
}
type Browser = Agent & { last_used_at: string; remembered_until: string | null }
type Listed<T> = { items: T[] }

export default function DevicesPage() {
  const profile = useProfile()
  const sessions = useLoaded<Listed<Session>>('/Account/Self/sessions')
  const browsers = useLoaded<Listed<Browser>>('/Account/Self/browsers')
  const text = words().devices
  return (
    <AreaPage area="devices" lead={text.lead} profile={profile} others={[sessions]}>
      {() => (
        <>
          <Sessions loaded={sessions} />
          <Section id="browsers" title={text.browsers}>
            <p class="quiet">{text.browsersLead}</p>
            <Part loaded={browsers}>{({ items }) => <Browsers items={items} reload={browsers.reload} />}</Part>
          </Section>
        </>
      )}
    </AreaPage>
  )
}

function Sessions({ loaded: { value, reload } }: { loaded: Loaded<Listed<Session>> }) {
  const text = words().devices
  const items = value?.items ?? []
  const [said, say] = useSaid()
  return (
    <Section id="sessions" title={text.sessions}>
      {said}
      <List items={items}>{(one) => <SessionItem key={one.id} session={one} reload={reload} say={say} />}</List>
      {items.length > 1 ? (
        <div class="below">
          <Asking
            label={text.endOthers}
            question={text.endOthersAsk}
            body={text.endOthersBody}
            name="end-others"
            act={() => change('DELETE', '/Account/Self/sessions')}
            then={async () => {
              await reload()
              say(text.othersEnded)
            }}
          />
        </div>
      ) : (
        <p class="quiet">{text.onlyThis}</p>
      )}
    </Section>
  )
}

type ItemProps<T> = { reload(): Promise<void>; say(text: string): void } & T

function SessionItem({ session, reload, say }: ItemProps<{ session: Session }>) {
  const text = words().devices
  const task = useTask()
  const methods = [...new Set(session.methods.flatMap((one) => methodInWords(one)))]
  const end = () =>
    task.run(
      () => change('DELETE', `/Account/Self/sessions/${encodeURIComponent(session.id)}`),
      async () => {
        if (session.current) return location.assign('/Account/Login')
        await reload()
        say(text.ended)
      },
    )
  return (
    <li class="item">
      <div class="what" id={`session-${session.id}`}>
        <AgentName {...session} />
        <p>
          {session.current
            ? text.activeNow
            : fillNodes(text.active, { when: <Ago iso={session.last_seen_at} dayOnly /> })}
          {session.address && <> · {fillNodes(text.from, { address: <bdi>{session.address}</bdi> })}</>}
          {session.same_network && !session.current && <> · {text.sameNetwork}</>}
        </p>
        <p>
          {withWhen(text.started, session.created_at, false)}
          {methods.length > 0 && <> · {fill(text.with, { methods: listInWords(methods) })}</>}
        </p>
        <TaskNotice task={task} />
      </div>
      <Button busy={task.busy} aria-describedby={`session-${session.id}`} onClick={end}>
        {text.end}
      </Button>
    </li>
  )
}

/** Nothing for what says only how many factors there were. */
function methodInWords(method: string): string[] {
  const known: Record<string, string> = words().devices.methods
  if (method === 'user' || method === 'mfa') return []
  return [Object.hasOwn(known, method) ? (known[method] as string) : method]
}

function Browsers({ items, reload }: { items: Browser[]; reload(): Promise<void> }) {
  const [said, say] = useSaid()
  return (
    <>
      {said}
      <List items={items} empty={words().devices.noBrowsers}>
        {(one) => <BrowserItem key={one.id} browser={one} reload={reload} say={say} />}
      </List>
    </>
  )
}

function BrowserItem({ browser, reload, say }: ItemProps<{ browser: Browser }>) {
  const text = words().devices
  const task = useTask()
  const forget = () =>
    task.run(
      () => change('DELETE', `/Account/Self/browsers/${encodeURIComponent(browser.id)}`),
      async () => {
        await reload()
        say(text.removed)
      },
    )
  return (
    <li class="item">
      <div class="what" id={`browser-${browser.id}`}>
        <AgentName {...browser} />
        <p>{withWhen(words().common.lastUsed, browser.last_used_at)}</p>
        {browser.remembered_until && <p>{withWhen(text.remembered, browser.remembered_until)}</p>}
        <TaskNotice task={task} />
      </div>
      <Button busy={task.busy} aria-describedby={`browser-${browser.id}`} onClick={forget}>
        {text.remove}
      </Button>
    </li>
  )
}

function AgentName({ current, ...agent }: Agent) {
  return (
    <strong>
      <bdi>{agentInWords(agent, words().common)}</bdi>
      {current && (
        <>
          {' '}
          <small class="tag">{words().devices.here}</small>
        </>
      )}
    </strong>
  )
}
