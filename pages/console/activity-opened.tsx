import type { ComponentChildren } from 'preact'
import { outcomeOf } from '../../src/audit/kinds.ts'
import { exactly } from '../kit/ago.tsx'
import { Facts } from '../kit/list.tsx'
import { detailsOf, type Entry, kindInWords } from './activity-entry.ts'
import { deviceOf } from './activity-words.tsx'
import { InEnglish } from './problem.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** What an entry says, what to do after a failure, and ways on from it. */
export function Opened({ entry, id }: { entry: Entry; id: string }) {
  const { at: iso, kind, address, trace_id: traceId, user_id: userId, client_id: clientId } = entry
  const text = words().activity
  const todo = todoOf(entry)
  const code = (value: string) => <code dir="ltr">{value}</code>
  return (
    <div class="story-opened" id={id}>
      {todo && (
        <p class="story-todo">
          <strong class="story-todo-title">{text.todo.title}</strong> <a href={todo.href}>{todo.text}</a>
        </p>
      )}
      <Facts
        facts={[
          [text.kind, kindInWords(kind)],
          [text.exactTime, <time dateTime={iso}>{exactly(new Date(iso))}</time>],
          [text.network, address && <bdi>{address}</bdi>],
          [text.device, deviceOf(entry)],
          ...detailsOf(entry)
            .filter(([name, value]) => name !== 'browser' && name !== 'system' && value !== clientId)
            .map(([name, value]): readonly [ComponentChildren, ComponentChildren] => [
              <InEnglish>{nameInEnglish(name)}</InEnglish>,
              <bdi>{value}</bdi>,
            ]),
          [text.person, userId && code(userId)],
          [text.application, clientId && code(clientId)],
          [text.trace, traceId && code(traceId)],
        ]}
      />
      <p class="story-ways">
        {traceId !== null && (
          <>
            <a href={at('explain', traceId)} aria-label={`${text.explain} ${traceId}`}>
              {text.explain}
            </a>
            <a href={`${at('activity')}?trace_id=${traceId}`} aria-label={`${text.ofRequest} ${traceId}`}>
              {text.ofRequest}
            </a>
          </>
        )}
        {userId !== null && <a href={only({ user_id: userId })}>{text.onlyPerson}</a>}
        {clientId !== null && <a href={only({ client_id: clientId })}>{text.onlyApplication}</a>}
      </p>
    </div>
  )
}

const only = (filter: Record<string, string>): string => `${at('activity')}?${new URLSearchParams(filter)}`

/** `redirect_uri` becomes 'Redirect uri'. */
function nameInEnglish(name: string): string {
  const spaced = name.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Where a failure is looked into; undefined: nothing failed, or nothing helps. */
function todoOf({ kind, user_id: userId, client_id: clientId, trace_id: traceId }: Entry) {
  if (outcomeOf(kind) !== 'failed') return undefined
  const text = words().activity.todo
  if (kind === 'mail_failed') return { href: `${at('settings')}`, text: text.mail }
  if (kind === 'refusal') return traceId === null ? undefined : { href: at('explain', traceId), text: text.explain }
  if (kind === 'code_replayed' || kind === 'refresh_token_replayed')
    return clientId === null ? undefined : { href: at('applications', clientId), text: text.replayed }
  const isOfAccount = kind === 'sign_in_failed' || kind === 'locked_out' || kind === 'confirmation_failed'
  return isOfAccount && userId !== null ? { href: at('people', userId), text: text.account } : undefined
}
