import type { FastifyInstance } from 'fastify'

/**
 * What every answer carries. The pages load nothing but their own files, so the policy allows nothing else. There is
 * no form-action: browsers apply it to the redirects that follow a form post, and after sign-in and consent those lead
 * to the client and wherever the client goes on to.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** The headers of every answer, names in lower case; HSTS only where the service is reached by https. */
export function securityHeaders(issuer: string): Readonly<Record<string, string>> {
  return issuer.startsWith('https:')
    ? { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : headers
}

/** Adds the headers to every answer of a route. What the framework refuses before it looks for one meets no hook. */
export function addSecurityHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
