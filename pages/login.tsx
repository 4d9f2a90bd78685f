import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, getJson, type Person } from './api.ts'
import { ExternalProviders } from './external-providers.tsx'
import { Card, Notice, Skeleton } from './layout.tsx'
import { localUrl } from './local-url.ts'
import { type PageData, usePageData } from './page-data.ts'
import { PasswordField } from './password-field.tsx'
import { PostForm, SubmitButton } from './post-form.tsx'
import { parameter } from './query.ts'
import { SignedInCard } from './signed-in.tsx'
import { recall, remember } from './tab-memory.ts'
import { entry, texts } from './texts/index.ts'
import { TroubleNotice } from './trouble-notice.tsx'
import { typed } from './typed.ts'

type Visitor = { user: Person | null }

/**
 * The session matters only to a visitor who opened the page directly: all others were sent here to sign in (again). If it
 * cannot be loaded, the form is shown all the same.
 */
async function loadVisitor(): Promise<Answer<Visitor>> {
  const noUser: Answer<Visitor> = { kind: 'ok', value: { user: null } }
  if (parameter('ReturnUrl') || parameter('error')) return noUser
  const session = await getJson<Visitor>('/Account/Session')
  return session.kind === 'ok' ? session : noUser
}

export function LoginPage({ signedOut }: { signedOut: boolean }) {
  const data = usePageData(loadVisitor)
  if (data.facts?.user) return <SignedInCard data={data} name={data.facts.user.name} />
  if (!data.facts)
    return (
      <Card busy title={texts.signIn.title} lead={texts.signIn.lead}>
        <Skeleton rows={['field', 'field', 'line', 'button']} />
      </Card>
    )
  return <LoginCard data={data} signedOut={signedOut} />
}

/** `signedOut`: the visitor has just signed out, with no application to go back to. */
function LoginCard({ data, signedOut }: { data: PageData<Visitor>; signedOut: boolean }) {
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const error = parameter('error')
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const [visible, setVisible] = useState(false)
  // As it was when the page came: the form is about to remember itself.
  const [again] = useState(returnUrl !== '/' && recall('signIn') === returnUrl)
  const wrong = error === 'invalid_credentials'

  useEffect(() => {
    const first = typed('username') ? passwordInput : usernameInput
    first.current?.focus()
  }, [])

  return (
    <Card
      title={signedOut ? texts.signIn.signedOut : texts.signIn.title}
      lead={signedOut ? texts.signIn.signedOutLead : texts.signIn.lead}
    >
      {error && <Notice id="error">{entry(texts.signIn.errors, error, texts.signIn.otherError)}</Notice>}
      {again && !error && <Notice role="status">{texts.signIn.again}</Notice>}
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
        <div class="field">
          <div class="label-row">
            <label for="username">{texts.signIn.username}</label>
            <span id="username-hint" class="hint">
              {texts.signIn.usernameHint}
            </span>
          </div>
          <input
            ref={usernameInput}
            id="username"
            name="username"
            type="text"
            inputmode="email"
            dir="auto"
            autocomplete="username"
            autocapitalize="none"
            autocorrect="off"
            spellcheck={false}
            required
            defaultValue={typed('username') ?? ''}
            aria-invalid={wrong || undefined}
            aria-describedby={wrong ? 'error username-hint' : 'username-hint'}
          />
        </div>
        <PasswordField
          inputRef={passwordInput}
          visible={visible}
          onToggle={() => setVisible(!visible)}
          invalid={wrong}
          describedBy={wrong ? 'error' : undefined}
        />
        <label class="check">
          <input type="checkbox" name="rememberMe" value="true" defaultChecked={parameter('rememberMe') !== null} />
          <span>{texts.signIn.rememberMe}</span>
        </label>
        <SubmitButton>{texts.signIn.submit}</SubmitButton>
      </PostForm>
      <ExternalProviders data={data} returnUrl={returnUrl} />
    </Card>
  )
}
