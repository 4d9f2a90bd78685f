import { Section } from '../kit/area.tsx'
import { Check } from '../kit/labelled.tsx'
import { call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { boxesOf, useDraft } from './draft.ts'
import { useMe } from './me.tsx'
import { claims, type PartProps, type Person, pathOf } from './person-name.ts'
import { at } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { takingBack } from './taking-back.ts'
import { words } from './texts.ts'

const members = ['username', 'email', ...claims] as const

type Typed = Record<(typeof members)[number], string>
type Draft = Typed & { email_verified: boolean }

/** User name, address and claims. */
export function Profile({ person, loaded, say }: PartProps) {
  const before = Object.fromEntries(members.map((member) => [member, person[member] ?? ''])) as Typed
  const [draft, setDraft, sent] = useDraft<Draft>({ ...before, email_verified: person.email_verified })
  const { email_verified: verified } = draft
  const change = useChange()
  const field = boxesOf(draft, setDraft, change.failed)
  const mayChange = useMe().may('admin:users')
  const text = words().people
  const labels: Readonly<Record<(typeof members)[number], string>> = text.members
  const body = () => ({
    ...Object.fromEntries(
      members
        .filter((member) => draft[member] !== before[member])
        .map((member) => [member, draft[member].trim() || null]),
    ),
    ...(verified !== person.email_verified && { email_verified: verified }),
  })
  const patch = (changes: object, etag: string | null) =>
    call<Person>({ method: 'PATCH', path: pathOf(person.id), body: changes, etag, username: person.username })
  /** As it was. */
  const told = Object.fromEntries(members.map((member) => [member, before[member] || null]))
  const save = () =>
    change.run(
      () => patch(body(), loaded.etag),
      (value, etag) => {
        sent(draft)
        loaded.set(value, etag)
        say(
          words().common.saved,
          takingBack(
            () => patch({ ...told, email_verified: person.email_verified }, etag),
            async () => {
              await loaded.reload()
              return words().people.takenBack
            },
          ),
        )
      },
    )
  return (
    <Section id="profile" title={text.profile}>
      <SaveForm
        change={change}
        shown={members}
        save={save}
        isReadOnly={!mayChange}
        hasColumns
        within={at('people', person.id)}
      >
        {members.map((member) => (
          <Field key={member} label={labels[member]} {...field(member)} />
        ))}
        <Check checked={verified} onChange={(email_verified) => setDraft({ ...draft, email_verified })}>
          {text.verified}
        </Check>
      </SaveForm>
    </Section>
  )
}
