import type { ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './kit/button.tsx'
import { Notice } from './kit/layout.tsx'
import type { PageData } from './page-data.ts'
import { askForPasskey } from './passkey.ts'
import { PostForm } from './post-form.tsx'
import type { Field } from './query.ts'
import { remember } from './tab-memory.ts'
import { texts } from './texts.ts'

/** How long passkeys are offered with one challenge, which is good for five minutes. */
const OFFER_MS = 270_000

type Props = { data: PageData<unknown>; returnUrl: string }

/** The button for a passkey. Passkeys are offered in the autofill of the user name, too, where the browser can do that. */
export function PasskeySignIn({ data, returnUrl }: Props) {
  const offer = useRef<AbortController | null>(null)
  const [round, setRound] = useState(0)
  const [asking, setAsking] = useState(false)
  const [cancelled, setCancelled] = useState(false)
  const [fields, setFields] = useState<Field[] | null>(null)
  const next = () => setRound((before) => before + 1)

  function send(credential: string) {
    // The box stands in the form of the password.
    const wished = document.querySelector('input[type=checkbox][name=rememberMe]:checked')
    setFields([
      ['ReturnUrl', returnUrl],
      ['credential', credential],
      ...(wished ? [['rememberMe', 'true'] as Field] : []),
    ])
  }

  async function offerInAutofill(signal: AbortSignal) {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || signal.aborted) return
    const isFresh = data.isFresh()
    const passkey = await askForPasskey('signin', { conditional: true, signal, isFresh }).catch(() => null)
    if (passkey?.kind === 'ok') send(passkey.credential)
  }

  async function onClick() {
    if (asking) return
    // A browser has one request for a passkey at a time.
    offer.current?.abort()
    setAsking(true)
    setCancelled(false)
    const passkey = await askForPasskey('signin', { isFresh: data.isFresh() })
    setAsking(false)
    if (passkey.kind === 'ok') return send(passkey.credential)
    next()
    if (passkey.kind === 'cancelled') setCancelled(true)
    else data.giveUp()
  }

  useEffect(() => {
    if (!data.antiforgery) return
    const mine = new AbortController()
    offer.current = mine
    void offerInAutofill(mine.signal)
    const onVisible = () => !document.hidden && next()
    const timer = setTimeout(() => {
      mine.abort()
      // A page that nobody looks at asks for nothing.
      if (document.hidden) document.addEventListener('visibilitychange', onVisible)
      else next()
    }, OFFER_MS)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      mine.abort()
    }
  }, [data.antiforgery !== null, round])

  useEffect(() => {
    // The browser ended the request when the visitor left.
    const onShow = (event: PageTransitionEvent) => event.persisted && next()
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  return (
    <>
      {cancelled && <Notice role="status">{texts.signIn.passkeyCancelled}</Notice>}
      <PasskeyButton busy={asking} onClick={onClick} />
      {fields && (
        <PostForm
          action="/Account/PasskeyLogin"
          data={data}
          fields={fields}
          onSend={() => remember('signIn', returnUrl)}
        >
          <SendAtOnce key={fields[1]?.[1]} />
        </PostForm>
      )}
    </>
  )
}

export const PasskeyButton = (props: Pick<ComponentProps<typeof Button>, 'busy' | 'onClick'>) => (
  <Button {...props}>{texts.signIn.passkey}</Button>
)

/** Sends its form when it appears, by a press, which renews the token: it may have become another visitor's. */
function SendAtOnce() {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.click(), [])
  return <button ref={button} type="submit" hidden />
}
