/** Spring, Quarkus and ASP.NET Core. */
import { shellWord } from '../shell-word.ts'
import { asApi, endpoint, isPlain, keepSecret, notesOf, onServer, quoted, type Template } from './template.ts'

const springPlaces = { redirect: '/login/oauth2/code/latchkey' }

const springClient: Template['setup'] = ({ issuer, clientId, secret, scope }) => ({
  title: 'src/main/resources/application.yml',
  language: 'yaml',
  code: `spring:
  security:
    oauth2:
      client:
        registration:
          latchkey:
            client-id: ${quoted(clientId)}
            client-secret: ${quoted(secret)}
            scope: ${quoted(scope.replaceAll(' ', ','))}
        provider:
          latchkey:
            issuer-uri: ${quoted(issuer)}
            user-name-attribute: preferred_username`,
  notes: notesOf(
    'Needs spring-boot-starter-oauth2-client. Give OidcClientInitiatedLogoutSuccessHandler the address {baseUrl}/ to sign out of both.',
    keepSecret,
  ),
})

export const javaAndDotnet: readonly Template[] = [
  {
    id: 'spring-boot',
    title: 'Spring Boot 4',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: onServer(springPlaces),
    setup: springClient,
  },
  {
    id: 'spring-boot-3',
    title: 'Spring Boot 3',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    // It sends a nonce, and no challenge for a client with a secret.
    members: onServer(springPlaces, { require_pkce: false }),
    setup: (values) => {
      const setup = springClient(values)
      const kept =
        'This version sends no PKCE for a client with a secret: require_pkce is false. With OAuth2AuthorizationRequestCustomizers.withPkce() set it back to true.'
      return { ...setup, notes: [kept, ...setup.notes] }
    },
  },
  {
    id: 'spring-api',
    title: 'An API with Spring Security',
    takes: 'api',
    developedAt: 'http://localhost:8080',
    members: asApi,
    // The decoder of Spring Security refuses the type at+jwt (RFC 9068 §2.1).
    scope: { accessTokenType: 'JWT' },
    setup: ({ issuer, clientId, secret, base }) => ({
      title: 'src/main/resources/application.yml',
      language: 'yaml',
      code: `spring:
  security:
    oauth2:
      resourceserver:
        jwt:
          issuer-uri: ${quoted(issuer)}
          audiences: ${quoted(base)}
        # For opaque tokens in place of jwt:
        # opaquetoken:
        #   introspection-uri: ${quoted(endpoint(issuer, '/connect/introspect'))}
        #   client-id: ${quoted(clientId)}
        #   client-secret: ${quoted(secret)}`,
      notes: notesOf(
        'Needs spring-boot-starter-oauth2-resource-server. Its decoder takes access tokens of the type JWT, which the scope asks for.',
        `Permit the scope to the clients that call the API: latchkey client set CLIENT ${shellWord(`scope+=${clientId}`)}`,
        keepSecret,
      ),
    }),
  },
  {
    id: 'quarkus',
    title: 'Quarkus',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: onServer({ redirect: '/callback' }),
    setup: ({ issuer, clientId, secret, scope }) => ({
      title: 'src/main/resources/application.properties',
      language: 'properties',
      code: `quarkus.oidc.auth-server-url=${issuer}
quarkus.oidc.client-id=${clientId}
quarkus.oidc.credentials.secret=${secret}
quarkus.oidc.application-type=web-app
quarkus.oidc.authentication.pkce-required=true
quarkus.oidc.authentication.nonce-required=true
quarkus.oidc.authentication.redirect-path=/callback
quarkus.oidc.authentication.restore-path-after-redirect=true
quarkus.oidc.authentication.scopes=${scope.replaceAll(' ', ',')}
quarkus.oidc.roles.source=idtoken
quarkus.oidc.roles.role-claim-path=role
quarkus.oidc.logout.path=/logout
quarkus.oidc.logout.post-logout-path=/
quarkus.http.auth.permission.signed-in.paths=/*
quarkus.http.auth.permission.signed-in.policy=authenticated`,
      notes: notesOf('Needs the extension quarkus-oidc.', keepSecret),
    }),
  },
  {
    id: 'aspnetcore',
    title: 'ASP.NET Core',
    takes: 'application',
    developedAt: 'https://localhost:5001',
    members: onServer({ redirect: '/signin-oidc', afterSignOut: '/signout-callback-oidc' }),
    setup: ({ issuer, clientId, secret, scope }) => ({
      title: 'Program.cs',
      language: 'csharp',
      code: `builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.ClientId = ${quoted(clientId)};
        options.ClientSecret = builder.Configuration["Latchkey:Secret"]; // ${secret}
        options.ResponseType = "code";
        options.MapInboundClaims = false;
        options.SaveTokens = true;
        options.TokenValidationParameters.NameClaimType = "name";
        options.TokenValidationParameters.RoleClaimType = "role";
${scopesOfCsharp(scope)}${isPlain(issuer) ? '\n        options.RequireHttpsMetadata = false;' : ''}
    });`,
      notes: notesOf(
        'Needs Microsoft.AspNetCore.Authentication.OpenIdConnect. The claim of roles is role: permit the scope roles to have it.',
        keepSecret,
      ),
    }),
  },
  {
    id: 'aspnetcore-api',
    title: 'An API with ASP.NET Core',
    takes: 'api',
    developedAt: 'https://localhost:5001',
    members: asApi,
    // What the settings name, whatever the clients that call the API have.
    scope: { accessTokenType: 'at+jwt' },
    setup: ({ issuer, clientId, base }) => ({
      title: 'Program.cs',
      language: 'csharp',
      code: `builder.Services
    .AddAuthentication(JwtBearerDefaults.AuthenticationScheme)
    .AddJwtBearer(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.Audience = ${quoted(base)};
        options.MapInboundClaims = false;
        options.TokenValidationParameters.ValidTypes = ["at+jwt"];
        options.TokenValidationParameters.NameClaimType = "name";
        options.TokenValidationParameters.RoleClaimType = "role";${isPlain(issuer) ? '\n        options.RequireHttpsMetadata = false;' : ''}
    });
builder.Services.AddAuthorization();`,
      notes: notesOf(
        'Needs Microsoft.AspNetCore.Authentication.JwtBearer.',
        `Permit the scope to the clients that call the API: latchkey client set CLIENT ${shellWord(`scope+=${clientId}`)}`,
        `For opaque tokens, the API introspects as the client ${clientId}.`,
      ),
    }),
  },
]

function scopesOfCsharp(scope: string): string {
  const added = scope.split(' ').filter((one) => one !== 'openid' && one !== 'profile')
  return added.map((one) => `        options.Scope.Add(${quoted(one)});`).join('\n')
}
