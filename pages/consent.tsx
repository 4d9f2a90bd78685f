import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { type ConsentClient, type ConsentContext, getJson, type RequestedScope } from './api.ts'
import { ClientLogo } from './client-logo.tsx'
import { Button } from './kit/button.tsx'
import { Icon } from './kit/icon.tsx'
import { Card, Notice, PersonLine, Skeleton, Unreachable } from './kit/layout.tsx'
import { usePageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { ProblemPage } from './problem.tsx'
import { parameter, queryFields } from './query.ts'
import { entry, fill, fillNodes, isolated, texts } from './texts.ts'

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

  const { hasLogo, id, uri } = facts.client
  const client = facts.client.name || id
  const name = <bdi>{client}</bdi>
  const destination = returnHost(facts.redirectUri ?? parameter('redirect_uri'))
  return (
    <Card
      mark={hasLogo && <ClientLogo id={id} />}
      title={fillNodes(texts.consent.title, { client: uri ? <Elsewhere to={uri}>{name}</Elsewhere> : name })}
      windowTitle={fill(texts.consent.title, { client: isolated(client) })}
    >
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={facts.user.name}>
        <a href={`/Account/Login?ReturnUrl=${encodeURIComponent(authorizationRequest())}&another=true`}>
          {texts.consent.notYou}
        </a>
      </PersonLine>
      <Unchecked client={facts.client} />
      <ScopeList scopes={facts.scopes} />
      {destination && (
        <p class="aside">
          {fillNodes(texts.consent.destination, {
            host: (
              <strong>
                <bdi>{destination}</bdi>
              </strong>
            ),
          })}
        </p>
      )}
      <ClientLinks client={facts.client} />
      <PostForm class="decision" action="/connect/authorize" data={data} fields={queryFields()}>
        <DecisionButtons />
      </PostForm>
    </Card>
  )
}

/** The answer of a user to what an application requests. */
export function DecisionButtons() {
  return (
    <div class="pair">
      <Button type="submit" name="submit.Deny" value="No">
        {texts.consent.deny}
      </Button>
      <Button type="submit" look="main" name="submit.Accept" value="Yes">
        {texts.consent.allow}
      </Button>
    </div>
  )
}

/** The warning of an application that no operator registered. It stands above the list, where the buttons never cover it. */
function Unchecked({ client: { selfRegistered, host } }: { client: ConsentClient }) {
  if (!selfRegistered) return null
  return (
    <Notice role="note">
      {host && <p>{fillNodes(texts.consent.published, { host: <strong>{host}</strong> })}</p>}
      <p>{texts.consent.selfRegistered}</p>
    </Notice>
  )
}

/** Another site, in a tab of its own: the question stays open. */
function Elsewhere({ to, children }: { to: string; children: ComponentChildren }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** The documents and contacts that an operator registered for the application. */
function ClientLinks({ client: { policyUri, termsUri, contacts } }: { client: ConsentClient }) {
  return (
    <>
      {(policyUri || termsUri) && (
        <p class="aside documents">
          {policyUri && <Elsewhere to={policyUri}>{texts.consent.policy}</Elsewhere>}
          {termsUri && <Elsewhere to={termsUri}>{texts.consent.terms}</Elsewhere>}
        </p>
      )}
      {contacts && (
        <p class="aside">
          {texts.consent.contacts}
          {contacts.map((contact, at) => [at ? ' · ' : ' ', <Contact key={contact}>{contact}</Contact>])}
        </p>
      )}
    </>
  )
}

/** A link if it is nothing but an e-mail address: more in one would fill in the message. */
function Contact({ children }: { children: string }) {
  const name = <bdi>{children}</bdi>
  return /^[\w.+-]+@[\w.-]+$/.test(children) ? <a href={`mailto:${children}`}>{name}</a> : <span>{name}</span>
}

/** What is asked for. */
export function ScopeList({ scopes }: { scopes: readonly RequestedScope[] }) {
  if (!scopes.length) return <p>{texts.consent.noScopes}</p>
  return (
    <>
      <h2 id="scopes">{texts.consent.scopes}</h2>
      <ul class="scopes" aria-labelledby="scopes">
        {scopes.map((scope) => (
          <ScopeLine key={scope.name} scope={scope} />
        ))}
      </ul>
    </>
  )
}

/** The server's words for the scope come first, then ours, and at the worst its name. */
function ScopeLine({ scope }: { scope: RequestedScope }) {
  const builtIn = entry<{ name: string; description?: string }>(texts.consent.builtInScopes, scope.name, {
    name: scope.name,
  })
  const description = scope.description || (scope.displayName ? '' : builtIn.description)
  return (
    <li>
      <Icon path="M3 8.5l3.25 3.25L13 5" />
      <span class="scope-words">
        <bdi>{scope.displayName || builtIn.name}</bdi>
        {[
          description,
          scope.purpose,
          scope.claims && fill(texts.consent.claims, { claims: scope.claims.join(', ') }),
        ].map(
          (words) =>
            words && (
              <small key={words}>
                <bdi>{words}</bdi>
              </small>
            ),
        )}
      </span>
    </li>
  )
}

/** Where the visitor goes next: a host, or the scheme of an app's own address. The server has checked the address by now. */
function returnHost(redirectUri: string | null): string | null {
  if (!redirectUri || !URL.canParse(redirectUri)) return null
  const { host, protocol } = new URL(redirectUri)
  return host || protocol
}
