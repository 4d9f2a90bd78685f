import { useEffect, useRef } from 'preact/hooks'
import { type DeviceContext, type DeviceRequest, getJson } from './api.ts'
import { DecisionButtons, ScopeList } from './consent-facts.tsx'
import { Button, ButtonLink } from './kit/button.tsx'
import { Labelled } from './kit/labelled.tsx'
import { Card, Notice, PersonLine, Skeleton, Unreachable } from './kit/layout.tsx'
import { type PageData, usePageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { ProblemPage } from './problem.tsx'
import { parameter } from './query.ts'
import { entry, fill, fillNodes, isolated, texts } from './texts.ts'

/** The page on which a user answers the request of a device (RFC 8628 §3.3). */
export function DevicePage() {
  const outcome = parameter('outcome')
  if (outcome === 'allowed' || outcome === 'denied') return <DoneCard outcome={outcome} />
  return <CodePage typed={parameter('user_code')?.trim() ?? ''} />
}

function CodePage({ typed }: { typed: string }) {
  const query = typed ? `?${new URLSearchParams({ user_code: typed })}` : ''
  const data = usePageData(() => getJson<DeviceContext>(`/Account/DeviceContext${query}`))
  const { facts, trouble } = data
  const signedOut = trouble?.kind === 'refused' && trouble.status === 401
  const signIn = `/Account/Login?ReturnUrl=${encodeURIComponent(`/Account/Device${query}`)}`

  useEffect(() => {
    if (signedOut) location.replace(signIn)
  }, [signedOut])

  if (trouble?.kind === 'refused' && !signedOut) return <ProblemPage problem={trouble.problem} />
  if (trouble?.kind === 'unreachable' && !facts) return <Unreachable onRetry={data.retry} />
  if (!facts || signedOut)
    return (
      <Card busy title={texts.device.title}>
        <Skeleton rows={['line', 'block', 'field', 'button']} />
      </Card>
    )

  const { request } = facts
  const error = facts.error ?? parameter('error')
  const client = request?.client.name || request?.client.id || ''
  const heading = request
    ? {
        title: fillNodes(texts.consent.title, { client: <bdi>{client}</bdi> }),
        windowTitle: fill(texts.consent.title, { client: isolated(client) }),
      }
    : { title: texts.device.title, lead: texts.device.lead }
  return (
    <Card {...heading}>
      {error && !request && <Notice id="error">{entry(texts.device.errors, error, texts.device.otherError)}</Notice>}
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={facts.user.name}>
        <a href={`${signIn}&another=true`}>{texts.consent.notYou}</a>
      </PersonLine>
      <CodeForm code={request?.code ?? typed} wrong={Boolean(error) && !request} found={request !== null} />
      {request && <Decision data={data} request={request} />}
    </Card>
  )
}

type CodeProps = {
  code: string
  wrong: boolean
  /** The code was looked up, and its request is shown below. */
  found: boolean
}

/** Loads the page for another code: by the button, and as soon as all letters are typed. */
function CodeForm({ code, wrong, found }: CodeProps) {
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!found) input.current?.focus()
  }, [])

  function onInput(event: Event) {
    const { value, form } = event.currentTarget as HTMLInputElement
    const isComplete = lettersOf(value).length === 8
    if (isComplete && lettersOf(value) !== lettersOf(code)) form?.requestSubmit()
  }

  return (
    <form class="form code" method="get" action="/Account/Device">
      <Labelled id="code" label={texts.device.code}>
        <input
          ref={input}
          id="code"
          name="user_code"
          type="text"
          dir="ltr"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          required
          maxLength={64}
          defaultValue={code}
          aria-invalid={wrong || undefined}
          aria-describedby={found ? undefined : wrong ? 'error code-hint' : 'code-hint'}
          onInput={onInput}
        />
        {!found && (
          <p id="code-hint" class="hint">
            {texts.device.codeHint}
          </p>
        )}
      </Labelled>
      <Button type="submit" look={found ? 'quiet' : 'main'}>
        {texts.device.submit}
      </Button>
    </form>
  )
}

const lettersOf = (value: string) => value.replaceAll(/[^a-z]/gi, '').toUpperCase()

function Decision({ data, request }: { data: PageData<unknown>; request: DeviceRequest }) {
  return (
    <>
      <ScopeList scopes={request.scopes} />
      <div class="compare">
        <p>{texts.device.compare}</p>
        <strong>{request.code}</strong>
      </div>
      <p class="aside">{texts.device.warning}</p>
      {/* Not in view at all times, as on the consent page: the warning comes before the buttons. */}
      <PostForm class="answer" action="/Account/Device" data={data} fields={[['user_code', request.code]]}>
        <DecisionButtons />
      </PostForm>
    </>
  )
}

function DoneCard({ outcome }: { outcome: 'allowed' | 'denied' }) {
  const words = texts.device[outcome]
  return (
    <Card title={words.title} lead={words.body}>
      <div class="actions">
        <ButtonLink look="quiet" href="/Account/Device">
          {texts.device.another}
        </ButtonLink>
      </div>
    </Card>
  )
}
