/** Ruby and PHP. */
import {
  environmentFile,
  isPlain,
  keepFile,
  notesOf,
  onServer,
  scopeList,
  singleQuoted,
  type Template,
} from './template.ts'

export const rubyAndPhp: readonly Template[] = [
  {
    id: 'rails-omniauth',
    title: 'Rails with omniauth_openid_connect',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    ranWith: ['Rails', 'gitlab-omniauth-openid-connect (a fork without PKCE: require_pkce=false)'],
    members: onServer({ redirect: '/auth/latchkey/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      install: 'bundle add omniauth_openid_connect omniauth-rails_csrf_protection dotenv-rails',
      environment: environmentFile({ CLIENT_SECRET: secret }),
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
             secret: ENV.fetch('CLIENT_SECRET'),
             redirect_uri: ${singleQuoted(redirectUri)}
           }
end`,
      notes: notesOf(
        'pkce needs version 0.5 or later of the gem. Start a sign-in with button_to and a POST to /auth/latchkey (omniauth-rails_csrf_protection).',
        keepFile('.env'),
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
      environment: environmentFile({ OIDC_CLIENT_SECRET: secret }),
      title: 'config/services.php',
      language: 'php',
      code: `'openidconnect' => [
    'base_url' => ${singleQuoted(issuer.replace(/\/$/, ''))},
    'client_id' => ${singleQuoted(clientId)},
    'client_secret' => env('OIDC_CLIENT_SECRET'),
    'redirect' => ${singleQuoted(redirectUri)},
    'scopes' => ${singleQuoted(scope)},
    'issuer' => ${singleQuoted(issuer)},
    'verify_jwt' => true,
],`,
      notes: notesOf(
        'Needs socialiteproviders/openidconnect. Begin with Socialite::driver("openidconnect")->enablePKCE()->redirect(), and call enablePKCE() before user() too.',
        "Laravel's starter leaves .env out of version control.",
      ),
    }),
  },
]
