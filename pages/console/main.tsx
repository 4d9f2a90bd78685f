import { useEffect, useState } from 'preact/hooks'
import { shellWord } from '../../src/protocol/shell-word.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Card, Notice, RetryButton, Skeleton, Unreachable } from '../kit/layout.tsx'
import { Toasts } from '../kit/toast.tsx'
import { loadAgainWhenRestored } from '../restored.ts'
import { show } from '../start.tsx'
import { fillNodes, loadTexts } from '../texts.ts'
import '../kit/area.css'
import './console.css'
import { call, callAhead } from './api.ts'
import { tellSignedIn } from './beside.ts'
import { firstSignIn, isBeside, opened, openedScript } from './early.ts'
import { Frame } from './frame.tsx'
import { Keyboard } from './keyboard.tsx'
import { LeavingQuestion } from './leaving.tsx'
import { type Me, MeContext, type MeRecord, meOf, notePermitted, wasPermitted } from './me.tsx'
import { type PageScript, scripts } from './page-scripts.ts'
import { type PageName, pages } from './pages.ts'
import { InEnglish, ProblemNotice } from './problem.tsx'
import { at, go, placeOf, usePlace } from './router.tsx'
import { account, accountSecurity, isTooWeak, signInHere, signInMoreStrongly } from './session.ts'
import { SignInFailed } from './sign-in-failed.ts'
import { words } from './texts.ts'
import { fillTyped } from './typed.ts'

/** What the forms at `…/new` and `…/invite` need. */
const creating: Record<string, string> = {
  people: 'admin:users',
  groups: 'admin:users',
  attributes: 'admin:users',
  applications: 'admin:clients',
  scopes: 'admin:clients',
  roles: 'admin:users',
}

function Console({ me }: { me: Me }) {
  const { segments } = usePlace()
  const [first = '', second] = segments
  const needed = second === 'new' || second === 'invite' ? creating[first] : undefined
  const isPermitted = needed === undefined || me.may(needed)
  const [loaded, setLoaded] = useState<{ name: string; Page: PageScript['default'] } | null>(null)
  const [missing, setMissing] = useState<string | null>(null)

  useEffect(() => {
    const start = pages.find(({ permission }) => me.may(permission))
    if (first === '' && start !== undefined && start.path.length > 0) return go(at(...start.path), { replace: true })
    // Another version of the service has scripts of other names, which a reload finds.
    const script = Object.hasOwn(scripts, first) ? scripts[first] : undefined
    let isLeft = false
    void script?.().then(
      ({ default: page }) => {
        if (isLeft) return
        setLoaded({ name: first, Page: page })
        setMissing(null)
      },
      () => isLeft || setMissing(first),
    )
    return () => {
      isLeft = true
    }
  }, [first])

  useEffect(() => {
    // A link that is pointed at or focused is likely to be followed.
    const prefetch = ({ target }: Event) => {
      const link = (target as Element).closest?.('a')
      const [name = ''] = link === null || link === undefined ? [] : placeOf(link).segments
      if (link?.pathname.startsWith('/admin') && Object.hasOwn(scripts, name)) void scripts[name]?.().catch(() => {})
    }
    addEventListener('pointerover', prefetch)
    addEventListener('focusin', prefetch)
    return () => {
      removeEventListener('pointerover', prefetch)
      removeEventListener('focusin', prefetch)
    }
  }, [])

  const Shown = loaded?.name === first ? loaded.Page : undefined
  return (
    <MeContext.Provider value={me}>
      {!isPermitted ? (
        <NotPermitted page={first} />
      ) : Shown ? (
        <Shown segments={segments} />
      ) : missing === first ? (
        <Frame page={first || 'home'} title={words().pages[(first || 'home') as PageName]}>
          <Notice>{words().frame.notLoaded}</Notice>
          <div class="buttons">
            <RetryButton onClick={() => location.reload()} />
          </div>
        </Frame>
      ) : Object.hasOwn(scripts, first) ? (
        <Frame page={first || 'home'} title={words().pages[(first || 'home') as PageName]} busy>
          <Skeleton rows={['line', 'field', 'field']} />
        </Frame>
      ) : (
        <Unknown />
      )}
      <Keyboard />
      <LeavingQuestion />
      <Toasts {...words().toasts} />
    </MeContext.Provider>
  )
}

function Unknown() {
  const text = words().notFound
  return <Frame page="" title={text.title} lead={text.body} />
}

