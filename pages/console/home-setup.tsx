import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { toast } from '../kit/toast.tsx'
import { fill, fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking, useChange } from './change.tsx'
import type { Loaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish, ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { accountSecurity } from './session.ts'
import { words } from './texts.ts'

type PointName = 'second_factor' | 'application' | 'people' | 'mail' | 'address' | 'backup' | 'keys'
export type Setup = {
  hidden: boolean
  points: { point: PointName; done: boolean }[]
  issuer: string
  mail: { enabled: boolean; test: { state: 'queued' | 'sent' | 'failed'; error: string | null } | null }
}

const markPath = (mark: string) => `/setup/marks/${mark}`
const name = (text: string) => <code dir="ltr">{text}</code>

/** What is to do in a new installation, for those who may do it, until each point is done or the list is hidden for good. */
export function SetupList({ loaded }: { loaded: Loaded<Setup> }) {
  const isTesting = useRef(false)
  const me = useMe()
  const { value } = loaded
  const tested = value?.mail.test?.state
  useEffect(() => {
    // Records of mails go after some days.
    if (isTesting.current && tested === 'sent') void call({ method: 'POST', path: markPath('mail') })
  }, [tested])
  const isShown = me.may('admin:write') && value !== null && !value.hidden && value.points.some((one) => !one.done)
  const wasShown = useRef(false)
  useLayoutEffect(() => {
    // The focus goes with the list.
    if (wasShown.current && !isShown && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('main h1')?.focus()
    }
    wasShown.current = isShown
  }, [isShown])
  const text = words().setup
  if (!isShown) return null
  const done = value.points.filter((one) => one.done).length
  const next = value.points.find((one) => !one.done)?.point
  return (
    <Section id="first" title={words().home.first}>
      <p class="quiet">{fill(text.progress, { done: String(done), all: String(value.points.length) })}</p>
      <ul class="items rows setup">
        {value.points.map(({ point, done: isDone }) => (
          <li class={isDone ? 'item done' : 'item'} key={point} tabIndex={-1}>
            <span class="mark">
              <Icon path={isDone ? 'M3 8.5 6.5 12 13 4.5' : 'M8 2.5a5.5 5.5 0 1 0 .01 0'} />
            </span>
            <div class="what">
              <strong>{text.points[point]}</strong>
              {isDone ? <p class="quiet">{text.done}</p> : <Body point={point} setup={value} />}
            </div>
            {!isDone && <Action point={point} isNext={point === next} {...{ loaded, setup: value, isTesting }} />}
          </li>
        ))}
      </ul>
      <Asking
        look="quiet"
        label={text.hide}
        question={text.hideAsk}
        body={<p>{text.hideBody}</p>}
        act={() => call({ method: 'POST', path: markPath('hidden') })}
        then={loaded.reload}
      />
    </Section>
  )
}

function Body({ point, setup: { issuer, mail } }: { point: PointName; setup: Setup }) {
  const text = words().setup
  const home = words().home
  const bodies: Readonly<Record<PointName, () => ComponentChildren>> = {
    second_factor: () => text.secondFactor,
    application: () => home.firstApplication,
    people: () => home.firstPerson,
    mail: () => (mail.enabled ? text.mail : fillNodes(text.mailOff, { setting: name('Mail:Url') })),
    address: () => fillNodes(text.address, { issuer: name(issuer), setting: name('OAuth:Issuer') }),
    backup: () => fillNodes(text.backup, { command: name('latchkey db backup') }),
    keys: () => fillNodes(text.keys, { setting: name('Keys:MasterKey') }),
  }
  return (
    <>
      <p>{bodies[point]()}</p>
      {point === 'mail' && mail.test?.state === 'failed' && (
        <p class="fault">{fillNodes(text.mailFailed, { error: <InEnglish>{mail.test.error ?? ''}</InEnglish> })}</p>
      )}
    </>
  )
}

type ActionProps = {
  point: PointName
  loaded: Loaded<Setup>
  setup: Setup
  isTesting: { current: boolean }
  /** The first that is not done. */
  isNext: boolean
}

function Action({ point, isNext, loaded, setup, isTesting }: ActionProps) {
  const me = useMe()
  const look = isNext ? 'main' : 'quiet'
  const text = words().setup
  switch (point) {
    case 'second_factor':
      return (
        <ButtonLink look={look} href={accountSecurity}>
          {text.toSecurity}
        </ButtonLink>
      )
    case 'application':
      return me.may('admin:clients') ? (
        <ButtonLink look={look} href={at('applications', 'new')}>
          {words().applications.add}
        </ButtonLink>
      ) : null
    case 'people':
      return me.may('admin:users') ? (
        <div class="buttons">
          <ButtonLink look="quiet" href={at('people', 'invite')}>
            {words().people.invite}
          </ButtonLink>
          <ButtonLink look="quiet" href={at('people', 'new')}>
            {words().people.add}
          </ButtonLink>
        </div>
      ) : null
    case 'address':
      return (
        <ButtonLink look="quiet" href={at('settings')} aria-label={`${words().pages.settings}: ${text.points.address}`}>
          {words().pages.settings}
        </ButtonLink>
      )
    case 'mail':
      if (setup.mail.enabled) return <TestMail loaded={loaded} setup={setup} isTesting={isTesting} />
      return (
        <ButtonLink look="quiet" href={at('settings')} aria-label={`${words().pages.settings}: ${text.points.mail}`}>
          {words().pages.settings}
        </ButtonLink>
      )
    default:
      return <SeenTo mark={point} loaded={loaded} />
  }
}

/** For what the service cannot know. */
function SeenTo({ mark, loaded }: { mark: 'backup' | 'keys'; loaded: Loaded<Setup> }) {
  const change = useChange()
  const place = usePassedOn()
  const text = words().setup
  return (
    <div ref={place}>
      {change.failed && <ProblemNotice result={change.failed} />}
      <Button
        busy={change.busy}
        aria-label={`${text.markDone}: ${text.points[mark]}`}
        onClick={() => change.run(() => call({ method: 'POST', path: markPath(mark) }), loaded.reload)}
      >
        {text.markDone}
      </Button>
    </div>
  )
}

/** When a button goes that has the focus, because its point is done, the focus goes to the point, which says so. */
function usePassedOn() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = place
    return () => {
      if (current?.contains(document.activeElement)) current.closest('li')?.focus({ preventScroll: true })
    }
  }, [])
  return place
}

/** How often the page looks whether the test mail has left, in milliseconds. */
const lookEveryMs = 1500

function TestMail({ loaded, setup, isTesting }: Omit<ActionProps, 'point' | 'isNext'>) {
  const change = useChange()
  const place = usePassedOn()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const text = words().setup
  const { test } = setup.mail

  useEffect(() => {
    if (sentTo === null || test?.state !== 'queued') return
    const timer = setTimeout(() => void loaded.reload(), lookEveryMs)
    return () => clearTimeout(timer)
  }, [sentTo, loaded.value])

  const send = () =>
    change.run(
      () => call<{ email: string }>({ method: 'POST', path: '/setup/test-mail' }),
      async ({ email }) => {
        isTesting.current = true
        setSentTo(email)
        toast(fillNodes(text.mailSent, { email: <bdi>{email}</bdi> }))
        await loaded.reload()
      },
    )
  return (
    <div ref={place}>
      {change.failed && <ProblemNotice result={change.failed} />}
      <Button busy={change.busy} onClick={() => void send()}>
        {text.sendTest}
      </Button>
    </div>
  )
}
