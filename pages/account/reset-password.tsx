import { useState } from 'preact/hooks'
import { WayBack } from '../back-to-application.tsx'
import { Button } from '../kit/button.tsx'
import { Check } from '../kit/labelled.tsx'
import { Card, Notice, Skeleton, Unreachable } from '../kit/layout.tsx'
import { usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { leadingTo, localUrl, parameter } from '../query.ts'
import { site } from '../site.ts'
import { recall } from '../tab-memory.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { loadRegistrationContext } from './registration-context.ts'
import { words } from './texts.ts'

/** The page on which a person who used the code or link of a mail chooses a new password. */
export function ResetPasswordPage() {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const error = parameter('error')
  /** Opened in the middle of a sign-in, which no mail began. */
  const isRequired = parameter('step') === 'update_password'
  const data = usePageData(loadRegistrationContext)
  const [visible, setVisible] = useState(false)
  const { facts } = data
  const text = words().resetPassword
  const passwordError = error?.startsWith('password_') ? error : null

  if (!facts && data.trouble) return <Unreachable onRetry={data.retry} />
  const lead = isRequired ? text.required : text.lead
  if (!facts)
    return (
      <Card busy title={text.title} lead={lead}>
        <Skeleton rows={['field', 'line', 'button']} />
      </Card>
    )

  /** What was entered to get the mail: the address or the name. */
  const entered = recall('mailedTo') ?? ''
  return (
    <Card title={text.title} lead={lead}>
      {parameter('undone') !== null && !error && <Notice role="status">{text.undone}</Notice>}
      {error && !passwordError && <Notice>{words().newPassword.otherError}</Notice>}
      <TroubleNotice data={data} />
      <PostForm
        action="/Account/ResetPassword"
        data={data}
        fields={[['ReturnUrl', returnUrl]]}
        noValidate
        onSend={() => setVisible(false)}
      >
        <NewPasswordField
          minLength={facts.password_min_length}
          owner={() => ({ username: entered, email: entered, service: facts.service })}
          error={passwordError}
          visible={visible}
          onVisible={setVisible}
          autofocus
        />
        <Check name="revoke" value="true" defaultChecked>
          {text.revoke}
        </Check>
        <Button type="submit" look="main">
          {text.submit}
        </Button>
      </PostForm>
      {!isRequired && site.mail && (
        <p class="ways">
          <a href={leadingTo('/Account/ForgotPassword', returnUrl)}>{text.restart}</a>
        </p>
      )}
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}
