import { useEffect, useRef, useState } from 'preact/hooks'
import { sentOf } from '../attribute-values.ts'
import { WayBack } from '../back-to-application.tsx'
import { Button } from '../kit/button.tsx'
import { Card, Notice, PersonLine, Skeleton, Unreachable } from '../kit/layout.tsx'
import { localUrl, parameter } from '../query.ts'
import { texts } from '../texts.ts'
import { AttributeField, type ShownField } from './attribute-field.tsx'
import { isChanged } from './frame.tsx'
import { change } from './json.ts'
import { type Loaded, type Profile, useProfile } from './loaded.tsx'
import { faultsOf } from './own-attributes.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'

type Incomplete = Profile & { missing_attributes?: ShownField[] }

/** The page on which a person fills in what has become required, before an application is told who it is. */
export function CompletePage() {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const profile = useProfile()
  const missing = (profile.value as Incomplete | null)?.missing_attributes
  const isDone = missing?.length === 0

  useEffect(() => {
    if (isDone) location.replace(returnUrl)
  }, [isDone])

  const text = words().complete
  if (missing === undefined && profile.failed) return <Unreachable onRetry={() => void profile.reload()} />
  if (missing === undefined || isDone)
    return (
      <Card busy title={text.title} lead={text.lead}>
        <Skeleton rows={['line', 'field', 'button']} />
      </Card>
    )
  return <Missing fields={missing} profile={profile} returnUrl={returnUrl} />
}

type Props = { fields: ShownField[]; profile: Loaded<Profile>; returnUrl: string }

function Missing({ fields, profile, returnUrl }: Props) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [sent, setSent] = useState<Record<string, string> | null>(null)
  const task = useTask()
  const form = useRef<HTMLFormElement>(null)
  const faults = faultsOf(task.failed)
  const text = words().complete
  const isEmpty = ({ name }: ShownField): boolean => (typed[name] ?? '').trim() === ''
  const isFaulty = (field: ShownField): boolean =>
    sent !== null && ((typed[field.name] === sent[field.name] && faults.includes(field.name)) || isEmpty(field))

  useEffect(() => {
    const first = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    ;(first('[aria-invalid]') ?? first('input, select, textarea'))?.focus()
  }, [task.failed, sent])

  useEffect(() => {
    // What is asked for may have been changed since the page was opened.
    if (task.failed?.kind === 'refused') void profile.reload()
  }, [task.failed])

  function submit(event: Event): void {
    event.preventDefault()
    setSent(typed)
    if (fields.some(isEmpty)) return
    const attributes = Object.fromEntries(fields.map((field) => [field.name, sentOf(field, typed[field.name] ?? '')]))
    void task.run(
      () => change<Profile>('PATCH', '/Account/Self', { attributes }),
      () => location.replace(returnUrl),
    )
  }

  return (
    <Card title={text.title} lead={text.lead}>
      {isChanged && <Notice>{texts.changed}</Notice>}
      <PersonLine label={texts.signedInAs} name={(profile.value as Profile).username} />
      <form ref={form} class="form" noValidate onSubmit={submit}>
        {fields.map((field) => (
          <AttributeField
            key={field.name}
            field={field}
            typed={typed[field.name] ?? ''}
            set={(value) => setTyped({ ...typed, [field.name]: value })}
            isFaulty={isFaulty(field)}
          />
        ))}
        {task.failed && faults.length === 0 && <TaskNotice task={task} />}
        <Button type="submit" look="main" busy={task.busy}>
          {text.submit}
        </Button>
      </form>
      <p class="ways">
        <a href="/Account/Logout">{text.signOut}</a>
      </p>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}
