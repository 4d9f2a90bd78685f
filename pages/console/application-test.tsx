import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { type Application, pathOf } from './application-kinds.ts'
import { type TestedTokens, Tokens } from './application-tokens.tsx'
import { useChange } from './change.tsx'
import { useMe } from './me.tsx'
import { ProblemNotice } from './problem.tsx'
import { rememberTest } from './test-answer.ts'
import { words } from './texts.ts'

type Begun = { authorization_url: string | null; state: string | null; tokens: TestedTokens | null }

/** Begins a test sign-in, in a new tab that shows what came of it. A machine gets its token here. */
export function TestSignIn({ client }: { client: Application }) {
  const [address, setAddress] = useState<string>()
  const [tokens, setTokens] = useState<TestedTokens>()
  const change = useChange()
  const me = useMe()
  const text = words().testSignIn
  const hasCode = client.grant_types.includes('authorization_code')
  const isMachine = !hasCode && client.grant_types.includes('client_credentials')
  if (!me.may('admin:clients')) return null
  function start() {
    // Opened before anything is awaited: popup blockers refuse a tab that is opened later.
    const tab = isMachine ? null : open('about:blank', '_blank')
    // The pages that follow may be those of an external provider, which are not to reach this one.
    if (tab !== null) tab.opener = null
    setAddress(undefined)
    let isBegun = false
    const begin = () => call<Begun>({ method: 'POST', path: `${pathOf(client.client_id)}/test-sign-in` })
    return change
      .run(begin, (begun) => {
        isBegun = true
        setTokens(begun.tokens ?? undefined)
        if (begun.authorization_url === null) return
        if (begun.state !== null) rememberTest(begun.state)
        if (tab === null) setAddress(begun.authorization_url)
        else tab.location.replace(begun.authorization_url)
      })
      .finally(() => isBegun || tab?.close())
  }
  const link = address && (
    <a href={address} target="_blank" rel="noopener">
      {text.open}
    </a>
  )
  return (
    <Section id="test" title={text.title}>
      {!hasCode && !isMachine ? (
        <p>{text.noBrowser}</p>
      ) : (
        <>
          <p class="quiet">{isMachine ? text.leadMachine : text.lead}</p>
          {change.failed && <ProblemNotice result={change.failed} />}
          {link && <Notice role="status">{fillNodes(text.blocked, { link })}</Notice>}
          <Button look="main" busy={change.busy} onClick={start}>
            {isMachine ? text.startMachine : text.title}
          </Button>
          {tokens && (
            <>
              <p class="below" role="status">
                {fillNodes(text.gotToken, { name: <bdi>{client.client_name}</bdi> })}
              </p>
              <Tokens tokens={tokens} />
            </>
          )}
        </>
      )}
    </Section>
  )
}
