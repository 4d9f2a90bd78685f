/** Returns how long a response may be used by its headers (RFC 9111 §4.2.1), in milliseconds, at most a day. */
export function freshForMs(headers: Readonly<Record<string, string>>): number {
  const directives = (headers['cache-control'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  if (directives.some((one) => one === 'no-store' || /^no-cache\b/.test(one))) return 0
  const maxAge = directives.map((one) => /^max-age="?(\d{1,10})"?$/.exec(one)?.[1]).find((one) => one !== undefined)
  const expires = Date.parse(headers.expires ?? '') - Date.parse(headers.date ?? '')
  const lifetimeMs = maxAge === undefined ? expires : (Number(maxAge) - age(headers)) * 1000
  return Number.isNaN(lifetimeMs) ? 0 : Math.min(Math.max(lifetimeMs, 0), 86_400_000)
}

/** Returns the seconds for which a shared cache held the response (RFC 9111 §5.1). */
function age(headers: Readonly<Record<string, string>>): number {
  return /^\d{1,10}$/.test(headers.age ?? '') ? Number(headers.age) : 0
}
