/** The page: which part is shown, and what the buttons do. What is said to the provider is in `oidc.js`. */
import { createOidcClient, explain, signOutState } from '/oidc.js'
import { noteAuthorization, notingFetch, watchTimeline } from '/timeline.js'
import {
  button,
  element,
  hideNotice,
  setBusy,
  showExpiry,
  showNotice,
  showTimeline,
  showTokens,
  showWeather,
} from '/view.js'

/** @typedef {import('./oidc.js').Tokens} Tokens */

/** In memory only: a script that sneaks into a later page load finds nothing stored. @type {Tokens | undefined} */
let tokens

/** @type {import('./oidc.js').Config} */
const config = await (await fetch('/config.json')).json()
element('issuer').textContent = new URL(config.issuer).host
element('account-link').setAttribute('href', new URL('Account', config.issuer).href)
element('security-link').setAttribute('href', new URL('Account/Security', config.issuer).href)
watchTimeline(showTimeline)

/** Discovery happens once, and again at the next click if it failed. @type {ReturnType<typeof createOidcClient> | undefined} */
let connecting

function connect() {
  connecting ??= createOidcClient(config, { fetch: notingFetch, authorization: noteAuthorization }).catch((error) => {
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
onClick('step-up', async () => (await connect()).signIn({ acr: 'mfa' }))
onClick('refuse-code', async () => (await connect()).redeemInventedCode())
onClick('refuse-token', async () => {
  if (tokens) await (await connect()).callWithChangedToken(tokens)
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
    const completed = await (await connect()).completeSignIn(address)
    tokens = completed?.tokens
    // Only the history entry remembers that a user was signed in here.
    if (tokens) history.replaceState({ signedIn: true }, '', '/')
    else showNotice('status', 'You are not signed in any more.', 'The identity provider asks for a new sign-in.')
    if (completed?.acr) showStrength(completed.acr, completed.tokens)
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
    const { title, detail, uri } = explain(error, config.issuer)
    showNotice('alert', title, detail, uri)
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
  showTokens(tokens)
  showExpiry(tokens, Date.now())
  button('refresh').hidden = tokens.refreshToken === undefined
}

setInterval(() => {
  if (tokens) showExpiry(tokens, Date.now())
}, 1000)

/**
 * What a sign-in reached is in the id token (`acr`, OpenID Connect Core §2). An application that demands it checks it there.
 *
 * @param {string} asked
 * @param {Tokens} reached
 */
function showStrength(asked, { claims: { acr } }) {
  if (typeof acr === 'string' && ['mfa', 'phr', 'phrh'].includes(acr)) {
    showNotice('status', 'You proved a second factor.', `The id token says acr ${acr}.`)
    return
  }
  showNotice(
    'status',
    'The sign-in has one factor.',
    `acr ${asked} was asked for, and your account has no second factor yet. Set one up in your account, then try again.`,
    element('security-link').getAttribute('href') ?? undefined,
  )
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
