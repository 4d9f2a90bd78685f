/**
 * Describes a problem in words, for browsers that run no scripts. With scripts the pages have more wordings. The
 * words are in `messages/`.
 */

import { escapeHtml } from './html.ts'
import type { Request } from './request.ts'

/** What the shell shows instead of a page: a protocol error and its context. */
export type Problem = Readonly<Record<string, unknown>>

/** What titles name, by its place in them. */
export type ProblemNames = { readonly provider?: string }

/** Renders problems as HTML documents. */
export type ProblemPages = {
  /** Returns the shell's HTML with the problem in it, readable without scripts, in the language of the request. */
  problem(problem: Problem, request: Request): string
  /** Returns the same problem as a document without scripts. */
  problemWithoutScripts(problem: Problem, request: Request): string
}

/** The words of one language. */
export type ProblemWords = {
  /** By the number in the error catalogue, else by the `error` member. `other`: the application's mistake. */
  readonly problems: Readonly<Record<string, { readonly title: string; readonly body: string }>>
  readonly toSignIn: string
  readonly details: string
  readonly error: string
  readonly description: string
  readonly documentation: string
  readonly traceId: string
}

/**
 * Returns the title and the HTML of a card: heading, what to do, and the codes for developers in a collapsed section.
 */
export function problemInWords(
  problem: Problem,
  words: ProblemWords,
): { readonly title: string; readonly html: string } {
  const { error, id, error_description: description, error_uri: documentation, traceId } = problem
  const kind = [id, error].find((name) => typeof name === 'string' && Object.hasOwn(words.problems, name)) ?? 'other'
  const { title = '', body = '' } = words.problems[`${kind}`] ?? {}
  const toSignIn = `<div class="actions"><a class="button" href="/Account/Login"><span>${text(words.toSignIn)}</span></a></div>`
  const rows = [
    row(words.error, text(error)),
    row(words.description, text(description)),
    row(words.documentation, documentation && `<a href="${text(documentation)}">${text(documentation)}</a>`),
    row(words.traceId, traceId && `<code>${text(traceId)}</code>`),
  ]
  // Without an application or a page to return to, there is a link to the login page.
  const html = `<h1>${text(title)}</h1>
<p class="message" role="alert">${text(body)}</p>
${kind === 'not_found' ? toSignIn : ''}
<details><summary>${text(words.details)}</summary><dl>${rows.join('')}</dl></details>`
  return { title, html }
}

function row(name: string, value: unknown): string {
  return value ? `<div><dt>${text(name)}</dt><dd>${value}</dd></div>` : ''
}

function text(value: unknown): string {
  return escapeHtml(`${value ?? ''}`)
}
