import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, getJson, type LoginContext, type Person } from './api.ts'
import { BackToApplication } from './back-to-application.tsx'
import { ClientLogo } from './client-logo.tsx'
import { ExternalProviders } from './external-providers.tsx'
import { Button, type Look } from './kit/button.tsx'
import { Card, Notice, PersonLine, Skeleton } from './kit/layout.tsx'
import { LoginFields, OtherWays, signInLead } from './login-fields.tsx'
import { type PageData, usePageData } from './page-data.ts'
import { passkeysWork } from './passkey.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { leadsToApplication, localUrl, parameter } from './query.ts'
import { SignedInCard } from './signed-in.tsx'
import { mayBeSignedIn } from './site.ts'
import { recall, remember } from './tab-memory.ts'
import { entry, fillNodes, texts } from './texts.ts'
import { typed } from './typed.ts'

/** What the form rests on: who is signed in, for a visitor who opened the page directly. */
type Visitor = { user: Person | null }

const nothing: LoginContext = { client: null, user: null, reason: null }

export function LoginPage({ signedOut }: { signedOut: boolean }) {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const isDirect = !parameter('ReturnUrl') && !parameter('error')
  const [context, setContext] = useState<LoginContext | null>(null)
  const [another, setAnother] = useState(!mayOffer(returnUrl))

  /** If the facts cannot be loaded, the form is shown all the same. */
  async function loadVisitor(): Promise<Answer<Visitor>> {
    const answer = await getJson<LoginContext>(`/Account/LoginContext?ReturnUrl=${encodeURIComponent(returnUrl)}`)
    const found = answer.kind === 'ok' ? answer.value : nothing
    setContext((before) => {
      // Who signs in later did so in another tab, and what was typed here stays.
      if (!before && !(found.user && !found.reason)) setAnother(true)
      return found
    })
    return { kind: 'ok', value: { user: isDirect ? found.user : null } }
  }

  const data = usePageData(loadVisitor, true)
  if (data.facts?.user) return <SignedInCard data={data} name={data.facts.user.name} />
  if (!context && mayBeSignedIn)
    return (
      <Card busy title={texts.signIn.title} lead={texts.signIn.lead}>
        <Skeleton rows={['field', 'field', 'line', 'button']} />
      </Card>
    )
  const known = context ?? nothing
  if (!another && known.user)
    return (
      <OfferCard
        data={data}
        context={known}
        name={known.user.name}
        returnUrl={returnUrl}
        onAnother={() => setAnother(true)}
      />
    )
  return <LoginCard data={data} context={known} returnUrl={returnUrl} signedOut={signedOut} />
}

/**
 * Whether to offer to go on without signing in. Not to those who come back to the form by hand, nor to those whom a
 * page sent here to fill it in.
 */
function mayOffer(returnUrl: string): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const wanted = parameter('error') ?? parameter('another') ?? parameter('reauthenticate')
  return leadsToApplication(returnUrl) && wanted === null && navigation?.type !== 'back_forward'
}

const markFor = ({ client }: LoginContext) => client?.hasLogo && <ClientLogo id={client.id} />

type OfferProps = {
  data: PageData<Visitor>
  context: LoginContext
  name: string
  returnUrl: string
  onAnother(): void
}

/** What a signed-in visitor finds whom an application sent here, and whose sign-in does. */
function OfferCard({ data, context, name, returnUrl, onAnother }: OfferProps) {
  return (
    <Card title={texts.signIn.title} lead={signInLead(context.client)} mark={markFor(context)}>
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={name} />
      <div class="actions">
        <ContinueButton look="main" name={name} returnUrl={returnUrl} />
        <Button onClick={onAnother}>{texts.signIn.useAnother}</Button>
      </div>
      <BackToApplication data={data} client={context.client} returnUrl={returnUrl} />
    </Card>
  )
}

type ContinueProps = { look: Look; name: string; returnUrl: string }

function ContinueButton({ look, name, returnUrl }: ContinueProps) {
  return (
    <Button look={look} onClick={() => location.assign(returnUrl)}>
      {fillNodes(texts.signIn.continueAs, { name: <bdi>{name}</bdi> })}
    </Button>
  )
}

type LoginProps = { data: PageData<Visitor>; context: LoginContext; returnUrl: string; signedOut: boolean }

/** `signedOut`: the visitor has just signed out, with no application to go back to. */
function LoginCard({ data, context, returnUrl, signedOut }: LoginProps) {
  const error = parameter('error')
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const [visible, setVisible] = useState(false)
  const [another, setAnother] = useState(parameter('another') !== null)
  // As it was when the page came: the form is about to remember itself.
  const [again] = useState(returnUrl !== '/' && recall('signIn') === returnUrl)
  const refusedPasskey = error === 'invalid_credentials' && parameter('method') === 'passkey'
  const wrong = error === 'invalid_credentials' && !refusedPasskey
  const { user, client } = context
  const reason = user && (parameter('reauthenticate') === null ? context.reason : 'reauthenticate')
  const known = typed('username') ?? (reason && reason !== 'another' ? user.name : '')

  function takeAnother() {
    setAnother(true)
    usernameInput.current?.focus()
  }

  useEffect(() => {
    const first = known ? passwordInput : usernameInput
    first.current?.focus()
  }, [])

  return (
    <Card
      title={signedOut ? texts.signIn.signedOut : texts.signIn.title}
      lead={signedOut ? texts.signIn.signedOutLead : signInLead(context.client)}
      mark={markFor(context)}
    >
      {error && (
        <Notice id="error">
          {refusedPasskey ? texts.signIn.passkeyRefused : entry(texts.signIn.errors, error, texts.signIn.otherError)}
        </Notice>
      )}
      {again && !error && reason !== 'reauthenticate' ? (
        <Notice role="status">{texts.signIn.again}</Notice>
      ) : (
        reason && (
          <Notice role="status">
            {fillNodes(texts.signIn.reasons[reason], {
              name: <bdi>{user.name}</bdi>,
              client: client ? <bdi>{client.name || client.id}</bdi> : texts.signIn.application,
            })}
          </Notice>
        )
      )}
      {user && !reason && !another && returnUrl !== '/' && (
        <Notice role="status">
          {fillNodes(texts.signIn.signedInNow, { name: <bdi>{user.name}</bdi> })}{' '}
          <ContinueButton look="link" name={user.name} returnUrl={returnUrl} />
          {' · '}
          <Button look="link" onClick={takeAnother}>
            {texts.signIn.useAnother}
          </Button>
        </Notice>
      )}
      <TroubleNotice data={data} />
      <PostForm
        action="/Account/Login"
        data={data}
        fields={[['ReturnUrl', returnUrl]]}
        onSend={() => {
          // Browsers keep what is typed into a visible text box; a password must not end up among it.
          setVisible(false)
          remember('signIn', returnUrl)
        }}
      >
        <LoginFields
          known={known}
          wrong={wrong}
          usernameInput={usernameInput}
          passwordInput={passwordInput}
          visible={visible}
          onVisible={setVisible}
          autocomplete={passkeysWork ? 'username webauthn' : 'username'}
        />
      </PostForm>
      {passkeysWork && <PasskeySignIn data={data} returnUrl={returnUrl} />}
      <OtherWays returnUrl={returnUrl} />
      <ExternalProviders data={data} returnUrl={returnUrl} />
      <BackToApplication data={data} client={client} returnUrl={returnUrl} />
    </Card>
  )
}
