import { useRef } from 'preact/hooks'
import { Or, ProviderButtons } from '../external-providers.tsx'
import { LoginFields, OtherWays } from '../login-fields.tsx'
import { PasskeyButton } from '../passkey-sign-in.tsx'
import { site } from '../site.ts'

const nothing = () => {}

/** Every way to sign in to this installation, made of what the sign-in page is made of. Nothing of it is of use here. */
export function SignInWays({ prefix = 'picture-' }: { prefix?: string }) {
  const [username, password] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const { passkeys, providers = [] } = site
  return (
    <>
      <div class="form">
        <LoginFields
          known=""
          wrong={false}
          usernameInput={username}
          passwordInput={password}
          visible={false}
          onVisible={nothing}
          prefix={prefix}
          autocomplete="off"
        />
      </div>
      {passkeys && <PasskeyButton />}
      <OtherWays returnUrl="/" />
      {providers.length > 0 && (
        <>
          <Or />
          <div class="form">
            <ProviderButtons providers={providers} />
          </div>
        </>
      )}
    </>
  )
}
