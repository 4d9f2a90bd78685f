import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import type { PageData } from '../page-data.ts'
import { askForPasskey, passkeysWork } from '../passkey.ts'
import { PostForm } from '../post-form.tsx'
import { RememberBrowser } from './code-factor.tsx'
import { words } from './texts.ts'

type Props = {
  data: PageData<unknown>
  /** What became of the attempt before; null: there was none. */
  fault: string | null
}

/** A passkey as the second factor: the button opens the browser's dialog, whose answer is sent at once. */
export function PasskeyFactor({ data, fault }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [trouble, setTrouble] = useState<'cancelled' | null>(null)
  const [credential, setCredential] = useState<string | null>(null)
  const send = useRef<HTMLButtonElement>(null)
  const text = words().secondFactor.passkey

  useEffect(() => {
    if (credential) send.current?.click()
  }, [credential])

  async function onClick() {
    if (isAsking) return
    setAsking(true)
    setTrouble(null)
    const passkey = await askForPasskey('second_factor', { isFresh: data.isFresh() })
    setAsking(false)
    if (passkey.kind === 'ok') return setCredential(passkey.credential)
    if (passkey.kind === 'cancelled') setTrouble('cancelled')
    else if (passkey.kind === 'refused') data.retry()
    else data.giveUp()
  }

  if (!passkeysWork) return <Notice role="status">{text.unsupported}</Notice>
  return (
    <>
      <p class="lead">{text.lead}</p>
      {trouble ? <Notice role="status">{text[trouble]}</Notice> : fault && <Notice>{fault}</Notice>}
      <PostForm action="/Account/SecondFactor" data={data} fields={[['method', 'passkey']]}>
        <input type="hidden" name="credential" value={credential ?? ''} />
        {/* Its press renews the token, which may have become another visitor's while the dialog was open. */}
        <button ref={send} type="submit" hidden />
        <RememberBrowser />
        <Button look="main" aria-busy={isAsking || undefined} onClick={onClick}>
          {text.choose}
        </Button>
      </PostForm>
    </>
  )
}
