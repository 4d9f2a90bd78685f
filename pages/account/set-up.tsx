import { useEffect, useRef, useState } from 'preact/hooks'
import { getJson } from '../api.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Card, Notice, Skeleton, Unreachable } from '../kit/layout.tsx'
import { type PageData, usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { parameter } from '../query.ts'
import { fillNodes, texts } from '../texts.ts'
import { NewEmailField, NewUsernameField } from './new-account-fields.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { canCreatePasskeys } from './passkey-creation.ts'
import type { RegistrationContext } from './registration-context.ts'
import { usePasskeyCeremony } from './set-up-passkey.ts'
import { words } from './texts.ts'

type SetUpContext = Pick<RegistrationContext, 'open' | 'password_min_length' | 'passkeys' | 'service'>

/** The page on which the first administrator of a new installation creates their account. */
export function SetUpPage() {
  const data = usePageData(() => getJson<SetUpContext>('/Account/SetUpContext'))
  const { facts } = data
  const text = words().setUp
  if (!facts && data.trouble) return <Unreachable onRetry={data.retry} />
  if (!facts)
    return (
      <Card busy title={text.title} lead={text.lead}>
        <Skeleton rows={['field', 'field', 'field', 'button']} />
      </Card>
    )
  return facts.open ? <SetUpForm data={data} context={facts} /> : <SetUpOver isError />
}

/** The link cannot be used any more, or was not opened. */
export function SetUpOver({ isError }: { isError: boolean }) {
  const text = words().confirm.setup
  return (
    <Card title={text.title}>
      {isError ? (
        <Notice>{fillNodes(text.error, { command: <code dir="ltr">latchkey setup</code> })}</Notice>
      ) : (
        <Notice role="status">{text.lead}</Notice>
      )}
      <div class="actions">
        <ButtonLink href="/Account/Login">{texts.toSignIn}</ButtonLink>
      </div>
    </Card>
  )
}

function SetUpForm({ data, context }: { data: PageData<SetUpContext>; context: SetUpContext }) {
  const { title, lead } = words().setUp
  const text = words().register
  const error = parameter('error')
  const email = useRef<HTMLInputElement>(null)
  const username = useRef<HTMLInputElement>(null)
  const [visible, setVisible] = useState(false)
  const passwordError = error?.startsWith('password_') ? error : null
  const emailFault = error === 'email_invalid' ? text.errors.email_invalid : null
  const usernameFault = error === 'username_invalid' || error === 'username_taken' ? text.errors[error] : null
  const ceremony = usePasskeyCeremony(data)
  const isByPasskey = context.passkeys && canCreatePasskeys
  const isAboutField = passwordError !== null || emailFault !== null || usernameFault !== null

  useEffect(() => {
    if (passwordError) return
    const first = usernameFault ? username : email
    first.current?.focus()
  }, [])

  const owner = () => ({
    username: username.current?.value.trim() ?? '',
    email: email.current?.value.trim() ?? '',
    service: context.service,
  })

  return (
    <Card title={title} lead={lead}>
      {error && !isAboutField && !ceremony.trouble && (
        <Notice>{error === 'passkey_failed' ? words().firstPasskey.failed : text.otherError}</Notice>
      )}
      {ceremony.trouble && (
        <Notice role={ceremony.trouble === 'cancelled' ? 'status' : 'alert'}>
          {words().firstPasskey[ceremony.trouble]}
        </Notice>
      )}
      <TroubleNotice data={data} />
      {/* What is wrong with a field stands beside it, in the words of this page. */}
      <PostForm
        action="/Account/SetUp"
        data={data}
        fields={ceremony.fields}
        noValidate
        onSend={() => setVisible(false)}
      >
        <NewEmailField inputRef={email} fault={emailFault} />
        <NewUsernameField inputRef={username} fault={usernameFault} />
        <NewPasswordField
          minLength={context.password_min_length}
          owner={owner}
          error={passwordError}
          visible={visible}
          onVisible={setVisible}
          {...(isByPasskey && { hint: text.passwordHint })}
        />
        <Button
          type="submit"
          look="main"
          buttonRef={ceremony.button}
          onClick={(event) => {
            const isEmpty = document.querySelector<HTMLInputElement>('input[name=password]')?.value === ''
            if (isByPasskey && isEmpty) ceremony.intercept(event, owner())
          }}
        >
          {text.submit}
        </Button>
      </PostForm>
    </Card>
  )
}
