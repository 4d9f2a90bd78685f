import { useState } from 'preact/hooks'
import { encode } from 'uqr'
import { Button } from '../kit/button.tsx'
import { CodeField } from './code-field.tsx'
import { words } from './texts.ts'

/** The answer of `POST /Account/Self/totp`: the key in Base32, and the address that apps read from a picture. */
export type NewApp = { secret: string; uri: string }

type Props = { app: NewApp; isBusy: boolean; isWrong: boolean; onCode(code: string): void }

/** The key of a new authenticator app as a picture and as text, and a box for the first code. */
export function AppSetUp({ app, isBusy, isWrong, onCode }: Props) {
  const [code, setCode] = useState('')
  const text = words().enrolment

  function onSubmit(event: Event) {
    event.preventDefault()
    onCode(code)
  }

  return (
    <>
      <ol class="set-up">
        <li>
          <p>{text.scan}</p>
          <QrCode text={app.uri} label={text.picture} />
          <p class="hint">{text.secret}</p>
          <code class="key" dir="ltr">
            {app.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </li>
        <li>{text.enter}</li>
      </ol>
      <form class="form" onSubmit={onSubmit}>
        <CodeField
          label={text.code}
          hint={words().secondFactor.totp.hint}
          fault={isWrong ? text.wrong : null}
          onInput={setCode}
        />
        <Button type="submit" look="main" busy={isBusy}>
          {text.submit}
        </Button>
      </form>
    </>
  )
}

/** A text as a QR code, dark on light in every theme: that is what cameras expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} />
      <path d={dark.join('')} />
    </svg>
  )
}
