/** Frameworks and libraries of JavaScript. */
import {
  corsNote,
  endSession,
  environmentFile,
  inBrowser,
  isPlain,
  keepFile,
  notesOf,
  onServer,
  quoted,
  type Template,
  type Values,
} from './template.ts'

const userManager = ({ issuer, clientId, redirectUri, base, scope }: Values): string => `{
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  post_logout_redirect_uri: ${quoted(`${base}/`)},
  scope: ${quoted(scope)},
}`

const allowsPlain = ({ issuer }: Values) =>
  isPlain(issuer) && 'The issuer is not https: the library refuses it anywhere but in development.'

export const javascript: readonly Template[] = [
  {
    id: 'nextjs-authjs',
    title: 'Next.js with Auth.js 5',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    ranWith: ['next', 'next-auth', 'react'],
    members: onServer({ redirect: '/api/auth/callback/latchkey' }),
    setup: (values) => ({
      install: 'npm install next-auth@beta',
      environment: environmentFile(
        { LATCHKEY_SECRET: values.secret, AUTH_SECRET: values.sessionSecret, AUTH_URL: values.base },
        '.env.local',
      ),
      title: 'auth.ts',
      language: 'ts',
      code: `import NextAuth from 'next-auth'
import { redirect } from 'next/navigation'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc',
      issuer: ${quoted(values.issuer)},
      clientId: ${quoted(values.clientId)},
      clientSecret: process.env.LATCHKEY_SECRET,
      authorization: { params: { scope: ${quoted(values.scope)} } },
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
})

/** Signs out of the application and of Latchkey: <form action={signOutOfBoth}>. signOut alone leaves Latchkey signed in. */
export async function signOutOfBoth() {
  'use server'
  await signOut({ redirect: false })
  redirect(${quoted(endSession(values))})
}`,
      notes: notesOf(
        "app/api/auth/[...nextauth]/route.ts: import { handlers } from '@/auth'; export const { GET, POST } = handlers",
        'Next.js reads .env.local by itself, and its starter leaves the file out of version control.',
      ),
    }),
  },
  {
    id: 'react',
    title: 'React with react-oidc-context',
    takes: 'application',
    developedAt: 'http://localhost:5173',
    ranWith: ['react-oidc-context', 'react'],
    members: inBrowser({ redirect: '/' }),
    setup: (values) => ({
      install: 'npm install oidc-client-ts react-oidc-context',
      title: 'main.tsx',
      language: 'tsx',
      code: `import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'react-oidc-context'
import { App } from './App'

const settings = ${userManager(values)}
const forgetCode = () => history.replaceState({}, '', location.pathname)

createRoot(document.getElementById('root')!).render(
  <AuthProvider {...settings} onSigninCallback={forgetCode}>
    <App />
  </AuthProvider>,
)`,
      notes: notesOf(corsNote(values), 'useAuth() has signinRedirect, signoutRedirect and the user.'),
    }),
  },
  {
    id: 'vue',
    title: 'Vue with oidc-client-ts',
    takes: 'application',
    developedAt: 'http://localhost:5173',
    ranWith: ['oidc-client-ts'],
    members: inBrowser({ redirect: '/callback' }),
    setup: (values) => ({
      install: 'npm install oidc-client-ts',
      title: 'src/auth.ts',
      language: 'ts',
      code: `import { UserManager } from 'oidc-client-ts'

export const auth = new UserManager(${userManager(values)})

// In the component of the route /callback:
//   await auth.signinRedirectCallback()
//   router.replace('/')`,
      notes: notesOf(corsNote(values), 'Begin with auth.signinRedirect() and end with auth.signoutRedirect().'),
    }),
  },
  {
    id: 'angular',
    title: 'Angular with angular-oauth2-oidc',
    takes: 'application',
    developedAt: 'http://localhost:4200',
    ranWith: ['angular-oauth2-oidc', '@angular/core'],
    members: inBrowser({ redirect: '/' }),
    setup: (values) => ({
      install: 'npm install angular-oauth2-oidc',
      title: 'src/app/auth.config.ts',
      language: 'ts',
      code: `import type { AuthConfig } from 'angular-oauth2-oidc'

export const authConfig: AuthConfig = {
  issuer: ${quoted(values.issuer)},
  clientId: ${quoted(values.clientId)},
  redirectUri: ${quoted(values.redirectUri)},
  postLogoutRedirectUri: ${quoted(`${values.base}/`)},
  responseType: 'code',
  scope: ${quoted(values.scope)},
}`,
      notes: notesOf(
        corsNote(values),
        'Provide provideHttpClient() and provideOAuthClient(), then oauthService.configure(authConfig) and loadDiscoveryDocumentAndTryLogin().',
        allowsPlain(values),
      ),
    }),
  },
  {
    id: 'express',
    title: 'Express with express-openid-connect',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    ranWith: ['express-openid-connect', 'express'],
    members: onServer({ redirect: '/callback' }),
    setup: (values) => ({
      install: 'npm install express express-openid-connect',
      title: 'server.js',
      language: 'js',
      code: `const express = require('express')
const { auth, requiresAuth } = require('express-openid-connect')

const app = express()
app.use(
  auth({
    issuerBaseURL: ${quoted(values.issuer)},
    baseURL: ${quoted(values.base)},
    clientID: ${quoted(values.clientId)},
    clientSecret: process.env.CLIENT_SECRET,
    secret: process.env.SESSION_SECRET,
    clientAuthMethod: 'client_secret_basic',
    authorizationParams: { response_type: 'code', scope: ${quoted(values.scope)} },
    idpLogout: true,
    routes: { postLogoutRedirect: '/' },
    authRequired: false,
  }),
)
app.get('/me', requiresAuth(), (req, res) => res.json(req.oidc.user))
app.listen(${new URL(values.base).port || '3000'})`,
      environment: environmentFile({ CLIENT_SECRET: values.secret, SESSION_SECRET: values.sessionSecret }),
      run: 'node --env-file=.env server.js',
      notes: notesOf(
        `Open ${values.base}/me: it signs you in, and shows who you are.`,
        'The library brings /login and /logout, and takes id tokens with RS256 unless idTokenSigningAlg names another algorithm.',
        keepFile('.env'),
      ),
    }),
  },
  {
    id: 'fastify',
    title: 'Fastify with @fastify/oauth2',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    ranWith: ['@fastify/oauth2', 'fastify'],
    members: onServer({ redirect: '/login/callback' }),
    setup: (values) => ({
      install: 'npm install fastify @fastify/cookie @fastify/oauth2',
      title: 'server.js',
      language: 'js',
      code: `import cookie from '@fastify/cookie'
import oauth2 from '@fastify/oauth2'
import Fastify from 'fastify'

const app = Fastify()
await app.register(cookie)
await app.register(oauth2, {
  name: 'latchkey',
  scope: [${values.scope.split(' ').map(quoted).join(', ')}],
  credentials: { client: { id: ${quoted(values.clientId)}, secret: process.env.CLIENT_SECRET } },
  discovery: { issuer: ${quoted(values.issuer)} },
  startRedirectPath: '/login',
  callbackUri: ${quoted(values.redirectUri)},
  pkce: 'S256',
})
app.get('/login/callback', async (request) => {
  const { token } = await app.latchkey.getAccessTokenFromAuthorizationCodeFlow(request)
  return app.latchkey.userinfo(token)
})
await app.listen({ port: ${new URL(values.base).port || '3000'} })`,
      environment: environmentFile({ CLIENT_SECRET: values.secret }),
      run: 'node --env-file=.env server.js',
      notes: notesOf(
        `Open ${values.base}/login: it signs you in, and shows who you are.`,
        'The plug-in does not check id tokens: take the person from userinfo, as here.',
        keepFile('.env'),
      ),
    }),
  },
]
