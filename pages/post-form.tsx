import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { noteFormSent, takeTurn } from './antiforgery.ts'
import { Notice, RetryButton } from './kit/layout.tsx'
import type { PageData } from './page-data.ts'
import type { Field } from './query.ts'
import { rememberForm } from './tab-memory.ts'
import { texts } from './texts.ts'

/** After this long without an answer the button works again: a browser tells no page that its navigation was stopped. */
const GIVE_UP_MS = 20_000

type Props = {
  action: string
  data: PageData<unknown>
  fields?: readonly Field[]
  /** Leaves the checking of the fields to the server. */
  noValidate?: boolean
  /** Of the element around the form. */
  class?: string
  onSend?(): void
  children: ComponentChildren
}

type Sending = { button: HTMLElement | null; timer: ReturnType<typeof setTimeout>; endTurn?: () => void }

/**
 * A form that the browser itself sends, so that it follows the redirect. A press of its button first renews the token
 * and what the page shows; then the same button sends the form. That happens before `submit`, which is cancelled only
 * to block a repeat (specification 4.9 rule 4).
 *
 * A field may have any name, and a field called `action` or `parentNode` hides the form's own property of that name.
 * So nothing here reads a property of the form: the listener sits on the element around it, its one child never
 * changes, and methods are taken from the prototype.
 */
export function PostForm({ action, data, fields = [], noValidate, class: className, onSend, children }: Props) {
  const tokenInput = useRef<HTMLInputElement>(null)
  const sending = useRef<Sending | null>(null)

  /** The submit at hand is the one that follows a renewal. */
  const renewed = useRef(false)

  function begin(button: HTMLElement | null): Sending {
    // Not `disabled`: a disabled button drops its name and value from the form.
    button?.setAttribute('aria-busy', 'true')
    sending.current = { button, timer: setTimeout(release, GIVE_UP_MS) }
    onSend?.()
    return sending.current
  }

  function release() {
    clearTimeout(sending.current?.timer)
    sending.current?.button?.removeAttribute('aria-busy')
    sending.current?.endTurn?.()
    sending.current = null
  }

  /** Also what Enter in a text box comes down to. */
  function onClick(event: MouseEvent) {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[type=submit]')
    // A repeat is for `onSubmit` to block.
    if (!button || sending.current) return
    const form = (event.currentTarget as Element).firstElementChild as HTMLFormElement
    // What is missing is for the browser to say.
    if (!noValidate && !HTMLFormElement.prototype.checkValidity.call(form)) return
    event.preventDefault()
    void renewAndSend(form, button)
  }

  function onSubmit(event: SubmitEvent) {
    if (renewed.current) return noteFormSent()
    if (sending.current) return event.preventDefault()
    // Sent by a script, a password manager's for example, without a button being pressed.
    if (data.isFresh()) {
      begin(event.submitter)
      return noteFormSent()
    }
    event.preventDefault()
    void renewAndSend(event.target as HTMLFormElement, event.submitter)
  }

  async function renewAndSend(form: HTMLFormElement, button: HTMLElement | null) {
    const mine = begin(button)
    // What is waited for here ends by itself.
    clearTimeout(mine.timer)
    const endTurn = await takeTurn()
    if (!endTurn) {
      release()
      return data.giveUp()
    }
    mine.endTurn = endTurn
    const antiforgery = await data.renewForSubmit()
    // The page has shown something else meanwhile.
    if (sending.current !== mine) return endTurn()
    if (!antiforgery || !tokenInput.current) return release()
    tokenInput.current.name = antiforgery.formFieldName
    tokenInput.current.value = antiforgery.token
    mine.timer = setTimeout(release, GIVE_UP_MS)
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
      if (!sending.current) return
      noteFormSent()
      rememberForm(action)
      sending.current.endTurn?.()
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons inside it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key that presses a button is a click, too.
    <div class={className} onClick={onClick} onSubmit={onSubmit}>
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

/** Says above a form why it was not sent, and what to do. */
export function TroubleNotice({ data }: { data: PageData<unknown> }) {
  if (data.trouble?.kind === 'changed') return <Notice>{texts.changed}</Notice>
  if (data.trouble?.kind === 'cookies') return <Notice>{texts.cookies}</Notice>
  if (data.trouble?.kind !== 'unreachable') return null
  return (
    <Notice>
      {texts.unreachable.inForm} <RetryButton quiet onClick={data.retry} />
    </Notice>
  )
}
