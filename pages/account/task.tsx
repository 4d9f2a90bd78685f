import type { ComponentProps } from 'preact'
import type { Answer } from '../api.ts'
import { Asking as KitAsking } from '../kit/asking.tsx'
import { type Failure, useTask as useKitTask } from '../kit/task.ts'
import { forgetBegun, isBegun } from './begun.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { words } from './texts.ts'

export type Task = {
  busy: boolean
  /** What came of the last run, unless it succeeded. */
  failed: Failure<Answer<unknown>> | null
  run<T>(act: () => Promise<Answer<T>>, then: (value: T) => unknown): Promise<void>
  clear(): void
}

/** A change that a person asks for, and which may have begun before a sign-in. */
export function useTask(): Task {
  const task = useKitTask<Answer<unknown>>()
  const run: Task['run'] = (act, then) =>
    task.run(act, ({ value }) => {
      forgetBegun()
      return then(value)
    })
  return { ...task, run }
}

/** The error code of a change that was refused. */
export function errorOf(answer: Answer<unknown> | null): string | undefined {
  return answer?.kind === 'refused' ? answer.problem.error : undefined
}

/** Why the last run did not succeed. `errors`: texts by error code. */
export function TaskNotice({ task, errors }: { task: Task; errors?: Record<string, string> }) {
  return task.failed && <ProblemNotice answer={task.failed} errors={{ ...words().common.errors, ...errors }} />
}

type AskingProps = Pick<ComponentProps<typeof KitAsking>, 'label' | 'question' | 'look' | 'describedBy'> & {
  body: string
  /** The name under which the question is asked again after a sign-in. */
  name: string
  act(): Promise<Answer<unknown>>
  then(): unknown
  errors?: Record<string, string>
}

/** A button that asks once before it acts. */
export function Asking({ look = 'quiet', body, name, act, then, errors = {}, ...asked }: AskingProps) {
  const task = useTask()
  return (
    <KitAsking
      {...asked}
      look={look}
      body={<p>{body}</p>}
      cancel={words().common.cancel}
      isOpen={isBegun(name)}
      busy={task.busy}
      problem={<TaskNotice task={task} errors={errors} />}
      act={(close) =>
        task.run(act, () => {
          close()
          return then()
        })
      }
      onCancel={() => {
        forgetBegun()
        task.clear()
      }}
    />
  )
}
