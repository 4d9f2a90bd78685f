/**
 * What happened, in order: every step to the identity provider and back, with what was sent and what was answered. It is
 * in memory only, like the tokens that it shows.
 *
 * @typedef {{ title: string, meaning: string, sent?: string, received?: string, failed?: boolean }} Step
 * @typedef {Step & { atMs: number }} Entry
 */

/** @type {Entry[]} */
const entries = []

/** @type {(() => void) | undefined} */
let onChange

/** @param {() => void} listener */
export function watchTimeline(listener) {
  onChange = listener
}

/** @returns {readonly Entry[]} */
export function timeline() {
  return entries
}

/**
 * @param {Step} step
 * @param {number} [atMs] epoch milliseconds
 */
function note(step, atMs = Date.now()) {
  entries.push({ ...step, atMs })
  onChange?.()
}

/**
 * `fetch`, with each exchange noted. Passed to the library, which makes all requests with it.
 *
 * @param {string} url
 * @param {RequestInit & { body?: any }} init
 */
export async function notingFetch(url, init) {
  const { pathname } = new URL(url)
  const atMs = Date.now()
  const sent = [`${init.method ?? 'GET'} ${url}`, ...headerLines(init.headers), ...parameterLines(init.body)].join('\n')
  const response = await fetch(url, init)
  const body = await response.clone().text()
  const challenge = response.headers.get('www-authenticate')
  const received = [
    `${response.status} ${response.statusText}`.trim(),
    ...(challenge ? [`www-authenticate: ${challenge}`] : []),
    ...(body ? ['', pretty(body)] : []),
  ].join('\n')
  const grant = init.body instanceof URLSearchParams ? init.body.get('grant_type') : null
  const [title, meaning] = words(pathname, grant)
  const refused = { title: `Refused: ${title.toLowerCase()}`, meaning: 'The answer says why, and nothing was changed.' }
  note({ ...(response.ok ? { title, meaning } : refused), sent, received, failed: !response.ok }, atMs)
  return response
}

/**
 * The two steps that the browser itself makes.
 *
 * @param {{ atMs: number, address: string }} request
 * @param {URL} callback
 */
export function noteAuthorization({ atMs, address }, callback) {
  note(
    {
      title: 'Authorization request',
      meaning: 'The browser goes to the provider. The code challenge is a hash; what it was made from stays here.',
      sent: addressLines(address),
    },
    atMs,
  )
  note({
    title: 'Authorization response',
    meaning: 'The browser is back, with the state that was sent. An answer with another state is not used.',
    received: addressLines(callback.href),
    failed: callback.searchParams.has('error'),
  })
}

/** @param {string} address of the authorization request or its answer */
function addressLines(address) {
  const url = new URL(address)
  return [`${url.origin}${url.pathname}`, ...parameterLines(url.searchParams)].join('\n')
}

/** @param {HeadersInit | undefined} headers */
function headerLines(headers) {
  const shown = ['authorization', 'dpop']
  return [...new Headers(headers)].flatMap(([name, value]) => (shown.includes(name) ? [`${name}: ${value}`] : []))
}

/** @param {unknown} body */
function parameterLines(body) {
  return body instanceof URLSearchParams ? [...body].map(([name, value]) => `  ${name} = ${value}`) : []
}

/** @param {string} text */
function pretty(text) {
  try {
    const json = JSON.stringify(JSON.parse(text), null, 2)
    return json.length > 4000 ? `${json.slice(0, 4000)}\n…` : json
  } catch {
    return text.slice(0, 4000)
  }
}

/**
 * @param {string} path
 * @param {string | null} grant
 * @returns {[title: string, meaning: string]}
 */
function words(path, grant) {
  if (path.startsWith('/.well-known/openid-configuration')) {
    return ['Discovery', 'Only the issuer is configured here. Every other address comes from this document.']
  }
  if (path.startsWith('/.well-known/jwks')) {
    return ['Keys', 'The public keys of the provider. With them this page checks the signature of the id token.']
  }
  if (grant === 'authorization_code') {
    return ['Code for tokens', 'The code works once, and only with the code verifier that never left this tab.']
  }
  if (grant === 'refresh_token') {
    return ['Refresh token for new tokens', 'The refresh token was used up, and the answer has a new one.']
  }
  if (path === '/connect/revocation') return ['Refresh token revoked', 'Nobody can get further tokens with it.']
  return ['Call of the API', 'The access token travels in the Authorization header.']
}
