import { useRef, useState } from 'preact/hooks'
import type { Explanation, Problem } from './api.ts'
import { Button } from './kit/button.tsx'
import { problemId } from './problem-kinds.ts'
import { texts } from './texts.ts'

/** What the developer of the application, or an operator of this service, wants to know. Nothing when there is nothing. */
export function ProblemDetails({ problem }: { problem: Problem }) {
  const words = texts.problem
  const id = problemId(problem)
  const documentation = webAddress(problem.error_uri)
  const rows = [
    [words.error, problem.error],
    [words.id, id],
    [words.description, problem.error_description],
  ].filter(([, value]) => value)
  if (!rows.length && !documentation && !problem.traceId) return null
  return (
    <details>
      <summary>{words.details}</summary>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {documentation && (
          <div>
            <dt>{words.documentation}</dt>
            <dd>
              <a href={documentation}>{id ?? documentation}</a>
            </dd>
          </div>
        )}
        {problem.traceId && (
          <div>
            <dt>{words.traceId}</dt>
            <dd>
              <CopyableCode value={problem.traceId} />
            </dd>
          </div>
        )}
      </dl>
      {problem.explanation && <Explained explanation={problem.explanation} />}
    </details>
  )
}

/** The rule with the values that it met. They came from outside, and are shown as text. */
function Explained({ explanation }: { explanation: Explanation }) {
  const words = texts.problem
  const { rule, why, fix, facts } = explanation
  return (
    <section class="explained" aria-labelledby="explained">
      <h2 id="explained">{words.explanation}</h2>
      <dl>
        <div>
          <dt>{words.rule}</dt>
          <dd class="value">{rule}</dd>
        </div>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{capitalised(label)}</dt>
            {[value].flat().map((one) => (
              <dd class="value" key={one}>
                <bdi>{one}</bdi>
              </dd>
            ))}
          </div>
        ))}
        <div>
          <dt>{words.why}</dt>
          <dd>{why}</dd>
        </div>
        <div>
          <dt>{words.fix}</dt>
          <dd>{fix}</dd>
        </div>
      </dl>
      <p class="hint">{words.onlyHere}</p>
    </section>
  )
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function CopyableCode({ value }: { value: string }) {
  const code = useRef<HTMLElement>(null)
  const [copied, setCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // No clipboard outside secure contexts: the selection is one keystroke away from it.
      if (code.current) getSelection()?.selectAllChildren(code.current)
    }
  }

  return (
    <span class="copyable">
      <code ref={code}>{value}</code>
      <Button look="link" onClick={copy}>
        {texts.problem.copy}
      </Button>
      <span role="status">{copied && texts.problem.copied}</span>
    </span>
  )
}

/** Only addresses of web pages become links. */
function webAddress(value: string | undefined): string | null {
  if (!value || !URL.canParse(value, location.href)) return null
  const { href, protocol } = new URL(value, location.href)
  return /^https?:$/.test(protocol) ? href : null
}
