import { useEffect, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Notice, Skeleton } from '../kit/layout.tsx'
import { fillNodes } from '../texts.ts'
import { call, type Result } from './api.ts'
import { type Application, pathOf } from './application-kinds.ts'
import { type TestedTokens, Tokens } from './application-tokens.tsx'
import { Frame } from './frame.tsx'
import { useLoaded } from './loaded.tsx'
import { InEnglish, ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { takeBegunTest, takeTestAnswer } from './test-answer.ts'
import { words } from './texts.ts'

type Outcome =
  | { kind: 'waiting' }
  | { kind: 'nothing' }
  | { kind: 'refused'; error: string; description: string; number: string | undefined }
  | { kind: 'ended'; result: Result<TestedTokens> }

/** `/admin/applications/ID/test`: where the answer of a test sign-in comes to. */
export function TestedSignIn({ id }: { id: string }) {
  const loaded = useLoaded<Application>(pathOf(id))
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'waiting' })
  const text = words().testSignIn
  useEffect(() => {
    void end(id, takeTestAnswer()).then(setOutcome)
  }, [id])
  const name = loaded.value?.client_name ?? id
  return (
    <Frame
      page="applications"
      title={text.title}
      lead={<bdi>{name}</bdi>}
      isBelow
      busy={outcome.kind === 'waiting'}
      actions={
        <ButtonLink look="quiet" href={at('applications', id, 'setup')}>
          {text.again}
        </ButtonLink>
      }
    >
      <Shown outcome={outcome} name={name} />
    </Frame>
  )
}

/**
 * Has the service redeem the code (RFC 6749 §4.1.2); an error is shown as it came (§4.1.2.1), but of a test that was begun
 * here alone: anybody can make an address with a text in it.
 */
async function end(id: string, answer: URLSearchParams | undefined): Promise<Outcome> {
  const [code, state, error] = ['code', 'state', 'error'].map((name) => answer?.get(name) ?? null)
  if (error) {
    if (!state || !takeBegunTest(state)) return { kind: 'nothing' }
    const description = answer?.get('error_description') ?? ''
    const number = /\bID\d{4}\b/.exec(`${answer?.get('error_uri') ?? ''} ${description}`)?.[0]
    return { kind: 'refused', error, description, number }
  }
  if (!code || !state) return { kind: 'nothing' }
  const path = `${pathOf(id)}/test-sign-in/result`
  return {
    kind: 'ended',
    result: await call<TestedTokens>({ method: 'POST', path, body: { code, state } }, { isShown: false }),
  }
}

function Shown({ outcome, name }: { outcome: Outcome; name: string }) {
  const text = words().testSignIn
  if (outcome.kind === 'waiting') return <Skeleton rows={['line', 'field', 'field']} />
  if (outcome.kind === 'nothing') return <Notice role="note">{text.nothing}</Notice>
  if (outcome.kind === 'refused') {
    const { error, description, number } = outcome
    return (
      <Section id="refused" title={text.refused}>
        <Notice>
          <code dir="ltr">{error}</code> <InEnglish>{description}</InEnglish>
        </Notice>
        <Why number={number} said={description} />
      </Section>
    )
  }
  const { result } = outcome
  if (result.kind !== 'ok') {
    const { code, detail = '' } = result.kind === 'refused' ? result.problem : {}
    return (
      <Section id="refused" title={text.refused}>
        <ProblemNotice result={result} />
        <Why number={code} said={detail} />
      </Section>
    )
  }
  return (
    <>
      <Notice role="status">{fillNodes(text.succeeded, { name: <bdi>{name}</bdi> })}</Notice>
      <Section id="tokens" title={words().setUp.endpoints.token_endpoint}>
        <Tokens tokens={result.value} />
      </Section>
      <p class="quiet">{text.notTested}</p>
    </>
  )
}

type Explanation = { rule: string; what: string; why: string; fix: string }

/** What the catalogue of errors says. `said`: what the service answered, which tells rules with one number apart. */
function Why({ number, said }: { number: string | undefined; said: string }) {
  const [items, setItems] = useState<Explanation[]>([])
  useEffect(() => {
    if (number === undefined) return
    const path = `/explain/${number}`
    void call<{ items: Explanation[] }>({ method: 'GET', path }).then(
      (result) => result.kind === 'ok' && setItems(result.value.items),
    )
  }, [number])
  if (number === undefined) return null
  const meant = items.filter(({ what }) => said.includes(what))
  return (
    <>
      <h3>{words().testSignIn.why}</h3>
      {(meant.length > 0 ? meant : items).map(({ rule, why, fix }) => (
        <p key={rule}>
          <InEnglish>
            {why} {fix}
          </InEnglish>
        </p>
      ))}
      <p>
        <a href={at('explain', number)}>{number}</a>
      </p>
    </>
  )
}
