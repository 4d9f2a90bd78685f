/**
 * The pages of the preset `keycloak` that keycloak-js loads in frames: whether the browser sends cookies in a frame, and whether the session
 * is still the one that the application knows (OpenID Connect Session Management 1.0 §3.2). Each is framable by `web_origins` of clients alone.
 */
import { createHash } from 'node:crypto'
import { type Answer, html, redirect, uncached, withCookies, withHeaders } from '../http/answer.ts'
import { fieldIgnoringCase, readQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import { framableBy } from '../protocol/client/frame-origins.ts'
import { keycloakPages } from '../protocol/discovery/endpoints.ts'
import { pathOf } from '../protocol/discovery/issuer.ts'
import { sidOfSession } from '../protocol/logout/logout-claims.ts'
import { sessionStatus } from '../protocol/logout/session-state.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** How long the origins of all clients are remembered. */
const originsMaxAgeMs = 2000
/** Keeps the header with the policy within bounds where the browser does not say which page has the frame. */
const policyLengthAtMost = 4096

/**
 * Answers messages `<client id> <session state>` (§3.2). A failure of the network or the service says nothing about the session, so that it asks
 * again: applications sign out after any answer but `unchanged`.
 */
const statusScript = `const ask=async(query)=>{for(;;){try{const answer=await fetch(location.pathname+'/status?'+query,{cache:'no-store'})
if(answer.ok)return await answer.text()
if(answer.status<500&&answer.status!==429)return'error'}catch{}
await new Promise((go)=>setTimeout(go,2000))}}
addEventListener('message',async({data,origin,source})=>{if(source!==parent||typeof data!=='string')return
const[client_id,session_state,...more]=data.split(' ')
const isRequest=client_id!==''&&session_state!==undefined&&more.length===0
const status=isRequest?await ask(new URLSearchParams({client_id,session_state,origin})):'error'
source.postMessage(status,origin)})`
const cookieScripts = { true: "parent.postMessage('supported','*')", false: "parent.postMessage('unsupported','*')" }

/** `GET …/3p-cookies/step1.html`: sets a cookie like that of the session, and goes on to the page that looks for it. */
export function firstStep({ cookies, settings }: Service): Endpoint {
  const next = `${pathOf(settings.oauth.issuer)}/${keycloakPages.secondStep}`
  return async () => withCookies(withHeaders(redirect(next), noStore), [cookies.make('framed', '1')])
}

/** `GET …/3p-cookies/step2.html`: tells the application whether the cookie came back. */
export function secondStep(service: Service): Endpoint {
  const policyFor = framePolicies(service)
  return async (request) => {
    const isSent = service.cookies.read(request, 'framed') !== undefined
    return page(cookieScripts[`${isSent}`], await policyFor(request))
  }
}

/** `GET …/login-status-iframe.html`: answers whether the session is still the one that the application knows. */
export function loginStatusFrame(service: Service): Endpoint {
  const policyFor = framePolicies(service)
  return async (request) => {
    const shown = page(statusScript, await policyFor(request))
    return withCookies(shown, [service.cookies.make('framed', '1')])
  }
}

/** `GET …/login-status-iframe.html/status`: what that page asks. Without the cookie that it set, the session cannot be seen. */
export function loginStatus({ storage, sessions, cookies }: Service): Endpoint {
  return async (request) => {
    const site = request.headers['sec-fetch-site']
    const query = readQuery(request)
    const isSeen = cookies.read(request, 'framed') !== undefined && (site === undefined || site === 'same-origin')
    if (isRefusal(query) || !isSeen) return said('error')
    const parameter = (name: string): string => fieldIgnoringCase(query, name) ?? ''
    const [client, signedIn] = await Promise.all([
      storage.clients.find(parameter('client_id')),
      sessions.current(request),
    ])
    const current = signedIn === undefined ? null : sidOfSession({ sessionId: signedIn.session.id })
    return said(sessionStatus(client, parameter('origin'), parameter('session_state'), current))
  }
}

const noStore = { 'cache-control': 'no-store' }
const said = (status: string): Answer => uncached('text/plain; charset=utf-8', status)

function page(script: string, ancestors: string): Answer {
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = contentSecurityPolicy
    .replace("script-src 'self'", `script-src 'sha256-${hash}'`)
    .replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`)
  const document = `<!doctype html><meta charset="utf-8"><title>Session</title><script>${script}</script>`
  // Browsers ignore x-frame-options beside frame-ancestors (CSP Level 3 §6.4.2).
  return html(document, 200, { 'content-security-policy': policy, ...noStore })
}

/** Returns the sources of `frame-ancestors` for a request: the page that has the frame if the browser names it and it may, else all that may. */
function framePolicies({ storage, clock }: Service): (request: Request) => Promise<string> {
  let known: Promise<ReadonlySet<string>> | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  const read = async (): Promise<ReadonlySet<string>> =>
    new Set((await storage.clients.webOrigins()).flatMap(({ origins }) => framableBy(origins)))
  return async (request) => {
    if (known === undefined || Math.abs(clock() - readAtMs) > originsMaxAgeMs) {
      readAtMs = clock()
      known = read()
      known.catch(() => {
        known = undefined
      })
    }
    const origins = await known
    const { referer } = request.headers
    const from = referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined
    if (from !== undefined && origins.has(from)) return from
    const listed: string[] = []
    let length = 0
    for (const origin of origins) {
      length += origin.length + 1
      if (length > policyLengthAtMost) break
      listed.push(origin)
    }
    return listed.length === 0 ? "'none'" : listed.join(' ')
  }
}
