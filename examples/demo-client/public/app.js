/** The page: which part is shown, and what the buttons do. What is said to the provider is in `oidc.js`. */
import { createOidcClient, explain, readClaims, signOutState } from '/oidc.js'

/** @typedef {import('./oidc.js').Tokens} Tokens */

/** In memory only: a script that sneaks into a later page load finds nothing stored. @type {Tokens | undefined} */
let tokens

/** @type {import('./oidc.js').Config} */
const config = await (await fetch('/config.json')).json()
element('issuer').textContent = new URL(config.issuer).host

/** Discovery happens once, and again at the next click if it failed. @type {ReturnType<typeof createOidcClient> | undefined} */
let connecting

function connect() {
  connecting ??= createOidcClient(config).catch((error) => {
    connecting = undefined
    throw error
  })
  return connecting
}

onClick('sign-in', async () => (await connect()).signIn())
onClick('refresh', async () => {
  if (!tokens) return
  tokens = await (await connect()).refresh(tokens)
  showNotice('status', 'The tokens are new.', 'The old refresh token is used up.')
})
onClick('call-api', async () => {
  if (tokens) showWeather(await (await connect()).fetchWeather(tokens))
})
onClick('sign-out', async () => {
  if (tokens) await (await connect()).signOut(tokens)
})

await attempt(arrive)

/** What the browser comes with, or comes back from. */
async function arrive() {
  const address = new URL(location.href)
  const signOut = signOutState(address)
  if (address.pathname === '/callback') {
    // The code is good for one exchange: out of the address bar and the history before anything else.
    history.replaceState(null, '', '/')
    tokens = await (await connect()).completeSignIn(address)
    // Only the history entry remembers that a user was signed in here.
    if (tokens) history.replaceState({ signedIn: true }, '', '/')
    else showNotice('status', 'You are not signed in any more.', 'The identity provider asks for a new sign-in.')
  } else if (signOut !== 'confirmed' && (signOut === 'open' || history.state?.signedIn)) {
    // Reloaded, or back from a sign-out that was not confirmed: whether there is a session, the provider knows.
    await (await connect()).signIn({ silent: true })
  }
  if (signOut === 'none') return
  if (signOut === 'confirmed') history.replaceState(null, '', '/')
  await (await connect()).completeSignOut()
  if (!tokens) showNotice('status', 'You signed out.', 'The session has ended and the refresh token was revoked.')
}

// A page that the browser kept as it was knows nothing of what happened since.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

/**
 * Runs one step, shows how it ended, and keeps the buttons from being pressed twice meanwhile.
 *
 * @param {() => unknown} step
 */
async function attempt(step) {
  setBusy(true)
  try {
    await step()
  } catch (error) {
    const { title, detail } = explain(error, config.issuer)
    showNotice('alert', title, detail)
  } finally {
    setBusy(false)
    render()
  }
}

function render() {
  element('signed-out').hidden = tokens !== undefined
  element('signed-in').hidden = tokens === undefined
  element('session-actions').hidden = tokens === undefined
  if (!tokens) return
  const accessClaims = readClaims(tokens.accessToken)
  // With the scope `profile` the name is in the id token, which is where an application should take it from.
  element('name').textContent = String(tokens.claims.name ?? accessClaims.name ?? 'there')
  showClaims(element('id-claims'), tokens.claims)
  showClaims(element('access-claims'), accessClaims)
  element('expiry').textContent = `valid until ${new Date(tokens.expiresAt).toLocaleTimeString()}`
  button('refresh').hidden = tokens.refreshToken === undefined
}

/**
 * @param {HTMLElement} list
 * @param {Record<string, unknown>} claims
 */
function showClaims(list, claims) {
  list.replaceChildren(
    ...Object.entries(claims).flatMap(([name, value]) => {
      const term = document.createElement('dt')
      const description = document.createElement('dd')
      term.textContent = name
      description.textContent = readable(name, value)
      return [term, description]
    }),
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

/** @param {{ date: string, temperatureC: number, temperatureF: number, summary: string }[]} days */
function showWeather(days) {
  hideNotice()
  const table = element('weather')
  table.hidden = false
  table.querySelector('tbody')?.replaceChildren(
    ...days.map(({ date, temperatureC, temperatureF, summary }) => {
      const row = document.createElement('tr')
      row.append(
        ...[weekday(date), `${temperatureC}`, `${temperatureF}`, summary].map((value) => {
          const cell = document.createElement('td')
          cell.textContent = value
          return cell
        }),
      )
      return row
    }),
  )
}

/** @param {string} date ISO 8601, without a time */
function weekday(date) {
  const day = new Date(`${date}T00:00`)
  return day.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
}

/**
 * @param {'alert' | 'status'} role an alert is read out at once, a status when there is a pause
 * @param {string} title
 * @param {string} detail
 */
function showNotice(role, title, detail) {
  const notice = element('notice')
  notice.hidden = false
  notice.setAttribute('role', role)
  element('notice-title').textContent = title
  element('notice-detail').textContent = detail
}

function hideNotice() {
  element('notice').hidden = true
}

/** @param {boolean} busy */
function setBusy(busy) {
  element('working').hidden = !busy
  for (const one of document.querySelectorAll('button')) one.disabled = busy
}

/**
 * @param {string} id
 * @param {() => unknown} step
 */
function onClick(id, step) {
  button(id).addEventListener('click', () => {
    hideNotice()
    void attempt(step)
  })
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}.`)
  return found
}

/** @param {string} id */
function button(id) {
  return /** @type {HTMLButtonElement} */ (element(id))
}
