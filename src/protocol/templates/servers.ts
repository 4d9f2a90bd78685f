/** Go, Rust, Python, Ruby and PHP. */
import {
  argument,
  discovery,
  endpoint,
  endSession,
  isPlain,
  keepSecret,
  notesOf,
  onServer,
  quoted,
  scopeList,
  scopesWithout,
  singleQuoted,
  type Template,
} from './template.ts'

export const servers: readonly Template[] = [
  {
    id: 'go',
    title: 'Go with go-oidc 3',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: onServer({ redirect: '/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
      title: 'main.go',
      language: 'go',
      code: `// import "github.com/coreos/go-oidc/v3/oidc" and "golang.org/x/oauth2"
provider, err := oidc.NewProvider(ctx, ${quoted(issuer)})
if err != nil {
	log.Fatal(err)
}
client := oauth2.Config{
	ClientID:     ${quoted(clientId)},
	ClientSecret: os.Getenv("CLIENT_SECRET"), // ${secret}
	Endpoint:     provider.Endpoint(),
	RedirectURL:  ${quoted(redirectUri)},
	Scopes:       []string{${scopeList(scope)}},
}

// Keep state, nonce and verifier with the browser, and send it to address.
verifier := oauth2.GenerateVerifier()
address := client.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))

// At the redirect URI, after the state was compared:
tokens, err := client.Exchange(ctx, r.URL.Query().Get("code"), oauth2.VerifierOption(verifier))
rawIDToken, _ := tokens.Extra("id_token").(string)
idToken, err := provider.Verifier(&oidc.Config{ClientID: client.ClientID}).Verify(ctx, rawIDToken)
// Compare idToken.Nonce with the nonce.`,
      notes: notesOf('go-oidc compares the issuer character by character: keep its slash.', keepSecret),
    }),
  },
  {
    id: 'rust-axum',
    title: 'Rust with axum and openidconnect 4',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    members: onServer({ redirect: '/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      title: 'src/auth.rs',
      language: 'rust',
      code: `let http = reqwest::ClientBuilder::new().redirect(reqwest::redirect::Policy::none()).build()?;
let metadata =
    CoreProviderMetadata::discover_async(IssuerUrl::new(${quoted(issuer)}.into())?, &http).await?;
let client = CoreClient::from_provider_metadata(
    metadata,
    ClientId::new(${quoted(clientId)}.into()),
    Some(ClientSecret::new(std::env::var("CLIENT_SECRET")?)), // ${secret}
)
.set_redirect_uri(RedirectUrl::new(${quoted(redirectUri)}.into())?);

let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
let (address, state, nonce) = client
    .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
${scopesWithout(scope, 'openid')
  .split(' ')
  .map((one) => `    .add_scope(Scope::new(${quoted(one)}.into()))`)
  .join('\n')}
    .set_pkce_challenge(challenge)
    .url();

// At the redirect URI, after the state was compared:
let tokens = client.exchange_code(AuthorizationCode::new(code))?.set_pkce_verifier(verifier).request_async(&http).await?;
let id_token = tokens.id_token().ok_or_else(|| anyhow!("no id token"))?;
let claims = id_token.claims(&client.id_token_verifier(), &nonce)?;`,
      notes: notesOf(
        'Keep state, nonce and verifier with the browser, such as in a tower-sessions session.',
        keepSecret,
      ),
    }),
  },
  {
    id: 'django-allauth',
    title: 'Django with django-allauth',
    takes: 'application',
    developedAt: 'http://localhost:8000',
    members: onServer({ redirect: '/accounts/oidc/latchkey/login/callback/' }),
    setup: ({ issuer, clientId, secret, scope }) => ({
      install: "pip install 'django-allauth[socialaccount]'",
      title: 'settings.py',
      language: 'python',
      code: `INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]

SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "latchkey",
                "name": "Latchkey",
                "client_id": ${quoted(clientId)},
                "secret": ${quoted(secret)},
                "settings": {
                    "server_url": ${quoted(discovery(issuer))},
                    "token_auth_method": "client_secret_basic",
                    "scope": [${scopeList(scope)}],
                },
            }
        ],
    }
}`,
      notes: notesOf('Without OAUTH_PKCE_ENABLED the service refuses the sign-in (ID2054).', keepSecret),
    }),
  },
  {
    id: 'mozilla-django-oidc',
    title: 'Django with mozilla-django-oidc',
    takes: 'application',
    developedAt: 'http://localhost:8000',
    members: onServer({ redirect: '/oidc/callback/' }, { id_token_signed_response_alg: 'RS256' }),
    setup: ({ issuer, clientId, secret, scope }) => ({
      install: 'pip install mozilla-django-oidc',
      title: 'settings.py',
      language: 'python',
      code: `INSTALLED_APPS += ["mozilla_django_oidc"]
AUTHENTICATION_BACKENDS = ["mozilla_django_oidc.auth.OIDCAuthenticationBackend"]

OIDC_RP_CLIENT_ID = ${quoted(clientId)}
OIDC_RP_CLIENT_SECRET = ${quoted(secret)}
OIDC_RP_SCOPES = ${quoted(scopesWithout(scope, 'offline_access'))}
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_USE_PKCE = True
OIDC_OP_AUTHORIZATION_ENDPOINT = ${quoted(endpoint(issuer, '/connect/authorize'))}
OIDC_OP_TOKEN_ENDPOINT = ${quoted(endpoint(issuer, '/connect/token'))}
OIDC_OP_USER_ENDPOINT = ${quoted(endpoint(issuer, '/connect/userinfo'))}
OIDC_OP_JWKS_ENDPOINT = ${quoted(endpoint(issuer, '/.well-known/jwks'))}
LOGIN_REDIRECT_URL = "/"`,
      notes: notesOf('Add path("oidc/", include("mozilla_django_oidc.urls")) to urls.py.', keepSecret),
    }),
  },
  {
    id: 'flask-authlib',
    title: 'Flask with Authlib',
    takes: 'application',
    developedAt: 'http://localhost:5000',
    ranWith: ['Flask', 'Authlib'],
    members: onServer({ redirect: '/callback' }),
    setup: (values) => ({
      install: 'pip install Flask Authlib requests',
      title: 'app.py',
      language: 'python',
      code: `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
latchkey = OAuth(app).register(
    "latchkey",
    client_id=${quoted(values.clientId)},
    client_secret=os.environ["CLIENT_SECRET"],  # ${values.secret}
    server_metadata_url=${quoted(discovery(values.issuer))},
    client_kwargs={"scope": ${quoted(values.scope)}, "code_challenge_method": "S256"},
)


@app.get("/login")
def login():
    return latchkey.authorize_redirect(${quoted(values.redirectUri)})


@app.get("/callback")
def callback():
    session["person"] = latchkey.authorize_access_token()["userinfo"]
    return redirect("/")


@app.get("/logout")
def logout():
    session.clear()
    return redirect(${quoted(endSession(values))})`,
      run: `CLIENT_SECRET=${argument(values.secret)} SESSION_SECRET="$(openssl rand -hex 32)" flask run`,
      notes: notesOf('session["person"] is who signed in. /logout ends the session at Latchkey, too.', keepSecret),
    }),
  },
  {
    id: 'rails-omniauth',
    title: 'Rails with omniauth_openid_connect',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    ranWith: ['Rails', 'gitlab-omniauth-openid-connect (a fork without PKCE: require_pkce=false)'],
    members: onServer({ redirect: '/auth/latchkey/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      install: 'bundle add omniauth_openid_connect omniauth-rails_csrf_protection',
      title: 'config/initializers/omniauth.rb',
      language: 'ruby',
      code: `${isPlain(issuer) ? 'SWD.url_builder = URI::HTTP # the issuer speaks plain HTTP\n' : ''}Rails.application.config.middleware.use OmniAuth::Builder do
  provider :openid_connect,
           name: :latchkey,
           issuer: ${singleQuoted(issuer)},
           discovery: true,
           pkce: true,
           response_type: :code,
           scope: [${scopeList(scope, singleQuoted)}],
           client_options: {
             identifier: ${singleQuoted(clientId)},
             secret: ENV.fetch('CLIENT_SECRET'), # ${secret}
             redirect_uri: ${singleQuoted(redirectUri)}
           }
end`,
      notes: notesOf(
        'pkce needs version 0.5 or later of the gem. Start a sign-in with button_to and a POST to /auth/latchkey (omniauth-rails_csrf_protection).',
        keepSecret,
      ),
    }),
  },
  {
    id: 'laravel',
    title: 'Laravel with Socialite',
    takes: 'application',
    developedAt: 'http://localhost:8000',
    members: onServer({ redirect: '/auth/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      install: 'composer require socialiteproviders/openidconnect',
      title: 'config/services.php',
      language: 'php',
      code: `'openidconnect' => [
    'base_url' => ${singleQuoted(issuer.replace(/\/$/, ''))},
    'client_id' => ${singleQuoted(clientId)},
    'client_secret' => env('OIDC_CLIENT_SECRET'), // ${secret}
    'redirect' => ${singleQuoted(redirectUri)},
    'scopes' => ${singleQuoted(scope)},
    'issuer' => ${singleQuoted(issuer)},
    'verify_jwt' => true,
],`,
      notes: notesOf(
        'Needs socialiteproviders/openidconnect. Begin with Socialite::driver("openidconnect")->enablePKCE()->redirect(), and call enablePKCE() before user() too.',
        keepSecret,
      ),
    }),
  },
]
