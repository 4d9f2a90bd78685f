/** Pictures of the pages on which people meet an application: their own components, which nobody can press here. */
import type { ComponentChildren } from 'preact'
import type { ConsentClient, RequestedScope } from '../api.ts'
import { ClientLogo } from '../client-logo.tsx'
import { ConsentFacts, consentTitle, DecisionButtons } from '../consent-facts.tsx'
import { CardContent, PersonLine } from '../kit/layout.tsx'
import { signInLead } from '../login-fields.tsx'
import { texts } from '../texts.ts'
import { SignInWays } from './sign-in-picture.tsx'
import { words } from './texts.ts'

export type Looks = {
  client: ConsentClient
  scopes: readonly RequestedScope[]
  /** Who is asked, as far as the picture is concerned. */
  person: string
  /** Whether people are asked at all. */
  asks: boolean
  destination: string | null
}

export function PreviewPages({ client, scopes, person, asks, destination, isDevice }: Looks & { isDevice: boolean }) {
  const text = words().applications
  const mark = client.hasLogo && <ClientLogo id={client.id} />
  return (
    <>
      <Picture title={text.previewSignIn}>
        <CardContent title={texts.signIn.title} lead={signInLead(client)} mark={mark}>
          <SignInWays />
        </CardContent>
      </Picture>
      {asks ? (
        <Picture title={text.previewConsent}>
          <CardContent title={consentTitle(client)} mark={mark}>
            <PersonLine label={texts.signedInAs} name={person}>
              <span class="link">{texts.consent.notYou}</span>
            </PersonLine>
            <ConsentFacts client={client} scopes={scopes} destination={isDevice ? null : destination} />
            <div class="form">
              <DecisionButtons />
            </div>
          </CardContent>
        </Picture>
      ) : (
        <p class="quiet">{text.previewNotAsked}</p>
      )}
    </>
  )
}

function Picture({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <figure class="page-picture">
      <figcaption>{title}</figcaption>
      <div class="picture" inert aria-hidden="true">
        <div class="card">{children}</div>
      </div>
    </figure>
  )
}
