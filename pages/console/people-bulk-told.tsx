import type { ComponentChildren } from 'preact'
import type { Message } from '#messages'
import { numberInWords } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { fillNodes } from '../texts.ts'
import type { Act, Outcome, Report } from './people-run.ts'
import type { Person } from './person-name.ts'
import { ProblemNotice, reasonOf } from './problem.tsx'
import { words } from './texts.ts'

/** Names that are listed, before a number stands for the others. */
const namesShown = 24

export function Names({ people }: { people: readonly Person[] }) {
  return (
    <ul class="plain">
      {people.slice(0, namesShown).map(({ id, username }) => (
        <li key={id}>
          <bdi>{username}</bdi>
        </li>
      ))}
      {people.length > namesShown && <li>+{numberInWords(people.length - namesShown)}</li>}
    </ul>
  )
}

type ToldProps = { report: Report; again: (act: Act, role: string, people: readonly Person[]) => void; close(): void }

/** What came of it, for each person. */
export function Told({ report: { act, role, outcomes }, again, close }: ToldProps) {
  const text = words().people.bulk
  const texts = text.acts[act]
  const which = (kind: Outcome['kind']) => outcomes.filter((one) => one.kind === kind).map(({ person }) => person)
  const failed = outcomes.filter((one) => one.kind === 'failed')
  const left = which('left')
  const counted = (template: Message<'count' | 'role'>, people: readonly Person[]): ComponentChildren =>
    people.length > 0 && (
      <>
        <p>{fillNodes(template, { role: <bdi>{role}</bdi>, count: numberInWords(people.length) })}</p>
        <Names people={people} />
      </>
    )
  const ended = failed.find(({ why }) => why.kind === 'signed-out')
  return (
    <Notice role="status">
      <div class="bulk-told">
        {counted(texts.done, which('done'))}
        {'already' in texts && counted(texts.already, which('already'))}
        {failed.length > 0 && (
          <>
            <p>{texts.failed}</p>
            <ul class="plain">
              {failed.slice(0, namesShown).map(({ person, why }) => (
                <li key={person.id}>
                  <strong>
                    <bdi>{person.username}</bdi>
                  </strong>
                  {': '}
                  <bdi>{reasonOf(why)}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        {left.length > 0 && (
          <>
            <p>{text.left}</p>
            <Names people={left} />
          </>
        )}
        {ended && <ProblemNotice result={ended.why} />}
        <div class="buttons">
          {failed.length + left.length > 0 && (
            <Button onClick={() => again(act, role, [...failed.map(({ person }) => person), ...left])}>
              {text.again}
            </Button>
          )}
          <Button onClick={close}>{text.close}</Button>
        </div>
      </div>
    </Notice>
  )
}
