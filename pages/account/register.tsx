import { useEffect, useRef, useState } from 'preact/hooks'
import { WayBack } from '../back-to-application.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Card, Notice, Skeleton, Unreachable } from '../kit/layout.tsx'
import { type PageData, usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { leadingTo, localUrl, parameter } from '../query.ts'
import { remember } from '../tab-memory.ts'
import { fillNodes, texts } from '../texts.ts'
import { typed } from '../typed.ts'
import { AttributeField } from './attribute-field.tsx'
import { FirstPasskeyPage } from './first-passkey.tsx'
import { NewEmailField, NewUsernameField } from './new-account-fields.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { canCreatePasskeys } from './passkey-creation.ts'
import { loadRegistrationContext, type RegistrationContext } from './registration-context.ts'
import { words } from './texts.ts'

/** The page on which a person creates an account, or accepts an invitation. */
export function RegisterPage() {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  if (parameter('passkey') !== null) return <FirstPasskeyPage returnUrl={returnUrl} />
  return <Registration returnUrl={returnUrl} />
}

function Registration({ returnUrl }: { returnUrl: string }) {
  const data = usePageData(loadRegistrationContext)
  const { facts } = data
  const text = words().register
  if (!facts && data.trouble) return <Unreachable onRetry={data.retry} />
  if (!facts)
    return (
      <Card busy title={text.title} lead={text.lead}>
        <Skeleton rows={['field', 'field', 'field', 'button']} />
      </Card>
    )
  if (!facts.open)
    return (
      <Card title={text.closed.title}>
        <Notice>{text.closed.body}</Notice>
        <div class="actions">
          <ButtonLink href={leadingTo('/Account/Login', returnUrl)}>{texts.toSignIn}</ButtonLink>
        </div>
        <WayBack returnUrl={returnUrl} />
      </Card>
    )
  return <RegistrationForm data={data} context={facts} returnUrl={returnUrl} />
}

/** What was typed into the declared fields before the service asked again. */
function typedDetails(): Record<string, string> {
  try {
    return JSON.parse(typed('details') ?? '{}')
  } catch {
    return {}
  }
}

type FormProps = { data: PageData<RegistrationContext>; context: RegistrationContext; returnUrl: string }

function RegistrationForm({ data, context, returnUrl }: FormProps) {
  const { invitation } = context
  const text = words().register
  const error = parameter('error')
  const email = useRef<HTMLInputElement>(null)
  const username = useRef<HTMLInputElement>(null)
  const [visible, setVisible] = useState(false)
  const passwordError = error?.startsWith('password_') ? error : null
  const [refused] = useState(typedDetails)
  const [details, setDetails] = useState(refused)
  const faulty = parameter('faulty')?.split(' ') ?? []
  const fields = { email_invalid: email, username_invalid: username, username_taken: username }
  const isAboutField =
    error !== null && (Object.hasOwn(fields, error) || passwordError !== null || error === 'details_invalid')
  const emailFault = error === 'email_invalid' ? text.errors.email_invalid : null
  const usernameFault = error === 'username_invalid' || error === 'username_taken' ? text.errors[error] : null

  useEffect(() => {
    if (passwordError) return
    const first = emailFault ? email : usernameFault || invitation ? username : email
    // Of a group of boxes the first.
    const detail = document.querySelector<HTMLElement>(
      `[id='attribute-${faulty[0]}']:not(fieldset), [id='attribute-${faulty[0]}'] [aria-invalid]`,
    )
    ;(detail ?? first.current)?.focus()
  }, [])

  const owner = () => ({
    username: username.current?.value.trim() ?? '',
    email: invitation?.email ?? email.current?.value.trim() ?? '',
    service: context.service,
  })

  return (
    <Card
      title={text.title}
      lead={invitation ? fillNodes(text.invited, { address: <bdi>{invitation.email}</bdi> }) : text.lead}
    >
      {error && !isAboutField && <Notice>{text.otherError}</Notice>}
      <TroubleNotice data={data} />
      {/* What is wrong with a field stands beside it, in the words of this page. */}
      <PostForm
        action="/Account/Register"
        data={data}
        fields={[['ReturnUrl', returnUrl]]}
        noValidate
        onSend={() => {
          setVisible(false)
          remember('mailedTo', owner().email)
        }}
      >
        {!invitation && <NewEmailField inputRef={email} fault={emailFault} />}
        <NewUsernameField inputRef={username} fault={usernameFault} />
        {context.attributes.map((field) => (
          <AttributeField
            key={field.name}
            field={field}
            isPosted
            typed={details[field.name] ?? ''}
            set={(value) => setDetails({ ...details, [field.name]: value })}
            isFaulty={faulty.includes(field.name) && details[field.name] === refused[field.name]}
          />
        ))}
        <NewPasswordField
          minLength={context.password_min_length}
          owner={owner}
          error={passwordError}
          visible={visible}
          onVisible={setVisible}
          {...(context.passkeys && canCreatePasskeys && { hint: text.passwordHint })}
        />
        <Button type="submit" look="main">
          {text.submit}
        </Button>
      </PostForm>
      <p class="ways">
        <a href={leadingTo('/Account/Login', returnUrl)}>{text.toSignIn}</a>
      </p>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}
