/** Products that sign people in with OpenID Connect. */
import {
  argument,
  discovery,
  endpoint,
  keepSecret,
  notesOf,
  onServer,
  scopeList,
  scopesWithout,
  singleQuoted,
  type Template,
} from './template.ts'

const withoutRefresh = (scope: string): string => scopesWithout(scope, 'offline_access')

export const products: readonly Template[] = [
  {
    id: 'oauth2-proxy',
    title: 'oauth2-proxy 7',
    takes: 'application',
    developedAt: 'http://localhost:4180',
    members: onServer({ redirect: '/oauth2/callback' }),
    setup: ({ issuer, clientId, secret, base, redirectUri, scope }) => ({
      title: 'Command line',
      language: 'sh',
      code: `oauth2-proxy \\
  --provider=oidc \\
  --provider-display-name=Latchkey \\
  --oidc-issuer-url=${argument(issuer)} \\
  --client-id=${argument(clientId)} \\
  --client-secret=${argument(secret)} \\
  --redirect-url=${argument(redirectUri)} \\
  --scope=${argument(scope)} \\
  --code-challenge-method=S256 \\
  --cookie-secret="$(openssl rand -base64 32 | tr -- '+/' '-_')" \\
  --cookie-secure=${base.startsWith('https:')} \\
  --email-domain='*' \\
  --upstream=http://127.0.0.1:8080/`,
      notes: notesOf(
        'It refuses people whose address is not confirmed: confirm them, or add --insecure-oidc-allow-unverified-email.',
        'Keep one cookie secret for all starts.',
        keepSecret,
      ),
    }),
  },
  {
    id: 'wordpress',
    title: 'WordPress with OpenID Connect Generic',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: onServer({ redirect: '/wp-admin/admin-ajax.php?action=openid-connect-authorize' }),
    setup: ({ issuer, clientId, secret, scope }) => ({
      title: 'wp-config.php',
      language: 'php',
      code: `define('OIDC_CLIENT_ID', ${singleQuoted(clientId)});
define('OIDC_CLIENT_SECRET', ${singleQuoted(secret)});
define('OIDC_CLIENT_SCOPE', ${singleQuoted(withoutRefresh(scope))});
define('OIDC_ENDPOINT_LOGIN_URL', ${singleQuoted(endpoint(issuer, '/connect/authorize'))});
define('OIDC_ENDPOINT_TOKEN_URL', ${singleQuoted(endpoint(issuer, '/connect/token'))});
define('OIDC_ENDPOINT_USERINFO_URL', ${singleQuoted(endpoint(issuer, '/connect/userinfo'))});
define('OIDC_ENDPOINT_LOGOUT_URL', ${singleQuoted(endpoint(issuer, '/connect/logout'))});
define('OIDC_CREATE_IF_DOES_NOT_EXIST', true);`,
      notes: notesOf(
        'Install the plug-in daggerhart-openid-connect-generic, and switch PKCE on in its settings: without it the service refuses the sign-in (ID2054).',
        keepSecret,
      ),
    }),
  },
  {
    id: 'grafana',
    title: 'Grafana',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    members: onServer({ redirect: '/login/generic_oauth', afterSignOut: '/login' }),
    setup: ({ issuer, clientId, secret, base, scope }) => ({
      title: 'grafana.ini',
      language: 'ini',
      code: `[server]
root_url = ${base}/

[auth.generic_oauth]
enabled = true
name = Latchkey
client_id = ${clientId}
client_secret = ${secret}
scopes = ${scope}
auth_url = ${endpoint(issuer, '/connect/authorize')}
token_url = ${endpoint(issuer, '/connect/token')}
api_url = ${endpoint(issuer, '/connect/userinfo')}
signout_redirect_url = ${endpoint(issuer, '/connect/logout')}?client_id=${encodeURIComponent(clientId)}&post_logout_redirect_uri=${encodeURIComponent(`${base}/login`)}
use_pkce = true
use_refresh_token = true
login_attribute_path = preferred_username
role_attribute_path = contains(to_array(role), 'admin') && 'Admin' || 'Viewer'`,
      notes: notesOf('For role_attribute_path permit the scope roles and add it to scopes.', keepSecret),
    }),
  },
  {
    id: 'gitlab',
    title: 'GitLab, self-managed',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: onServer({ redirect: '/users/auth/openid_connect/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      title: '/etc/gitlab/gitlab.rb',
      language: 'ruby',
      code: `gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_block_auto_created_users'] = false
gitlab_rails['omniauth_providers'] = [
  {
    name: 'openid_connect',
    label: 'Latchkey',
    args: {
      name: 'openid_connect',
      scope: [${scopeList(withoutRefresh(scope), singleQuoted)}],
      response_type: 'code',
      issuer: ${singleQuoted(issuer)},
      discovery: true,
      client_auth_method: 'basic',
      uid_field: 'sub',
      pkce: true,
      client_options: {
        identifier: ${singleQuoted(clientId)},
        secret: ${singleQuoted(secret)},
        redirect_uri: ${singleQuoted(redirectUri)}
      }
    }
  }
]`,
      notes: notesOf('Then run gitlab-ctl reconfigure. GitLab reads the discovery document over https.', keepSecret),
    }),
  },
  {
    id: 'nextcloud',
    title: 'Nextcloud with user_oidc',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: (base) => ({
      ...onServer({ redirect: '/apps/user_oidc/code' })(base),
      redirect_uris: [`${base}/apps/user_oidc/code`, `${base}/index.php/apps/user_oidc/code`],
    }),
    setup: ({ issuer, clientId, secret, scope }) => ({
      title: 'Command line',
      language: 'sh',
      code: `php occ app:install user_oidc
php occ user_oidc:provider Latchkey \\
  --clientid=${argument(clientId)} \\
  --clientsecret=${argument(secret)} \\
  --discoveryuri=${argument(discovery(issuer))} \\
  --scope=${argument(withoutRefresh(scope))} \\
  --unique-uid=0 \\
  --mapping-uid=preferred_username`,
      notes: notesOf('The app sends PKCE unless its setting use_pkce is switched off.', keepSecret),
    }),
  },
]

/** Any application: what every library asks for. */
export const generalSettings = (
  values: { readonly issuer: string; readonly clientId: string; readonly secret: string },
  more: Readonly<Record<string, string>>,
): string =>
  Object.entries({
    ISSUER: values.issuer,
    CLIENT_ID: values.clientId,
    ...(values.secret !== '' && { CLIENT_SECRET: values.secret }),
    ...more,
  })
    .map(([name, value]) => `${name}=${argument(value)}`)
    .join('\n')
