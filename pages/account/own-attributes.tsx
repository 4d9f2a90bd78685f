import { useEffect, useRef, useState } from 'preact/hooks'
import { type AttributeValues, sentOf, typedOf } from '../attribute-values.ts'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { useSaid } from '../kit/said.tsx'
import { AttributeField, type ShownField } from './attribute-field.tsx'
import { change } from './json.ts'
import type { Loaded, Profile } from './loaded.tsx'
import { TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'

type WithAttributes = Profile & { attributes?: AttributeValues; attribute_fields?: ShownField[] }

/** The fields that this installation has about people, as far as they are for the person to see. */
export function OwnAttributes({ loaded }: { loaded: Loaded<Profile> }) {
  const { attribute_fields: fields = [], attributes = {} } = loaded.value as WithAttributes
  const text = words().profile
  const shown = (values: AttributeValues) => Object.fromEntries(fields.map(({ name }) => [name, typedOf(values[name])]))
  const before = shown(attributes)
  const [typed, setTyped] = useState(before)
  const [sent, setSent] = useState(typed)
  const [said, say] = useSaid()
  const task = useTask()
  const form = useRef<HTMLFormElement>(null)
  const faults = faultsOf(task.failed)

  useEffect(() => {
    if (faults.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [task.failed])

  if (fields.length === 0) return null
  const editable = fields.filter((field) => field.editable)

  function submit(event: Event): void {
    event.preventDefault()
    const changed = editable.filter(({ name }) => typed[name] !== before[name])
    if (changed.length === 0) {
      say(text.saved)
      return
    }
    setSent(typed)
    const values = Object.fromEntries(changed.map((field) => [field.name, sentOf(field, typed[field.name] ?? '')]))
    void task.run(
      () => change<WithAttributes>('PATCH', '/Account/Self', { attributes: values }, { task: 'attributes' }),
      async (now) => {
        setTyped(shown(now.attributes ?? {}))
        await loaded.reload()
        say(text.saved)
      },
    )
  }

  return (
    <Section id="attributes" title={text.attributes.title}>
      {said}
      <form ref={form} class="form" noValidate onSubmit={submit}>
        <div class="columns">
          {fields.map((field) => (
            <AttributeField
              key={field.name}
              field={field}
              typed={typed[field.name] ?? ''}
              set={(value) => setTyped({ ...typed, [field.name]: value })}
              isFaulty={faults.includes(field.name) && typed[field.name] === sent[field.name]}
            />
          ))}
        </div>
        {task.failed && faults.length === 0 && <TaskNotice task={task} />}
        {editable.length > 0 && (
          <div class="buttons">
            <Button type="submit" look="main" busy={task.busy}>
              {text.save}
            </Button>
          </div>
        )}
      </form>
    </Section>
  )
}

/** The fields that cannot be saved, from the JSON pointers of the problem (RFC 6901). */
export function faultsOf(answer: ReturnType<typeof useTask>['failed']): string[] {
  if (answer?.kind !== 'refused') return []
  const { errors = [] } = answer.problem as { errors?: { path?: string }[] }
  return errors.flatMap(({ path }) => path?.replace(/^\/attributes[./]/, '') ?? [])
}
