/**
 * The page that tells clients of a sign-out through the browser (OpenID Connect Front-Channel Logout 1.0 §3): a frame for
 * each of them. Its own content security policy allows frames of their origins alone.
 */
import { createHash } from 'node:crypto'
import { type Answer, html } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import { withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import type { Service } from '../service.ts'
import type { SessionClient } from '../storage/port/clients.ts'

/** The time after which the browser goes on, whatever the frames do. */
const secondsAtMost = 5
/** Keeps the header with the policy, and the work of the browser, within bounds. */
const framesAtMost = 50
const policyLengthAtMost = 4096

/** The window's `load` event waits for the frames, and a refresh of the document waits for that event. */
const goOnScript = `const go=()=>location.replace(document.querySelector('a').href);addEventListener('load',go);setTimeout(go,${secondsAtMost}000)`
const goOnScriptHash = createHash('sha256').update(goOnScript).digest('base64')

/** Returns the addresses to load in frames: those of the clients that registered one. */
export function framesOf(clients: readonly SessionClient[], issuer: string): readonly string[] {
  const addresses = clients.flatMap(({ client, sid }) => {
    const address = client.metadata.frontchannel_logout_uri
    if (address === null || !URL.canParse(address) || !isFrameOrigin(new URL(address))) return []
    return [
      withQuery(address, [
        ['iss', issuer],
        ['sid', sid],
      ]),
    ]
  })
  return addresses.slice(0, framesAtMost)
}

/** Whether the policy can name the origin. A host may contain a semicolon, which would begin another directive. */
function isFrameOrigin({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname)
}

/** `next`: the post-logout address; null: none, and the page stays. */
export function signedOutPage(
  { pages }: Pick<Service, 'pages'>,
  request: Request,
  frames: readonly string[],
  next: string | null,
): Answer {
  const origins: string[] = []
  const allowed = frames.filter((address) => {
    const { origin } = new URL(address)
    if (origins.includes(origin)) return true
    if (origins.join(' ').length + origin.length > policyLengthAtMost) return false
    return origins.push(origin) > 0
  })
  // The sandbox keeps a frame from navigating the page away. Scripts and its own cookies are what it needs to sign out.
  const elements = allowed.map(
    (address) =>
      `<iframe hidden sandbox="allow-scripts allow-same-origin" title="Sign-out" src="${escapeHtml(address)}"></iframe>`,
  )
  const head = next === null ? '' : `<meta http-equiv="refresh" content="${secondsAtMost}; url=${escapeHtml(next)}">`
  const policy = contentSecurityPolicy
    .replace("script-src 'self'", next === null ? "script-src 'none'" : `script-src 'sha256-${goOnScriptHash}'`)
    .concat(`; frame-src ${origins.join(' ')}`)
  const document = pages.card(request, (words) => {
    const { signedOut, toSignIn } = words
    const leads = escapeHtml(next === null ? signedOut.closing : signedOut.leaving)
    const link = `<a class="button" href="${escapeHtml(next ?? '/Account/Login')}"><span>${escapeHtml(next === null ? toSignIn : signedOut.continue)}</span></a>`
    const body = `<h1>${escapeHtml(signedOut.title)}</h1>
<p class="lead" role="status">${leads}</p>
<div class="actions">${link}</div>
${elements.join('\n')}
${next === null ? '' : `<script>${goOnScript}</script>`}`
    return { title: signedOut.title, body, head }
  })
  return html(document, 200, { 'content-security-policy': policy })
}
