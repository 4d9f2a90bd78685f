import type { ComponentChildren } from 'preact'
import { Notice } from '../kit/layout.tsx'
import { fillNodes, texts } from '../texts.ts'
import type { Result } from './api.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { words } from './texts.ts'

type Props = {
  result: Exclude<Result<unknown>, { kind: 'ok' }>
  /** Members whose messages stand beside their fields. */
  shown?: readonly string[]
}

/** What the service says in words of its own, which are English on every page. */
export function InEnglish({ children }: { children: ComponentChildren }) {
  return (
    <bdi lang="en" dir="ltr">
      {children}
    </bdi>
  )
}

/** Says why a call did not succeed. */
export function ProblemNotice({ result, shown = [] }: Props) {
  const text = words().problems
  if (result.kind === 'unreachable') return <Notice>{texts.unreachable.inForm}</Notice>
  if (result.kind === 'signed-out') return <SignInAgain />
  const { status, detail, title, errors = [], trace_id: trace = '' } = result.problem
  if (status === 412) return <Notice>{text.changed}</Notice>
  if (status === 404) return <Notice>{text.unknown}</Notice>
  const others = errors.filter(({ path }) => !shown.some((member) => isAbout(path, member)))
  if (errors.length > 0) {
    return (
      <Notice>
        {others.length === 0 ? (
          <p>{text.seeFields}</p>
        ) : (
          <ul class="plain">
            {others.map((one) => (
              <li key={one.path + one.message}>
                <InEnglish>{one.message}</InEnglish>
              </li>
            ))}
          </ul>
        )}
      </Notice>
    )
  }
  return (
    <Notice>
      {status >= 500 && <p>{text.fault}</p>}
      <p>{status === 403 ? text.forbidden : <InEnglish>{detail ?? title}</InEnglish>}</p>
      {trace && <p>{fillNodes(text.trace, { trace: <bdi>{trace}</bdi> })}</p>}
    </Notice>
  )
}

/** Why a call did not succeed, in a sentence. */
export function reasonOf(result: Props['result']): ComponentChildren {
  const text = words().problems
  if (result.kind === 'unreachable') return texts.unreachable.inForm
  if (result.kind === 'signed-out') return text.signedOut
  const { status, detail, title, errors = [] } = result.problem
  if (status === 412) return text.changed
  if (status === 404) return text.unknown
  if (errors.length > 0) return <InEnglish>{errors.map(({ message }) => message).join(' ')}</InEnglish>
  return status === 403 ? text.forbidden : <InEnglish>{detail ?? title ?? ''}</InEnglish>
}

/** The member that a JSON pointer begins with. */
export function memberOf(pointer: string): string {
  return (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Whether a JSON pointer is about a member, or one below it. `member`: its name, or a pointer to one that is not at the top. */
const isAbout = (pointer: string, member: string): boolean =>
  member.startsWith('/') ? pointer === member : memberOf(pointer) === member

/** Messages about one member. */
export function messagesFor(result: Result<unknown> | null, member: string): string[] {
  if (result?.kind !== 'refused') return []
  return (result.problem.errors ?? []).filter(({ path }) => isAbout(path, member)).map(({ message }) => message)
}
