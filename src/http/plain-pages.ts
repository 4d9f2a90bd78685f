/** Error pages of their own, without the shell and its scripts, for refusals at which scripts could do nothing. */
import type { Refusal } from '../protocol/refusals.ts'
import { escapeHtml, type Pages } from './pages.ts'

type Words = { readonly title: string; readonly text: string; readonly action: string }

const words: { readonly [reason in Refusal['reason']]?: Words } = {
  // Specification 4.9, rule 1.
  not_found: {
    title: 'Page not found',
    text: 'There is nothing at this address. The link may be old or mistyped.',
    action: '<div class="actions"><a class="button" href="/Account/Login"><span>Go to sign in</span></a></div>',
  },
  // Under a name that is not served, the shell's scripts are refused too, and so would be any link.
  host_not_served: {
    title: 'Wrong address',
    text: 'This service is not called by this name. Please use the address that its operator named.',
    action: '',
  },
}

/** A whole document; undefined: the shell shows the refusal. */
export function plainPage(pages: Pages, { id, reason }: Refusal, traceId: string): string | undefined {
  const found = words[reason]
  if (found === undefined) return undefined
  return pages.document(
    found.title,
    `<div class="page"><main class="card"><div class="brand"><span>Latchkey</span></div>
<h1>${found.title}</h1>
<p class="message" role="alert">${found.text}</p>
${found.action}
<p class="aside"><small>${escapeHtml(id)}, <code>${escapeHtml(traceId)}</code></small></p>
</main></div>`,
  )
}
