/**
 * Describes a problem in words, for browsers that run no scripts. With scripts the pages have more wordings, in the
 * visitor's language (`pages/texts`).
 */

import { escapeHtml } from './html.ts'
import type { Request } from './request.ts'

/** What the shell shows instead of a page: a protocol error and its context. */
export type Problem = Readonly<Record<string, unknown>>

/** Renders problems as HTML documents. */
export type ProblemPages = {
  /** Returns the shell's HTML with the problem in it, readable without scripts, in the language of the request. */
  problem(problem: Problem, request: Request): string
  /** Returns the same problem as a document without scripts. */
  problemWithoutScripts(problem: Problem): string
}

type Words = {
  readonly title: string
  readonly body: string
  /** Adds a link to the login page, where there is no application or page to return to. */
  readonly toStart?: boolean
}

/** By the `error` member. Any other error is the application's mistake. */
const words: Readonly<Record<string, Words>> = {
  not_found: {
    title: 'Page not found',
    body: 'There is nothing at this address. The link may be old or mistyped.',
    toStart: true,
  },
  misdirected_request: {
    title: 'Wrong address',
    body: 'This service is not called by this name. Please use the address that its operator named.',
  },
  too_many_requests: {
    title: 'Too many attempts',
    body: 'There were many sign-in attempts from your network in a short time. Please wait a moment, then go back and try again.',
  },
  bad_gateway: {
    title: 'The other service did not answer',
    body: 'You were not signed in, and nothing was saved. Please go back and try again.',
  },
  temporarily_unavailable: {
    title: 'Back in a moment',
    body: 'The service cannot answer right now. Please try again shortly.',
  },
  server_error: {
    title: 'Something went wrong on our side',
    body: 'You did nothing wrong. Please try again. If it happens again, pass on the trace ID from the details below.',
  },
}

const other: Words = {
  title: 'This request could not be completed',
  body: 'The application sent you here with a request that this service cannot accept. Please go back to the application you came from and start again there. If this keeps happening, tell its support team.',
}

/**
 * Returns the title and the HTML of a card: heading, what to do, and the codes for developers in a collapsed section.
 */
export function problemInWords(problem: Problem): { readonly title: string; readonly html: string } {
  const { error, error_description: description, error_uri: documentation, traceId } = problem
  const { title, body, toStart } = (typeof error === 'string' && Object.hasOwn(words, error) && words[error]) || other
  const actions = '<div class="actions"><a class="button" href="/Account/Login"><span>Go to sign in</span></a></div>'
  const rows = [
    row('Error', text(error)),
    row('Description', text(description)),
    row('Documentation', documentation && `<a href="${text(documentation)}">${text(documentation)}</a>`),
    row('Trace ID', traceId && `<code>${text(traceId)}</code>`),
  ]
  const html = `<h1>${title}</h1>
<p class="message" role="alert">${body}</p>
${toStart ? actions : ''}
<details><summary>Details for developers</summary><dl>${rows.join('')}</dl></details>`
  return { title, html }
}

function row(name: string, value: unknown): string {
  return value ? `<div><dt>${name}</dt><dd>${value}</dd></div>` : ''
}

function text(value: unknown): string {
  return escapeHtml(`${value ?? ''}`)
}
