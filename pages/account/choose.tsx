import { useEffect } from 'preact/hooks'
import { getJson, type LoginContext } from '../api.ts'
import { BackToApplication } from '../back-to-application.tsx'
import { Button } from '../kit/button.tsx'
import { Card, PersonLine, Skeleton, Unreachable } from '../kit/layout.tsx'
import { usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { localUrl, parameter } from '../query.ts'
import { fillNodes, texts } from '../texts.ts'
import { words } from './texts.ts'

/** The page for `prompt=select_account`: the person who is signed in, and another. */
export function ChoosePage() {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const query = `?ReturnUrl=${encodeURIComponent(returnUrl)}`
  const data = usePageData(() => getJson<LoginContext>(`/Account/LoginContext${query}`))
  const { facts, trouble } = data
  const text = words().choose
  const nobody = facts && !facts.user

  useEffect(() => {
    if (nobody) location.replace(`/Account/Login${query}`)
  }, [nobody])

  if (trouble?.kind === 'unreachable' && !facts) return <Unreachable onRetry={data.retry} />
  if (!facts?.user)
    return (
      <Card busy title={text.title}>
        <Skeleton rows={['line', 'block', 'button', 'button']} />
      </Card>
    )

  const { user, client } = facts
  const name = client && <bdi>{client.name || client.id}</bdi>
  return (
    <Card title={text.title} lead={name ? fillNodes(text.leadTo, { client: name }) : text.lead}>
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={user.name} />
      <PostForm action="/Account/Choose" data={data} fields={[['ReturnUrl', returnUrl]]}>
        <Button type="submit" look="main" name="account" value="current">
          <span>{fillNodes(text.continueAs, { name: <bdi>{user.name}</bdi> })}</span>
        </Button>
        <Button type="submit" name="account" value="another">
          {text.another}
        </Button>
      </PostForm>
      <BackToApplication data={data} client={client} returnUrl={returnUrl} />
    </Card>
  )
}
