/** `GET /errors`: the page behind `error_uri`, made from the one catalogue of refusals. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RefusalEntry, refusalsById } from '../protocol/refusals.ts'
import { escapeHtml, type Pages, sendDocument } from './pages.ts'

export function errorCatalogue({ pages }: { readonly pages: Pages }) {
  const sections = [...refusalsById()].map(
    ([id, entries]) => `<section id="${id}"><h2>${id}</h2>${entries.map(describe).join('')}</section>`,
  )
  const html = pages.document(
    'Latchkey: error codes',
    `<main class="document"><h1>Error codes</h1>
<p>What the protocol endpoints refuse, why, and how to mend it. The code stands at the start of <code>error_description</code>.</p>
${sections.join('\n')}</main>`,
  )
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => sendDocument(reply, html)
}

function describe(entry: RefusalEntry): string {
  const text = escapeHtml(entry.description.replace('{name}', 'in question'))
  return `<p><strong><code>${entry.error}</code></strong> ${text}<br>${escapeHtml(entry.mend)} <small>(${escapeHtml(entry.source)})</small></p>`
}
