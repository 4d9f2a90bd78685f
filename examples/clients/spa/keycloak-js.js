// A single-page application with keycloak-js in its OpenID Connect mode.
// keycloak-js reads refresh tokens as JWTs, which the standard does not make them. Without offline_access there is none,
// and a silent sign-in gets the next access token for as long as the person's session lasts.
import Keycloak from 'keycloak-js'

const { issuer, clientId } = await (await fetch('/config.json')).json()
const keycloak = new Keycloak({ oidcProvider: issuer, clientId })
const here = `${location.origin}/`

await keycloak.init({
  pkceMethod: 'S256',
  scope: 'profile email',
  redirectUri: here,
  // The page that this check loads exists at Keycloak alone.
  checkLoginIframe: false,
})
await show()

async function show() {
  const { name, email } = keycloak.authenticated ? await keycloak.loadUserInfo() : {}
  const person = document.createElement('p')
  person.textContent = keycloak.authenticated ? `${name} <${email}>` : 'Signed out'
  const token = document.createElement('output')
  token.textContent = keycloak.token ?? ''
  const buttons = keycloak.authenticated
    ? [
        button('Refresh', () => keycloak.login({ prompt: 'none' })),
        button('Sign out', () => keycloak.logout({ redirectUri: here })),
      ]
    : [button('Sign in', () => keycloak.login())]
  document.querySelector('#app').replaceChildren(person, ...buttons, token)
}

function button(text, action) {
  const element = document.createElement('button')
  element.textContent = text
  element.onclick = action
  return element
}
