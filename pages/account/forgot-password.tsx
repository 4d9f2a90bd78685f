import { useEffect, useRef } from 'preact/hooks'
import { WayBack } from '../back-to-application.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { Card, Notice } from '../kit/layout.tsx'
import { usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { leadingTo, localUrl, parameter } from '../query.ts'
import { site } from '../site.ts'
import { remember } from '../tab-memory.ts'
import { entry } from '../texts.ts'
import { typed } from '../typed.ts'
import { words } from './texts.ts'

/** The page on which a person asks for a mail with which to choose a new password. */
export function ForgotPasswordPage() {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const error = parameter('error')
  const data = usePageData(async () => ({ kind: 'ok', value: {} }))
  const input = useRef<HTMLInputElement>(null)
  const text = words().forgotPassword

  useEffect(() => {
    input.current?.focus()
  }, [])

  if (!site.mail)
    return (
      <Card title={text.title} lead={text.noMail}>
        <div class="actions">
          <ButtonLink href={leadingTo('/Account/Login', returnUrl)}>{text.back}</ButtonLink>
        </div>
        <WayBack returnUrl={returnUrl} />
      </Card>
    )
  return (
    <Card title={text.title} lead={text.lead}>
      {error && <Notice>{entry(text.errors, error, text.otherError)}</Notice>}
      <TroubleNotice data={data} />
      <PostForm
        action="/Account/ForgotPassword"
        data={data}
        fields={[['ReturnUrl', returnUrl]]}
        onSend={() => remember('mailedTo', input.current?.value.trim() ?? '')}
      >
        <Labelled id="email" label={text.email} hint={text.emailHint}>
          <input
            ref={input}
            id="email"
            name="email"
            type="text"
            inputmode="email"
            dir="auto"
            autocomplete="username"
            autocapitalize="none"
            autocorrect="off"
            spellcheck={false}
            required
            defaultValue={typed('email') ?? ''}
            aria-describedby="email-hint"
          />
        </Labelled>
        <Button type="submit" look="main" aria-label={text.submitLabel}>
          {text.submit}
        </Button>
      </PostForm>
      <p class="ways">
        <a href={leadingTo('/Account/Login', returnUrl)}>{text.back}</a>
      </p>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}
