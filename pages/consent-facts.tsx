/** What a person is asked about an application. */
import type { ComponentChildren } from 'preact'
import type { ConsentClient, RequestedScope } from './api.ts'
import { Button } from './kit/button.tsx'
import { Icon } from './kit/icon.tsx'
import { Notice } from './kit/layout.tsx'
import { entry, fill, fillNodes, texts } from './texts.ts'
import './consent-facts.css'

/** The question, with a link to the home page of the application if it has one. */
export function consentTitle({ id, name, uri }: ConsentClient) {
  const client = <bdi>{name || id}</bdi>
  return fillNodes(texts.consent.title, { client: uri ? <Elsewhere to={uri}>{client}</Elsewhere> : client })
}

type FactsProps = {
  client: ConsentClient
  scopes: readonly RequestedScope[]
  /** Where the answer goes: a host, or the scheme of an app. */
  destination: string | null
}

export function ConsentFacts({ client, scopes, destination }: FactsProps) {
  return (
    <>
      <Unchecked client={client} />
      <ScopeList scopes={scopes} />
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
      <ClientLinks client={client} />
    </>
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
  const handed = [
    ...(scope.claims ?? []),
    ...(scope.standardClaims ?? []).map((name) => entry<string>(texts.consent.standardClaims, name, name)),
  ]
  const description = scope.description || (scope.displayName ? '' : builtIn.description)
  return (
    <li>
      <Icon path="M3 8.5l3.25 3.25L13 5" />
      <span class="scope-words">
        <bdi>{scope.displayName || builtIn.name}</bdi>
        {[
          description,
          scope.purpose,
          handed.length > 0 && fill(texts.consent.claims, { claims: handed.join(', ') }),
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
