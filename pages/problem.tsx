import { useEffect, useState } from 'preact/hooks'
import type { Problem } from './api.ts'
import { Button, ButtonLink } from './kit/button.tsx'
import { Card } from './kit/layout.tsx'
import { ProblemDetails } from './problem-details.tsx'
import { kindOf, mendableHere } from './problem-kinds.ts'
import { loginPageForProvider } from './tab-memory.ts'
import { fill, texts } from './texts.ts'

/** The problem that the service wrote into the page it answered with, or null when this is a page like any other. */
export function servedProblem(): Problem | null {
  const block = document.getElementById('problem')
  if (!block) return null
  try {
    const problem: unknown = JSON.parse(block.textContent ?? '')
    return typeof problem === 'object' && problem ? problem : {}
  } catch {
    return {}
  }
}

export function ProblemPage({ problem }: { problem: Problem }) {
  const kind = kindOf(problem)
  const words = texts.problem.kinds[kind]
  const title = fill(words.title, { provider: problem.provider ?? '' })
  const ours = mendableHere.includes(kind)
  const retryable = ours && kind !== 'notFound' && kind !== 'startAgain'
  const fromProvider = /^\/callback\//i.test(location.pathname)
  const secondsLeft = useCountdown(problem.retryAfter ?? 0)
  return (
    <Card title={kind === 'generic' && problem.title ? problem.title : title}>
      <div class="message" role="alert">
        <p>{words.body}</p>
        {!ours && <p>{texts.problem.returnToApplication}</p>}
      </div>
      {problem.retryAfter && (
        <p class="aside" role={secondsLeft ? 'timer' : 'status'}>
          {secondsLeft ? fill(texts.problem.waitSeconds, { seconds: secondsLeft }) : texts.problem.mayRetry}
        </p>
      )}
      <div class="actions">
        {retryable && (
          <Button look="main" disabled={secondsLeft > 0} onClick={tryAgain}>
            {texts.tryAgain}
          </Button>
        )}
        {!ours && history.length > 1 && (
          <Button look="main" onClick={() => history.back()}>
            {texts.goBack}
          </Button>
        )}
        <ButtonLink
          look={retryable || (!ours && history.length > 1) ? 'quiet' : 'main'}
          href={fromProvider ? loginPageForProvider() : '/Account/Login'}
        >
          {kind === 'startAgain' ? texts.startAgain : texts.toSignIn}
        </ButtonLink>
      </div>
      <ProblemDetails problem={problem} />
    </Card>
  )
}

/**
 * Asks again for an address that can be asked for twice. A form that was posted cannot: for that the way is back to the
 * page before. A provider's one-time answer leads to the sign-in that it was for.
 */
function tryAgain() {
  if (/^\/callback\//i.test(location.pathname)) return location.replace(loginPageForProvider())
  const repeatable = /^\/connect\//i.test(location.pathname) && location.search !== ''
  if (!repeatable && history.length > 1) history.back()
  else location.replace(repeatable ? location.href : '/Account/Login')
}

/** Whole seconds left of `seconds`, counted by the clock, so that a sleeping computer catches up. */
function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const endMs = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((endMs - Date.now()) / 1000))
      setLeft(rest)
      if (!rest) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
