/** Builds the authorization response to the client (RFC 6749 §4.1.2, RFC 9207, OAuth 2.0 Form Post Response Mode). */
import { createHash } from 'node:crypto'
import { type Answer, html, redirect } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import { withoutEmpty, withQuery } from '../http/parameters.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import type { ResponseTarget } from '../protocol/authorization-request.ts'
import type { Parameters } from '../protocol/parameters.ts'

const submitScript = 'document.forms[0].submit()'
const submitScriptHash = createHash('sha256').update(submitScript).digest('base64')

/** Sends `members`, then `state` as received, then `iss`. */
export function authorizationResponse(target: ResponseTarget, members: Parameters, issuer: string): Answer {
  const response = withoutEmpty([...members, ['state', target.state ?? ''], ['iss', issuer]])
  switch (target.responseMode) {
    case 'query':
      return redirect(withQuery(target.redirectUri, response))
    case 'fragment':
      return redirect(`${target.redirectUri}#${withQuery('', response).slice(1)}`)
    case 'form_post':
      return formPost(target.redirectUri, response)
  }
}

function formPost(address: string, response: Parameters): Answer {
  const fields = response.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const policy = contentSecurityPolicy.replace("script-src 'self'", `script-src 'sha256-${submitScriptHash}'`)
  const document = `<!doctype html>
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
`
  return html(document, 200, { 'content-security-policy': policy })
}