/** In place of a form that nobody with these roles can send. */
function NotPermitted({ page }: { page: string }) {
  const title = words().pages[page as keyof ReturnType<typeof words>['pages']]
  return (
    <Frame page={page} title={title} isBelow>
      <Notice>{words().problems.forbidden}</Notice>
    </Frame>
  )
}

/** The page of those who have no role here. */
function Forbidden({ name }: { name: string }) {
  const text = words().forbidden
  return (
    <Card
      title={text.title}
      lead={fillNodes(text.body, { name: <bdi>{name}</bdi>, word: <bdi>{shellWord(name)}</bdi> })}
    >
      <div class="actions">
        <ButtonLink href={account}>{words().forbidden.account}</ButtonLink>
        <Another quiet />
      </div>
    </Card>
  )
}

/** Leads to the login page, even with a session. */
function Another({ quiet = false }) {
  // The page says what is wrong if the service cannot be reached.
  const onClick = () => signInHere({ prompt: 'login' }).catch(() => location.reload())
  return (
    <Button look={quiet ? 'quiet' : 'main'} onClick={onClick}>
      {words().forbidden.another}
    </Button>
  )
}

/** Shown when the sign-in is weaker than `Admin:RequiredAcr` and the account has no stronger factor. */
function TooWeak() {
  const text = words().tooWeak
  return (
    <Card title={text.title} lead={text.body}>
      <div class="actions">
        <ButtonLink href={accountSecurity}>{text.account}</ButtonLink>
        <Button onClick={() => location.reload()}>{words().signInFailed.again}</Button>
      </div>
    </Card>
  )
}

/** The page of those who could not be signed in. */
function NotSignedIn({ failure: { error, message } }: { failure: SignInFailed }) {
  const text = words().signInFailed
  return (
    <Card title={text.title} lead={error === 'access_denied' ? text.denied : text.other}>
      {(error || message) && (
        <Notice>
          <InEnglish>{[error, message].filter(Boolean).join(': ')}</InEnglish>
        </Notice>
      )}
      <div class="actions">
        <Button look="main" onClick={() => location.reload()}>
          {text.again}
        </Button>
        <Another quiet />
      </div>
    </Card>
  )
}

/** Asks for the first facts of the page together with who the person is. */
async function askAhead(): Promise<void> {
  const script = await openedScript?.catch(() => undefined)
  const place = placeOf(location)
  if (!isKnown && wasPermitted() && (place.segments[0] ?? '') === opened) callAhead(script?.firstCalls?.(place) ?? [])
}
/** Whether it is known who the person is: from then on, the page asks by itself. */
let isKnown = false

async function begin(): Promise<void> {
  try {
    await firstSignIn
  } catch (error) {
    const failure = error as SignInFailed
    if (failure.error === 'unreachable') return show(<Unreachable onRetry={() => location.reload()} />)
    return show(<NotSignedIn failure={failure} />)
  }
  const me = call<MeRecord>({ method: 'GET', path: '/me' })
  void askAhead()
  const result = await me
  isKnown = true
  // Leaves the page if a stronger sign-in may help.
  await signInMoreStrongly(result.kind !== 'signed-out')
  if (result.kind === 'ok') {
    const me = meOf(result.value)
    const isPermitted = result.value.permissions.length > 0
    notePermitted(isPermitted)
    if (!isPermitted) return show(<Forbidden name={me.username} />)
    show(<Console me={me} />)
    return fillTyped()
  }
  if (result.kind === 'refused') {
    return show(
      <Card title={result.problem.status >= 500 ? words().signInFailed.title : words().forbidden.title}>
        <ProblemNotice result={result} />
        <div class="actions">
          <RetryButton onClick={() => location.reload()} />
        </div>
      </Card>,
    )
  }
  if (result.kind === 'signed-out')
    return show(isTooWeak() ? <TooWeak /> : <NotSignedIn failure={new SignInFailed('', 'invalid_token')} />)
  show(<Unreachable onRetry={() => location.reload()} />)
}

async function start(): Promise<void> {
  await loadTexts()
  if (!isBeside) return begin()
  tellSignedIn()
  // Remains where the browser does not let a script close the window.
  show(<Card title={words().problems.signedInAgain} />)
}

loadAgainWhenRestored()
// Not awaited: the scripts of pages import this one, and would wait as well.
void start()
