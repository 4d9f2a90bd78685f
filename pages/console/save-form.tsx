import type { ComponentChildren } from 'preact'
import { Button, type Look } from '../kit/button.tsx'
import { Form } from '../kit/field.tsx'
import type { Change } from './change.tsx'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'
import { useTypedForm } from './unsaved.ts'

type Props = {
  change: Change
  /** Members whose messages stand beside their fields. */
  shown: readonly string[]
  save(): unknown
  /** Whoever may not change anything sees the fields without a button. */
  isReadOnly?: boolean
  /** Default: the word for saving. */
  label?: string
  look?: Look
  /** Short fields stand beside each other. */
  hasColumns?: boolean
  class?: string
  /** Another button, after that of the form. */
  beside?: ComponentChildren
  /** Pages at or below this address keep what is typed. Default: this page alone. Null: the page itself has somebody asked. */
  within?: string | null
  children: ComponentChildren
}

/** The form of a record: its fields, what the service says about them, and the button. */
export function SaveForm({
  change,
  shown,
  save,
  isReadOnly = false,
  label = words().common.save,
  look = 'main',
  hasColumns = false,
  class: className = 'form',
  beside,
  within,
  children,
}: Props) {
  const { form, sending } = useTypedForm(within)
  change.onRun.current = sending
  return (
    <Form class={className} formRef={form} onSubmit={save}>
      <fieldset class={hasColumns ? 'plain-set columns' : 'plain-set'} disabled={isReadOnly}>
        {children}
      </fieldset>
      {change.failed && <ProblemNotice result={change.failed} shown={shown} />}
      {!isReadOnly && (
        <Buttons beside={beside}>
          <Button type="submit" look={look} busy={change.busy}>
            {label}
          </Button>
        </Buttons>
      )}
    </Form>
  )
}

function Buttons({ beside, children }: { beside: ComponentChildren; children: ComponentChildren }) {
  if (!beside) return <>{children}</>
  return (
    <div class="buttons">
      {children}
      {beside}
    </div>
  )
}
