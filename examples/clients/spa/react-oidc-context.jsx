// A single-page application with React and react-oidc-context.
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>One moment …</p>
  if (auth.error) return <p role="alert">{auth.error.message}</p>
  if (!auth.isAuthenticated) {
    return (
      <>
        <p>Signed out</p>
        <button type="button" onClick={() => auth.signinRedirect()}>
          Sign in
        </button>
      </>
    )
  }
  const { profile, access_token: accessToken } = auth.user
  return (
    <>
      <p>
        {profile.name} &lt;{profile.email}&gt;
      </p>
      <button type="button" onClick={() => auth.signinSilent()}>
        Refresh
      </button>
      <button type="button" onClick={() => auth.signoutRedirect()}>
        Sign out
      </button>
      <output>{accessToken}</output>
    </>
  )
}

const { issuer, clientId } = await (await fetch('/config.json')).json()
const here = `${location.origin}/`
createRoot(document.querySelector('#app')).render(
  <AuthProvider
    authority={issuer}
    client_id={clientId}
    redirect_uri={here}
    post_logout_redirect_uri={here}
    scope="openid profile email offline_access"
    onSigninCallback={() => history.replaceState(null, '', '/')}
  >
    <App />
  </AuthProvider>,
)
