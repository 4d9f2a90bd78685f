/** Applications of each kind, for libraries that have no template of their own. */
import { shellWord } from '../shell-word.ts'
import { generalSettings } from './products.ts'
import {
  argument,
  corsNote,
  discovery,
  endpoint,
  inBrowser,
  installed,
  keepSecret,
  notesOf,
  onServer,
  type Setup,
  scopesWithout,
  type Template,
  type Values,
} from './template.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const environment = (values: Values, more: Readonly<Record<string, string>>, ...notes: string[]): Setup => ({
  title: 'Environment',
  language: 'sh',
  code: generalSettings(values, more),
  notes: [...notes, `The library finds everything else at ${discovery(values.issuer)}.`],
})

const signInCode = ({ redirectUri, scope }: Values) => ({ REDIRECT_URI: redirectUri, SCOPE: scope })

const native = ({
  id,
  title,
  developedAt,
  note,
  ranWith,
}: Pick<Template, 'id' | 'title' | 'developedAt' | 'ranWith'> & { readonly note: string }): Template => ({
  id,
  title,
  takes: 'scheme',
  developedAt,
  ...(ranWith && { ranWith }),
  members: installed,
  setup: (values) => environment(values, signInCode(values), note),
})

const withClientCredentials = { token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] }

export const kinds: readonly Template[] = [
  native({
    id: 'mobile',
    title: 'A mobile application',
    developedAt: 'com.example.app',
    ranWith: ['openid-client'],
    note: 'Open the system browser, with PKCE and without a secret: AppAuth does on Android and iOS.',
  }),
  native({
    id: 'desktop',
    title: 'A desktop application',
    developedAt: 'http://127.0.0.1',
    ranWith: ['openid-client'],
    note: 'Listen on any free port of 127.0.0.1 while the person signs in in the system browser, with PKCE (RFC 8252 §7.3).',
  }),
  {
    id: 'cli',
    title: 'A command-line program, or a device without a browser',
    takes: 'nothing',
    developedAt: '',
    ranWith: ['curl'],
    members: () => ({
      token_endpoint_auth_method: 'none',
      grant_types: [deviceGrant, 'refresh_token'],
      scope: ['profile', 'email', 'offline_access'],
    }),
    setup: ({ issuer, clientId, scope }) => ({
      title: 'Shell',
      language: 'sh',
      code: `curl ${argument(endpoint(issuer, '/connect/device'))} \\
  --data-urlencode ${argument(`client_id=${clientId}`)} --data-urlencode ${argument(`scope=${scope}`)}
# Show verification_uri and user_code, then ask every \`interval\` seconds:
curl ${argument(endpoint(issuer, '/connect/token'))} \\
  --data-urlencode ${argument(`client_id=${clientId}`)} --data-urlencode "device_code=$DEVICE_CODE" \\
  -d grant_type=${deviceGrant}`,
      notes: notesOf(
        'Stop at access_denied and expired_token, and wait 5 seconds longer after slow_down (RFC 8628 §3.5).',
      ),
    }),
  },
  {
    id: 'machine',
    title: 'A program that acts for itself',
    takes: 'nothing',
    developedAt: '',
    ranWith: ['curl'],
    members: () => withClientCredentials,
    setup: ({ issuer, clientId, secret, scope }) => {
      const permitted = scopesWithout(scope, 'openid')
      return {
        title: 'Shell',
        language: 'sh',
        code: `curl ${argument(endpoint(issuer, '/connect/token'))} -u ${argument(`${clientId}:${secret}`)} \\
  -d grant_type=client_credentials --data-urlencode ${argument(`scope=${permitted || 'SCOPE'}`)}`,
        notes: notesOf(
          permitted === '' && `Permit it a scope of an API: latchkey client set ${shellWord(clientId)} scope+=SCOPE`,
          'Keep a token until shortly before it expires. There is no refresh token.',
          keepSecret,
        ),
      }
    },
  },
  {
    id: 'mcp-server',
    title: 'A server of the Model Context Protocol',
    takes: 'nothing',
    developedAt: '',
    ranWith: ['@modelcontextprotocol/sdk'],
    members: () => withClientCredentials,
    setup: ({ issuer, clientId, secret }) => ({
      title: 'https://tools.example.com/.well-known/oauth-protected-resource/mcp',
      language: 'json',
      code: JSON.stringify(
        {
          resource: 'https://tools.example.com/mcp',
          authorization_servers: [issuer],
          scopes_supported: [clientId],
          bearer_methods_supported: ['header'],
        },
        null,
        2,
      ),
      notes: notesOf(
        `Give the server a scope: latchkey scope add ${shellWord(clientId)} --resource https://tools.example.com/mcp`,
        `Let it ask about tokens: latchkey client set ${shellWord(clientId)} resources=https://tools.example.com/mcp. Its secret is ${secret}`,
        'Agents register themselves: set OAuth:DynamicRegistration, and the scope in OAuth:DynamicRegistrationScopes.',
        keepSecret,
      ),
    }),
  },
  {
    id: 'other-web',
    title: 'Another web application on a server',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    ranWith: ['openid-client'],
    members: onServer({ redirect: '/callback' }),
    setup: (values) => environment(values, signInCode(values), 'Switch PKCE with S256 on.', keepSecret),
  },
  {
    id: 'other-spa',
    title: 'Another single-page application',
    takes: 'application',
    developedAt: 'http://localhost:5173',
    ranWith: ['oidc-client-ts'],
    members: inBrowser({ redirect: '/' }),
    setup: (values) => environment(values, signInCode(values), corsNote(values)),
  },
]
