/** What is on the page: elements filled with text, never with markup. */
import { readClaims } from '/oidc.js'
import { timeline } from '/timeline.js'

/** @typedef {import('./oidc.js').Tokens} Tokens */

/** @param {Tokens} tokens */
export function showTokens({ accessToken, idToken, claims }) {
  const accessClaims = readClaims(accessToken)
  // With the scope `profile` the name is in the id token, which is where an application should take it from.
  element('name').textContent = String(claims.name ?? accessClaims.name ?? 'there')
  showClaims(element('id-claims'), claims)
  showClaims(element('access-claims'), accessClaims)
  showRaw(element('id-raw'), idToken ?? '')
  showRaw(element('access-raw'), accessToken)
}

/**
 * @param {Tokens} tokens
 * @param {number} nowMs
 */
export function showExpiry({ receivedAt, expiresAt }, nowMs) {
  const left = Math.max(0, Math.ceil((expiresAt - nowMs) / 1000))
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  element('expiry').textContent = left === 0 ? 'expired: refresh to get a new one' : `valid for ${clock}`
  const bar = /** @type {HTMLProgressElement} */ (element('expiry-bar'))
  bar.max = Math.max(1, expiresAt - receivedAt)
  bar.value = left * 1000
}

/** The steps so far, the last one first. Those that a person opened stay open. */
export function showTimeline() {
  const list = element('timeline')
  const shown = list.childElementCount
  const entries = timeline()
  for (const { title, meaning, sent, received, failed, atMs } of entries.slice(shown)) {
    const item = document.createElement('li')
    if (failed) item.className = 'failed'
    const details = document.createElement('details')
    const summary = document.createElement('summary')
    summary.append(labelled('span', title, 'step'), labelled('time', new Date(atMs).toLocaleTimeString(), 'quiet'))
    details.append(summary, labelled('p', meaning, 'quiet'))
    if (sent) details.append(labelled('p', 'Sent', 'caption'), preformatted(sent))
    if (received) details.append(labelled('p', 'Received', 'caption'), preformatted(received))
    item.append(details)
    list.prepend(item)
  }
  element('timeline-card').hidden = entries.length === 0
}

/** @param {{ date: string, temperatureC: number, temperatureF: number, summary: string }[]} days */
export function showWeather(days) {
  hideNotice()
  const table = element('weather')
  table.hidden = false
  table.querySelector('tbody')?.replaceChildren(
    ...days.map(({ date, temperatureC, temperatureF, summary }) => {
      const row = document.createElement('tr')
      row.append(
        ...[weekday(date), `${temperatureC}`, `${temperatureF}`, summary].map((value) => labelled('td', value)),
      )
      return row
    }),
  )
}

/**
 * @param {'alert' | 'status'} role an alert is read out at once, a status when there is a pause
 * @param {string} title
 * @param {string} detail
 * @param {string} [uri] where to read more
 */
export function showNotice(role, title, detail, uri) {
  const notice = element('notice')
  notice.hidden = false
  notice.setAttribute('role', role)
  element('notice-title').textContent = title
  element('notice-detail').textContent = detail
  const link = element('notice-link')
  link.hidden = uri === undefined
  if (uri === undefined) return
  link.setAttribute('href', uri)
  link.textContent = role === 'alert' ? 'What this error means' : 'Open your account'
}

export function hideNotice() {
  element('notice').hidden = true
}

/** @param {boolean} busy */
export function setBusy(busy) {
  element('working').hidden = !busy
  for (const one of document.querySelectorAll('button')) one.disabled = busy
}

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}.`)
  return found
}

/** @param {string} id */
export function button(id) {
  return /** @type {HTMLButtonElement} */ (element(id))
}

/**
 * @param {HTMLElement} list
 * @param {Record<string, unknown>} claims
 */
function showClaims(list, claims) {
  list.replaceChildren(
    ...Object.entries(claims).flatMap(([name, value]) => [labelled('dt', name), labelled('dd', readable(name, value))]),
  )
}

/**
 * Header, claims and signature, each in its colour.
 *
 * @param {HTMLElement} place
 * @param {string} jwt
 */
function showRaw(place, jwt) {
  const names = ['header', 'payload', 'signature']
  place.replaceChildren(
    ...jwt.split('.').flatMap((part, index) => [...(index === 0 ? [] : ['.']), labelled('span', part, names[index])]),
  )
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function readable(name, value) {
  if (['exp', 'iat', 'nbf', 'auth_time'].includes(name) && typeof value === 'number') {
    return `${value} (${new Date(value * 1000).toLocaleString()})`
  }
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @param {string} date ISO 8601, without a time */
function weekday(date) {
  const day = new Date(`${date}T00:00`)
  return day.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
}

/**
 * @param {string} name of the element
 * @param {string} text
 * @param {string} [className]
 */
function labelled(name, text, className) {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}

/** @param {string} text */
function preformatted(text) {
  const block = labelled('pre', text)
  // Scrolls, so it can be reached with the keyboard.
  block.tabIndex = 0
  return block
}
