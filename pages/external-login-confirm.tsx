import { useEffect, useRef, useState } from 'preact/hooks'
import { getJson, type PendingIdentity } from './api.ts'
import { WayBack } from './back-to-application.tsx'
import { Button } from './kit/button.tsx'
import { Labelled } from './kit/labelled.tsx'
import { Card, Notice, PersonLine, Skeleton, Unreachable } from './kit/layout.tsx'
import { type PageData, usePageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { localUrl, parameter } from './query.ts'
import { entry, fillNodes, texts } from './texts.ts'
import { typed } from './typed.ts'

export function ExternalLoginConfirmPage() {
  const data = usePageData(() => getJson<PendingIdentity>('/Account/ExternalLoginPending'))
  const returnUrl = localUrl(parameter('ReturnUrl'))
  if (data.trouble?.kind === 'refused')
    return (
      <Card title={texts.confirm.expiredTitle}>
        <Notice>{texts.confirm.expired}</Notice>
        <BackToSignIn returnUrl={returnUrl} />
        <WayBack returnUrl={returnUrl} />
      </Card>
    )
  if (data.trouble?.kind === 'unreachable' && !data.facts) return <Unreachable onRetry={data.retry} />
  if (!data.facts)
    return (
      <Card busy title={texts.confirm.title}>
        <Skeleton rows={['line', 'line', 'block', 'field', 'button']} />
      </Card>
    )
  return <ConfirmCard data={data} identity={data.facts} returnUrl={returnUrl} />
}

type ConfirmProps = { data: PageData<unknown>; identity: PendingIdentity; returnUrl: string }

function ConfirmCard({ data, identity, returnUrl }: ConfirmProps) {
  const provider = <bdi>{identity.displayName || identity.provider}</bdi>
  const error = parameter('error')
  const input = useRef<HTMLInputElement>(null)
  const [looksWrong, setLooksWrong] = useState(false)
  const aboutEmail = error === 'email_invalid' || error === 'email_in_use'

  useEffect(() => {
    if (aboutEmail || !identity.email) input.current?.focus()
  }, [])

  return (
    <Card title={texts.confirm.title} lead={fillNodes(texts.confirm.lead, { provider })}>
      {error && <Notice id="error">{entry(texts.confirm.errors, error, texts.confirm.otherError)}</Notice>}
      <TroubleNotice data={data} />
      {identity.email && <PersonLine label={fillNodes(texts.confirm.identity, { provider })} name={identity.email} />}
      {/* The server's answer to a wrong address is the page's own message, not the browser's. */}
      <PostForm action="/Account/ExternalLoginRegister" data={data} fields={[['ReturnUrl', returnUrl]]} noValidate>
        <Labelled id="email" label={texts.confirm.email}>
          <input
            ref={input}
            id="email"
            name="email"
            type="email"
            dir="auto"
            autocomplete="email"
            autocapitalize="none"
            spellcheck={false}
            required
            defaultValue={typed('email') ?? identity.email ?? ''}
            aria-invalid={aboutEmail || looksWrong || undefined}
            aria-describedby={aboutEmail ? 'error email-hint' : 'email-hint'}
            onBlur={(event) => setLooksWrong(event.currentTarget.validity.typeMismatch)}
            onInput={(event) => looksWrong && setLooksWrong(event.currentTarget.validity.typeMismatch)}
          />
          <p id="email-hint" class="hint" role="status">
            {looksWrong ? texts.confirm.emailLooksWrong : texts.confirm.emailHint}
          </p>
        </Labelled>
        <Button type="submit" look="main">
          {texts.confirm.submit}
        </Button>
      </PostForm>
      <BackToSignIn returnUrl={returnUrl} quiet />
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

function BackToSignIn({ returnUrl, quiet }: { returnUrl: string; quiet?: boolean }) {
  return (
    <form class="form after" method="get" action="/Account/Login">
      {returnUrl !== '/' && <input type="hidden" name="ReturnUrl" value={returnUrl} />}
      <Button type="submit" look={(quiet ?? false) ? 'quiet' : 'main'}>
        {texts.backToSignIn}
      </Button>
    </form>
  )
}
