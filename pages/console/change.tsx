import type { ComponentChildren, ComponentProps, RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { Asking as KitAsking } from '../kit/asking.tsx'
import { Field as KitField } from '../kit/field.tsx'
import { type Failure, useTask } from '../kit/task.ts'
import { fillNodes } from '../texts.ts'
import type { Result } from './api.ts'
import { InEnglish, messagesFor, ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

export type Change = {
  busy: boolean
  /** What came of the last run, unless it succeeded. */
  failed: Failure<Result<unknown>> | null
  run<T>(act: () => Promise<Result<T>>, then: (value: T, etag: string | null) => unknown): Promise<void>
  clear(): void
  /** Called when a run begins. What it returns is called once that has succeeded, before what follows from it. */
  onRun: RefObject<(() => () => void) | null>
}

/** A change that a person asks for. */
export function useChange(): Change {
  const task = useTask<Result<unknown>>()
  const onRun = useRef<(() => () => void) | null>(null)
  const run: Change['run'] = async (act, then) => {
    let done: (() => void) | undefined
    const begin = () => {
      done = onRun.current?.()
      return act()
    }
    await task.run(begin, ({ value, etag }) => {
      done?.()
      return then(value, etag)
    })
  }
  return { ...task, run, onRun }
}

/** What the service says about a member; undefined: nothing. */
export function faultOf(result: Result<unknown> | null, member: string): ComponentChildren {
  const told = messagesFor(result, member)
  return told.length > 0 ? <InEnglish>{told.join(' ')}</InEnglish> : undefined
}

type FieldProps = Omit<ComponentProps<typeof KitField>, 'fault' | 'name' | 'id'> & {
  name: string
  /** The call whose messages about this member stand here. */
  result?: Result<unknown> | null
  /** The member of the API, if it is called otherwise. */
  member?: string
  /** A message about what is typed, before it is sent. */
  message?: string | undefined
  /** What the service says of the value that it has, in English. */
  told?: string | undefined
}

/** A field with its hint and its messages. Pasting is always possible. */
export function Field({ result = null, member, message, told: warning, ...others }: FieldProps) {
  const told = faultOf(result, member ?? others.name) ?? (warning && <InEnglish>{warning}</InEnglish>)
  const fault = (told || message) && (
    <>
      {told} {message}
    </>
  )
  return <KitField autocomplete="off" {...others} fault={fault} />
}

type AskingProps = Pick<ComponentProps<typeof KitAsking>, 'label' | 'question' | 'body' | 'describedBy' | 'look'> & {
  /** What has to be typed before the button acts; absent: nothing. */
  confirm?: string
  act(): Promise<Result<unknown>>
  then(): unknown
}

/** A button that asks before it acts. A destructive one names what will be lost, and asks for the name. */
export function Asking({ confirm, act, then, ...asked }: AskingProps) {
  const change = useChange()
  const text = words().common
  return (
    <KitAsking
      {...asked}
      cancel={text.cancel}
      confirm={
        confirm === undefined
          ? undefined
          : { label: fillNodes(text.typeName, { name: <bdi>{confirm}</bdi> }), text: confirm }
      }
      busy={change.busy}
      problem={change.failed && <ProblemNotice result={change.failed} />}
      act={(close) =>
        change.run(act, () => {
          close()
          return then()
        })
      }
      onCancel={change.clear}
    />
  )
}
