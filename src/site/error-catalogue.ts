/** `GET /errors`: the page behind `error_uri`, generated from the catalogue of refusals. */

import type { Answer } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import type { Endpoint } from '../http/request.ts'
import type { RefusalEntry } from '../protocol/refusals/entry.ts'
import { describe } from '../protocol/refusals/index.ts'
import { refusalsById } from '../protocol/refusals/reference.ts'
import { documentAnswer, type Pages } from './pages.ts'

export function errorCatalogue({ pages }: { readonly pages: Pages }): Endpoint {
  let answer: Answer | undefined
  return async () => {
    answer ??= documentAnswer(catalogue(pages))
    return answer
  }
}

function catalogue(pages: Pages): string {
  const sections = [...refusalsById()].map(
    ([id, entries]) => `<section id="${id}"><h2>${id}</h2>${entries.map(section).join('')}</section>`,
  )
  return pages.document(
    'Error codes',
    `<main class="document"><h1>Error codes</h1>
<p>What is refused, why, and how to fix it. The code stands at the start of <code>error_description</code>.
With the trace id of an answer, the operator of this service can say what was wrong with that one request:
<code>latchkey explain</code>.</p>
${sections.join('\n')}</main>`,
  )
}

function section(entry: RefusalEntry): string {
  const [what, why, fix, source] = [describe(entry), entry.why, entry.fix, entry.source].map(escapeHtml)
  return `<p><strong><code>${entry.error}</code></strong> ${what} <small>(${source})</small></p>
<dl><dt>Why</dt><dd>${why}</dd><dt>How to fix it</dt><dd>${fix}</dd></dl>`
}
