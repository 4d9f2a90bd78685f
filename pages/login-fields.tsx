/** What the sign-in page asks for. */
import type { RefObject } from 'preact'
import type { ClientName } from './api.ts'
import { Button } from './kit/button.tsx'
import { Check, Labelled } from './kit/labelled.tsx'
import { PasswordBox } from './kit/password-box.tsx'
import { parameter } from './query.ts'
import { site } from './site.ts'
import { fillNodes, texts } from './texts.ts'

export function signInLead(client: ClientName | null) {
  if (!client) return texts.signIn.lead
  return fillNodes(texts.signIn.leadTo, { client: <bdi>{client.name || client.id}</bdi> })
}

type Props = {
  /** The name that is known already. */
  known: string
  /** Whether what was sent before was wrong. */
  wrong: boolean
  usernameInput: RefObject<HTMLInputElement | null>
  passwordInput: RefObject<HTMLInputElement | null>
  /** Whether the password can be read. */
  visible: boolean
  /** Of the ids of the boxes, for a picture of the form beside another one. */
  prefix?: string
  /** Of the name; `off`: of a picture of the form, which nothing may fill in. */
  autocomplete: string
  onVisible(visible: boolean): void
}

export function LoginFields({
  known,
  wrong,
  usernameInput,
  passwordInput,
  visible,
  onVisible,
  prefix = '',
  autocomplete,
}: Props) {
  const hint = `${prefix}username-hint`
  return (
    <>
      <Labelled id={`${prefix}username`} label={texts.signIn.username} hint={texts.signIn.usernameHint}>
        <input
          ref={usernameInput}
          id={`${prefix}username`}
          name="username"
          type="text"
          inputmode="email"
          dir="auto"
          autocomplete={autocomplete as AutoFill}
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          required
          defaultValue={known}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `error ${hint}` : hint}
        />
      </Labelled>
      <PasswordBox
        id={`${prefix}password`}
        words={{ ...texts.signIn, label: texts.signIn.password }}
        inputRef={passwordInput}
        autocomplete={autocomplete === 'off' ? 'off' : 'current-password'}
        required
        visible={visible}
        onVisible={onVisible}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? 'error' : undefined}
      />
      <Check name="rememberMe" value="true" defaultChecked={parameter('rememberMe') !== null}>
        {texts.signIn.rememberMe}
      </Check>
      <Button type="submit" look="main">
        {texts.signIn.submit}
      </Button>
    </>
  )
}

/** For those who have no password, or not any more. */
export function OtherWays({ returnUrl }: { returnUrl: string }) {
  const query = returnUrl === '/' ? '' : `?ReturnUrl=${encodeURIComponent(returnUrl)}`
  return (
    <p class="ways">
      <a href={`/Account/ForgotPassword${query}`}>{texts.signIn.forgotPassword}</a>
      {site.registration && <a href={`/Account/Register${query}`}>{texts.signIn.createAccount}</a>}
    </p>
  )
}
