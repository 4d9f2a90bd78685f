/** Sends an authorization response to the client (RFC 6749 §4.1.2, RFC 9207, OAuth 2.0 Form Post Response Mode). */
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../http/pages.ts'
import { neverCached, redirect, withoutEmpty, withQuery } from '../http/redirects.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import type { ResponseTarget } from '../protocol/authorization-request.ts'
import type { Parameters } from '../protocol/parameters.ts'

const submitScript = 'document.forms[0].submit()'
const submitScriptHash = createHash('sha256').update(submitScript).digest('base64')

/** `members` first, then `state` as it came and `iss`. The target was checked against the registration. */
export function sendAuthorizationResponse(
  reply: FastifyReply,
  target: ResponseTarget,
  members: Parameters,
  issuer: string,
): FastifyReply {
  const response = withoutEmpty([...members, ['state', target.state ?? ''], ['iss', issuer]])
  switch (target.responseMode) {
    case 'query':
      return redirect(reply, withQuery(target.redirectUri, response))
    case 'fragment':
      return redirect(reply, `${target.redirectUri}#${withQuery('', response).slice(1)}`)
    case 'form_post':
      return sendFormPost(reply, target.redirectUri, response)
  }
}

function sendFormPost(reply: FastifyReply, address: string, response: Parameters): FastifyReply {
  const fields = response.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return neverCached(reply)
    .header(
      'content-security-policy',
      contentSecurityPolicy.replace("script-src 'self'", `script-src 'sha256-${submitScriptHash}'`),
    )
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Signing in</title></head>
<body>
<form method="post" action="${escapeHtml(address)}">
${fields.join('\n')}
<noscript><button>Continue</button></noscript>
</form>
<script>${submitScript}</script>
</body>
</html>
`)
}
