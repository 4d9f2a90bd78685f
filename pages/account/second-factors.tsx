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
import { LostCodesNotice, type Made, makeCodes } from './lost-codes.tsx'
import { RecoveryCodesStep } from './recovery-codes-step.tsx'
import { Asking, errorOf, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { lostCodes } from './unsaved-codes.ts'
import { withWhen } from './when.tsx'

/** The authenticator app. */
export function AuthenticatorApp({ loaded, onFirst }: { loaded: Loaded<Profile>; onFirst(): Promise<void> }) {
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
            await onFirst()
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

export type NewCodes = {
  /** Those that were just made and are not saved yet; null: none. */
  codes: readonly string[] | null
  show(made: Made): Promise<void>
  /** Makes codes for somebody who has none, as the end of setting up a factor. Where that fails, the button is there still. */
  makeFirst(): Promise<void>
  saved(): void
}

/** The codes that this page just made. */
export function useNewCodes({ value, reload }: Loaded<Profile>): NewCodes {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const show = async (made: Made) => {
    setCodes(made.codes)
    await reload()
  }
  return {
    codes,
    show,
    async makeFirst() {
      if (value?.sign_in.recovery_codes !== 0) return
      const made = await makeCodes()
      if (made.kind === 'ok') await show(made.value)
    },
    saved: () => setCodes(null),
  }
}

/** Recovery codes, for those who have a factor that they can stand in for. */
export function RecoveryCodes({ loaded, fresh }: { loaded: Loaded<Profile>; fresh: NewCodes }) {
  const { sign_in: signIn, username } = loaded.value as Profile
  const text = words().security.recovery
  const task = useTask()
  const [isLost, setLost] = useState(() => lostCodes()?.name === username)
  const left = signIn.recovery_codes

  if (!signIn.totp && signIn.passkeys === 0) return null
  return (
    <Section id="recovery" title={text.title}>
      <p class="quiet">{text.lead}</p>
      {fresh.codes ? (
        <RecoveryCodesStep
          key={fresh.codes[0]}
          codes={fresh.codes}
          of={{ name: username, returnUrl: '/Account/Security' }}
          takesFocus
          onDone={fresh.saved}
        />
      ) : (
        <>
          <p>{left === 0 ? text.none : fill(text.left, { count: left })}</p>
          {isLost && left > 0 ? (
            <LostCodesNotice
              task={task}
              show={(made) => {
                setLost(false)
                return fresh.show(made)
              }}
              keep={() => setLost(false)}
            />
          ) : left === 0 ? (
            <>
              <TaskNotice task={task} />
              <Button look="main" busy={task.busy} onClick={() => task.run(makeCodes, fresh.show)}>
                {text.show}
              </Button>
            </>
          ) : (
            <Replace show={fresh.show} />
          )}
        </>
      )}
    </Section>
  )
}

/** New codes end the old ones, so it asks before. */
function Replace({ show }: { show(made: Made): Promise<void> }) {
  const text = words().security.recovery
  const made = useRef<Made | null>(null)
  return (
    <Asking
      label={text.show}
      question={text.ask}
      body={text.askBody}
      name="recovery"
      act={async () => {
        const answer = await makeCodes()
        if (answer.kind === 'ok') made.current = answer.value
        return answer
      }}
      then={() => made.current && show(made.current)}
    />
  )
}
