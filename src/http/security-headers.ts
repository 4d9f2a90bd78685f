/**
 * Security headers of every answer. The pages load only their own files, so the policy allows nothing else. There is no
 * form-action: browsers also apply it to redirects after a form post, and after sign-in and consent those lead to the
 * client and from there anywhere.
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

/** Returns the headers for every answer, names in lower case. HSTS only if the address is https (RFC 6797 §7.2). */
export function securityHeaders(address: string): Readonly<Record<string, string>> {
  if (!address.startsWith('https:')) return headers
  return { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
}

/** Returns the policy for the console, which shows pictures that were chosen and are not sent yet. */
export function withChosenPictures(policy: string): string {
  return policy.replace("img-src 'self'", "img-src 'self' data:")
}

/** Returns those of pages at another origin, whose scripts call the issuer. */
export function securityHeadersApart(address: string, issuer: string): Readonly<Record<string, string>> {
  const policy = contentSecurityPolicy.replace("connect-src 'self'", `connect-src 'self' ${new URL(issuer).origin}`)
  return { ...securityHeaders(address), 'content-security-policy': policy }
}
