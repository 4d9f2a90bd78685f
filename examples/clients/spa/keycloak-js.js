// A single-page application with keycloak-js in its OpenID Connect mode.
// Its client has claim_shape=keycloak, so that the library finds roles, and can read refresh tokens.
import Keycloak from 'keycloak-js'

const { issuer, clientId } = await (await fetch('/config.json')).json()
const keycloak = new Keycloak({ oidcProvider: issuer, clientId })
const here = `${location.origin}/`

await keycloak.init({
  pkceMethod: 'S256',
  scope: 'profile email offline_access',
  redirectUri: here,
  // The page that this check loads exists at Keycloak alone.
  checkLoginIframe: false,
})
await show()

async function show() {
  const { name, email } = keycloak.authenticated ? await keycloak.loadUserInfo() : {}
  const person = document.createElement('p')
  person.textContent = keycloak.authenticated ? `${name} <${email}>` : 'Signed out'
  const roles = document.createElement('p')
  roles.textContent = (keycloak.realmAccess?.roles ?? []).join(', ')
  const token = document.createElement('output')
  token.textContent = keycloak.token ?? ''
  const buttons = keycloak.authenticated
    ? [button('Refresh', refresh), button('Sign out', () => keycloak.logout({ redirectUri: here }))]
    : [button('Sign in', () => keycloak.login())]
  document.querySelector('#app').replaceChildren(person, roles, ...buttons, token)
}

async function refresh() {
  await keycloak.updateToken(-1)
  await show()
}

function button(text, action) {
  const element = document.createElement('button')
  element.textContent = text
  element.onclick = action
  return element
}
