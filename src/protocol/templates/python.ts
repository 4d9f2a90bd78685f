/** Python. */
import {
  discovery,
  endpoint,
  endSession,
  environmentFile,
  keepFile,
  keepSecret,
  notesOf,
  onServer,
  quoted,
  scopeList,
  scopesWithout,
  type Template,
} from './template.ts'

export const python: readonly Template[] = [
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
      install: 'pip install Flask Authlib requests python-dotenv',
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
    client_secret=os.environ["CLIENT_SECRET"],
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
      environment: environmentFile({ CLIENT_SECRET: values.secret, SESSION_SECRET: values.sessionSecret }),
      run: 'flask run',
      notes: notesOf(
        'session["person"] is who signed in. /logout ends the session at Latchkey, too.',
        keepFile('.env'),
      ),
    }),
  },
]
