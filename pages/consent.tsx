import { useEffect } from 'preact/hooks'
import { type ConsentContext, getJson } from './api.ts'
import { ClientLogo } from './client-logo.tsx'
import { ConsentFacts, consentTitle, DecisionButtons } from './consent-facts.tsx'
import { Card, PersonLine, Skeleton, Unreachable } from './kit/layout.tsx'
import { usePageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { ProblemPage } from './problem.tsx'
import { parameter, queryFields } from './query.ts'
import { fill, isolated, texts } from './texts.ts'

const authorizationRequest = () => `/connect/authorize${location.search}`

export function ConsentPage() {
  const data = usePageData(() => getJson<ConsentContext>(`/Account/ConsentContext${location.search}`))
  const { facts, trouble } = data
  const signedOut = trouble?.kind === 'refused' && trouble.status === 401

  useEffect(() => {
    // The authorization endpoint leads on to the login page and back here, with the request kept.
    if (signedOut) location.replace(authorizationRequest())
  }, [signedOut])

  if (trouble?.kind === 'refused' && !signedOut) return <ProblemPage problem={trouble.problem} />
  if (trouble?.kind === 'unreachable' && !facts) return <Unreachable onRetry={data.retry} />
  if (!facts || signedOut)
    return (
      <Card busy title={texts.consent.loadingTitle}>
        <Skeleton rows={['block', 'line', 'block', 'block', 'block', 'button']} />
      </Card>
    )

  const { hasLogo, id } = facts.client
  const client = facts.client.name || id
  const destination = returnHost(facts.redirectUri ?? parameter('redirect_uri'))
  return (
    <Card
      mark={hasLogo && <ClientLogo id={id} />}
      title={consentTitle(facts.client)}
      windowTitle={fill(texts.consent.title, { client: isolated(client) })}
    >
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={facts.user.name}>
        <a href={`/Account/Login?ReturnUrl=${encodeURIComponent(authorizationRequest())}&another=true`}>
          {texts.consent.notYou}
        </a>
      </PersonLine>
      <ConsentFacts client={facts.client} scopes={facts.scopes} destination={destination} />
      <PostForm class="decision" action="/connect/authorize" data={data} fields={queryFields()}>
        <DecisionButtons />
      </PostForm>
    </Card>
  )
}

/** Where the visitor goes next: a host, or the scheme of an app's own address. The server has checked the address by now. */
function returnHost(redirectUri: string | null): string | null {
  if (!redirectUri || !URL.canParse(redirectUri)) return null
  const { host, protocol } = new URL(redirectUri)
  return host || protocol
}
