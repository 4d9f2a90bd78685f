/**
 * Builds the authorization response to the client (RFC 6749 §4.1.2, RFC 9207, OAuth 2.0 Form Post Response Mode), or its
 * signed form (JWT Secured Authorization Response Mode).
 */
import { createHash } from 'node:crypto'
import { type Answer, html, redirect } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import { withoutEmpty, withQuery } from '../http/parameters.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import type { ResponseTarget } from '../protocol/authorization-request/authorization-request.ts'
import { deliveryOf } from '../protocol/authorization-request/response-mode.ts'
import type { Client } from '../protocol/client/client.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Service } from '../service.ts'
import { algorithmFor } from '../tokens/client-algorithm.ts'
import { signJwt } from '../tokens/sign.ts'

const submitScript = 'document.forms[0].submit()'
const submitScriptHash = createHash('sha256').update(submitScript).digest('base64')

/** JARM §2.1 recommends at most ten minutes. The client reads the response at once. */
const signedLifetimeSeconds = 300

type Signing = Pick<Service, 'settings' | 'keys' | 'clock'>

/** Sends `members`, then `state` as received, then `iss`; in the signed modes, one JWT of them. */
export async function authorizationResponse(
  service: Signing,
  target: ResponseTarget,
  members: Parameters,
): Promise<Answer> {
  const { issuer } = service.settings.oauth
  const plain = withoutEmpty([...members, ['state', target.state ?? '']])
  const { delivery, signed } = deliveryOf(target.responseMode)
  const response: Parameters = signed
    ? [['response', await signResponse(service, target.client, plain)]]
    : [...plain, ['iss', issuer]]
  switch (delivery) {
    case 'query':
      return redirect(withQuery(target.redirectUri, response))
    case 'fragment':
      return redirect(`${target.redirectUri}#${withQuery('', response).slice(1)}`)
    case 'form_post':
      return formPost(target.redirectUri, response)
  }
}

/** Returns the JWT of a response (JARM §2.1). */
async function signResponse({ settings, keys, clock }: Signing, client: Client, plain: Parameters): Promise<string> {
  const { issuer, identityTokenAlgorithm, postQuantum } = settings.oauth
  const { authorization_signed_response_alg: own, id_token_signed_response_alg: usual } = client.metadata
  const algorithm = algorithmFor(keys, client.metadata, own ?? usual, identityTokenAlgorithm, postQuantum)
  return signJwt(keys.signer(algorithm), 'JWT', {
    iss: issuer,
    aud: client.id,
    exp: Math.floor(clock() / 1000) + signedLifetimeSeconds,
    ...Object.fromEntries(plain),
  })
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
