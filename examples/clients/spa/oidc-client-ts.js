// A single-page application with oidc-client-ts.
import { UserManager } from 'oidc-client-ts'

const { issuer, clientId } = await (await fetch('/config.json')).json()
const here = `${location.origin}/`
const manager = new UserManager({
  authority: issuer,
  client_id: clientId,
  redirect_uri: here,
  post_logout_redirect_uri: here,
  scope: 'openid profile email offline_access',
  loadUserInfo: true,
})

const query = new URLSearchParams(location.search)
if (query.has('code') || query.has('error')) {
  await manager.signinCallback()
  history.replaceState(null, '', '/')
}
show(await manager.getUser())

function show(user) {
  const app = document.querySelector('#app')
  const buttons = user
    ? [
        button('Refresh', async () => show(await manager.signinSilent())),
        button('Sign out', () => manager.signoutRedirect()),
      ]
    : [button('Sign in', () => manager.signinRedirect())]
  const person = document.createElement('p')
  person.textContent = user ? `${user.profile.name} <${user.profile.email}>` : 'Signed out'
  const token = document.createElement('output')
  token.textContent = user?.access_token ?? ''
  app.replaceChildren(person, ...buttons, token)
}

function button(text, action) {
  const element = document.createElement('button')
  element.textContent = text
  element.onclick = action
  return element
}
