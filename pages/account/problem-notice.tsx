import type { Answer } from '../api.ts'
import { Notice } from '../kit/layout.tsx'
import { entry, fill, texts } from '../texts.ts'
import { words } from './texts.ts'

/**
 * Says what became of a change that did not succeed. `errors`: texts by error code; any other error has a text with the
 * trace id, for the operator.
 */
export function ProblemNotice({ answer, errors = {} }: { answer: Answer<unknown>; errors?: Record<string, string> }) {
  if (answer.kind === 'ok') return null
  if (answer.kind === 'unreachable') return <Notice>{texts.unreachable.inForm}</Notice>
  const { error, traceId = '' } = answer.problem
  return <Notice>{entry(errors, error, fill(words().otherProblem, { trace: traceId }))}</Notice>
}
