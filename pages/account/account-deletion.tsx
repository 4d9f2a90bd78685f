import { useEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Field, Form } from '../kit/field.tsx'
import { fill, fillNodes } from '../texts.ts'
import { begun, isBegun } from './begun.ts'
import { change } from './json.ts'
import type { Loaded, Profile } from './loaded.tsx'
import { Deletion } from './overview.tsx'
import { errorOf, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { durationInWords } from './when.tsx'

/** Deletes the account once its name is typed, or keeps one that is to be deleted. */
export function AccountDeletion({ loaded }: { loaded: Loaded<Profile> }) {
  const text = words().profile.deletion
  const profile = loaded.value as Profile
  const place = useRef<HTMLDivElement>(null)
  const delay = profile.settings.deletion_delay
  return (
    <Section id="deletion" title={text.title}>
      <div ref={place} class="said" tabIndex={-1}>
        <Deletion profile={profile} reload={loaded.reload} />
      </div>
      {!profile.deletion && (
        <>
          <p class="quiet">{delay === 0 ? text.leadNow : fill(text.lead, { when: durationInWords(delay) })}</p>
          <DeletionForm
            username={profile.username}
            then={async () => {
              if (delay === 0) return location.assign('/Account/Login')
              await loaded.reload()
              place.current?.focus()
            }}
          />
        </>
      )}
    </Section>
  )
}

function DeletionForm({ username, then }: { username: string; then(): Promise<void> | void }) {
  const text = words().profile.deletion
  const [name, setName] = useState(begun('deletion', 'username') ?? '')
  const task = useTask()
  const box = useRef<HTMLInputElement>(null)
  const isWrong = errorOf(task.failed) === 'username_mismatch'

  useEffect(() => {
    if (isWrong || isBegun('deletion')) box.current?.focus()
  }, [task.failed])

  return (
    <Form
      noValidate
      onSubmit={() => {
        if (!name.trim()) return box.current?.focus()
        const doing = { task: 'deletion', username: name }
        void task.run(() => change('POST', '/Account/Self/deletion', { username: name.trim() }, doing), then)
      }}
    >
      <Field
        id="deletion-name"
        label={text.box}
        autocomplete="off"
        boxRef={box}
        value={name}
        onInput={(value) => {
          setName(value)
          task.clear()
        }}
        hint={fillNodes(text.hint, { name: <bdi>{username}</bdi> })}
        fault={isWrong && text.errors.username_mismatch}
      />
      {!isWrong && <TaskNotice task={task} />}
      <div class="buttons">
        <Button type="submit" look="danger" busy={task.busy}>
          {text.submit}
        </Button>
      </div>
    </Form>
  )
}
