import { useEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Item, List } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { fill } from '../texts.ts'
import { AppSetUp, type NewApp } from './app-set-up.tsx'
import { forgetBegun, isBegun } from './begun.ts'
import { change } from './json.ts'
import type { Loaded, Profile } from './loaded.tsx'
import { RecoveryCodes as CodeList } from './recovery-codes.tsx'
import { Asking, errorOf, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { withWhen } from './when.tsx'

/** The authenticator app. */
export function AuthenticatorApp({ loaded }: { loaded: Loaded<Profile> }) {
  const { totp, apps } = (loaded.value as Profile).sign_in
  const text = words().security.totp
  const [setUp, setSetUp] = useState<NewApp | null>(null)
  const [said, say] = useSaid()
  const task = useTask()
  const doing = { task: 'totp' }

  const start = () => task.run(() => change<NewApp>('POST', '/Account/Self/totp', {}, doing), setSetUp)
  useEffect(() => {
    if (totp === null && isBegun('totp')) void start()
  }, [])

  const renew = async (words: string) => {
    await loaded.reload()
    say(words)
  }
  return (
    <Section id="authenticator" title={text.title}>
      <p class="quiet">{text.lead}</p>
      {said}
      {apps.length > 1 ? (
        <List items={apps}>
          {({ id, name, created_at: since }) => (
            <Item
              key={id}
              id={`app-${id}`}
              title={<bdi>{name ?? text.title}</bdi>}
              action={
                <Asking
                  label={words().security.passkeys.remove}
                  question={text.askOne}
                  body={text.askOneBody}
                  name={`totp-off-${id}`}
                  describedBy={`app-${id}`}
                  act={() => change('DELETE', `/Account/Self/totp/${id}`, undefined, { task: `totp-off-${id}` })}
                  then={() => renew(words().activity.changed_totp_removed)}
                />
              }
            >
              <p>{withWhen(words().common.created, since)}</p>
            </Item>
          )}
        </List>
      ) : totp !== null ? (
        <div class="item">
          <p class="what">{withWhen(text.on, totp.created_at)}</p>
          <Asking
            label={text.turnOff}
            question={text.ask}
            body={text.askBody}
            name="totp-off"
            act={() => change('DELETE', '/Account/Self/totp', undefined, { task: 'totp-off' })}
            then={() => renew(text.turnedOff)}
          />
        </div>
      ) : setUp ? (
        <SetUp
          app={setUp}
          cancel={() => {
            forgetBegun()
            setSetUp(null)
          }}
          then={async () => {
            await renew(text.turnedOn)
            setSetUp(null)
          }}
        />
      ) : (
        <>
          <TaskNotice task={task} />
          <Button look="main" busy={task.busy} onClick={start}>
            {text.setUp}
          </Button>
        </>
      )}
    </Section>
  )
}

function SetUp({ app, cancel, then }: { app: NewApp; cancel(): void; then(): Promise<void> }) {
  const task = useTask()
  const isWrong = errorOf(task.failed) === 'code_invalid'
  const confirm = (code: string) => change('POST', '/Account/Self/totp/confirm', { code }, { task: 'totp' })
  return (
    <>
      <AppSetUp
        app={app}
        isBusy={task.busy}
        isWrong={isWrong}
        onCode={(code) => void task.run(() => confirm(code), then)}
      />
      {!isWrong && <TaskNotice task={task} />}
      <p class="below">
        <Button look="link" onClick={cancel}>
          {words().common.cancel}
        </Button>
      </p>
    </>
  )
}

/** Recovery codes, for those who have a factor that they can stand in for. */
export function RecoveryCodes({ loaded }: { loaded: Loaded<Profile> }) {
  const { sign_in: signIn } = loaded.value as Profile
  const text = words().security.recovery
  const [codes, setCodes] = useState<string[] | null>(null)
  const task = useTask()
  const place = useRef<HTMLDivElement>(null)
  const left = signIn.recovery_codes

  useEffect(() => {
    if (codes) place.current?.focus()
  }, [codes])

  if (!signIn.totp && signIn.passkeys === 0) return null
  const make = () => change<{ codes: string[] }>('POST', '/Account/Self/recovery-codes', {}, { task: 'recovery' })
  const show = async (made: { codes: string[] }) => {
    setCodes(made.codes)
    await loaded.reload()
  }
  return (
    <Section id="recovery" title={text.title}>
      <p class="quiet">{text.lead}</p>
      {codes ? (
        <div ref={place} class="said" tabIndex={-1}>
          <p>
            <strong>{words().recoveryCodes.lead}</strong>
          </p>
          <CodeList codes={codes} />
        </div>
      ) : (
        <>
          <p>{left === 0 ? text.none : fill(text.left, { count: left })}</p>
          {left === 0 ? (
            <>
              <TaskNotice task={task} />
              <Button look="main" busy={task.busy} onClick={() => task.run(make, show)}>
                {text.show}
              </Button>
            </>
          ) : (
            <Replace make={make} show={show} />
          )}
        </>
      )}
    </Section>
  )
}

type Made = { codes: string[] }

/** New codes end the old ones, so it asks before. */
function Replace({ make, show }: { make(): ReturnType<typeof change<Made>>; show(made: Made): Promise<void> }) {
  const text = words().security.recovery
  const made = useRef<Made | null>(null)
  return (
    <Asking
      label={text.show}
      question={text.ask}
      body={text.askBody}
      name="recovery"
      act={async () => {
        const answer = await make()
        if (answer.kind === 'ok') made.current = answer.value
        return answer
      }}
      then={() => made.current && show(made.current)}
    />
  )
}
