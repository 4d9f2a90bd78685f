/** What a role permits, and the questions before one that permits administration. */
import type { ComponentChildren } from 'preact'
import { QuestionPanel } from '../kit/asking.tsx'
import { Button } from '../kit/button.tsx'
import { fillNodes } from '../texts.ts'
import type { Result } from './api.ts'
import { Asking } from './change.tsx'
import { words } from './texts.ts'

export type Role = { name: string; description: string | null; includes: string[] }

/** What a role is for: its description, or what a built-in one permits, and the roles that it includes. */
export function permits(role: Role | undefined, name: string): ComponentChildren {
  const { builtIn } = words().roles
  const description = role?.description ?? (Object.hasOwn(builtIn, name) ? builtIn[name as keyof typeof builtIn] : '')
  const includes = role?.includes ?? []
  if (includes.length === 0) return description
  const included = fillNodes(words().people.includes, { roles: <bdi>{includes.join(', ')}</bdi> })
  return description ? [<bdi key="description">{description}</bdi>, ' · ', included] : included
}

/** Whether the role, or one that it includes, is built in. */
export function permitsAdministration(name: string, known: ReadonlyMap<string, Role>): boolean {
  const found = new Set([name])
  // A set hands out what joins it meanwhile.
  for (const one of found) {
    if (Object.hasOwn(words().roles.builtIn, one)) return true
    for (const included of known.get(one)?.includes ?? []) found.add(included)
  }
  return false
}

type TakeProps = {
  role: string
  permits: ComponentChildren
  act(): Promise<Result<unknown>>
  /** `etag`: of the version after it. */
  done(etag: string | null): Promise<void>
}

/** Asks before a role that permits administration is taken away. */
export function TakeAfterQuestion({ role, permits: permitted, act, done }: TakeProps) {
  const { take } = words().people.bulk.acts
  let version: string | null = null
  return (
    <Asking
      label={words().groups.remove}
      look="quiet"
      describedBy={`role-${role}`}
      question={
        <>
          {take.label}: <bdi>{role}</bdi>
        </>
      }
      body={
        <>
          <p>{permitted}</p>
          <p>{take.body}</p>
        </>
      }
      act={async () => {
        const result = await act()
        if (result.kind === 'ok') version = result.etag
        return result
      }}
      then={() => done(version)}
    />
  )
}

type GiveProps = { role: string; permits: ComponentChildren; busy: boolean; give(): void; cancel(): void }

/** Asks before a role that permits administration is given. */
export function GiveQuestion({ role, permits: permitted, busy, give, cancel }: GiveProps) {
  const text = words().people.bulk.acts.give
  return (
    <QuestionPanel
      question={
        <>
          {text.label}: <bdi>{role}</bdi>
        </>
      }
      body={
        <>
          <p>{permitted}</p>
          <p>{text.body}</p>
        </>
      }
      close={cancel}
    >
      <div class="buttons">
        <Button look="danger" busy={busy} onClick={give}>
          {text.label}
        </Button>
        <Button onClick={cancel}>{words().common.cancel}</Button>
      </div>
    </QuestionPanel>
  )
}
