import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { CodeField } from './code-field.tsx'
import { QrCode } from './qr-code.tsx'
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
