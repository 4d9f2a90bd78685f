import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { noteFormSent } from './antiforgery.ts'
import type { PageData } from './page-data.ts'
import type { Field } from './query.ts'

/** After this long without an answer the button works again: a browser tells no page that its navigation was stopped. */
const GIVE_UP_MS = 20_000

type Props = {
  action: string
  data: PageData<unknown>
  fields?: readonly Field[]
  /** Leaves the checking of the fields to the server. */
  noValidate?: boolean
  onSend?(): void
  children: ComponentChildren
}

/**
 * A form that the browser itself sends, so that it follows the redirect (specification 4.9 rule 4). `submit` is held
 * back in two cases only: a repeat while the first is under way, and a token that is missing or old, which is renewed
 * before the same button sends the form after all.
 *
 * A field may have any name, and a field called `action` or `parentNode` hides the form's own property of that name.
 * So nothing here reads a property of the form: the listener sits on the element around it, its one child never
 * changes, and methods are taken from the prototype.
 */
export function PostForm({ action, data, fields = [], noValidate, onSend, children }: Props) {
  const tokenInput = useRef<HTMLInputElement>(null)
  const sending = useRef<{ button: HTMLElement | null; timer: ReturnType<typeof setTimeout> } | null>(null)

  /** The submit at hand is the second one, after a renewal: it goes out whatever the clocks say. */
  const renewed = useRef(false)

  function release() {
    clearTimeout(sending.current?.timer)
    sending.current?.button?.removeAttribute('aria-busy')
    sending.current = null
  }

  async function onSubmit(event: SubmitEvent) {
    if (sending.current) return event.preventDefault()
    const button = event.submitter
    // Not `disabled`: a disabled button drops its name and value from the form.
    button?.setAttribute('aria-busy', 'true')
    sending.current = { button, timer: setTimeout(release, GIVE_UP_MS) }
    onSend?.()
    if (renewed.current || data.isFresh()) return noteFormSent()

    event.preventDefault()
    const form = event.target as HTMLFormElement
    const antiforgery = await data.renewForSubmit()
    release()
    if (!antiforgery || !tokenInput.current) return
    tokenInput.current.name = antiforgery.formFieldName
    tokenInput.current.value = antiforgery.token
    renewed.current = true
    HTMLFormElement.prototype.requestSubmit.call(form, button)
    renewed.current = false
  }

  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) release()
    }
    // The service has answered: only from now on are other tabs' tokens of the new state.
    const onLeave = () => {
      if (sending.current) noteFormSent()
    }
    addEventListener('pageshow', onShow)
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('pageshow', onShow)
      removeEventListener('pagehide', onLeave)
      release()
    }
  }, [])

  return (
    <div onSubmit={onSubmit}>
      <form method="post" action={action} noValidate={noValidate}>
        <div class="form">
          {fields.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <input
            ref={tokenInput}
            type="hidden"
            name={data.antiforgery?.formFieldName ?? '__RequestVerificationToken'}
            value={data.antiforgery?.token ?? ''}
          />
          {children}
        </div>
      </form>
    </div>
  )
}

type ButtonProps = { name?: string; value?: string; quiet?: boolean; children: ComponentChildren }

/** A button that sends its form; PostForm marks it `aria-busy` while the browser waits for the answer. */
export function SubmitButton({ name, value, quiet, children }: ButtonProps) {
  return (
    <button type="submit" name={name} value={value} class={quiet ? 'button quiet' : 'button'}>
      <span>{children}</span>
    </button>
  )
}
