/** Go and Rust. */
import {
  environmentFile,
  keepFile,
  notesOf,
  onServer,
  quoted,
  scopeList,
  scopesWithout,
  type Template,
} from './template.ts'

export const goAndRust: readonly Template[] = [
  {
    id: 'go',
    title: 'Go with go-oidc 3',
    takes: 'application',
    developedAt: 'http://localhost:8080',
    members: onServer({ redirect: '/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
      environment: environmentFile({ CLIENT_SECRET: secret }),
      title: 'main.go',
      language: 'go',
      code: `// import "github.com/coreos/go-oidc/v3/oidc" and "golang.org/x/oauth2"
provider, err := oidc.NewProvider(ctx, ${quoted(issuer)})
if err != nil {
	log.Fatal(err)
}
client := oauth2.Config{
	ClientID:     ${quoted(clientId)},
	ClientSecret: os.Getenv("CLIENT_SECRET"),
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
      notes: notesOf(
        'go-oidc compares the issuer character by character: keep its slash.',
        'Start it with the variables of .env.',
        keepFile('.env'),
      ),
    }),
  },
  {
    id: 'rust-axum',
    title: 'Rust with axum and openidconnect 4',
    takes: 'application',
    developedAt: 'http://localhost:3000',
    members: onServer({ redirect: '/callback' }),
    setup: ({ issuer, clientId, secret, redirectUri, scope }) => ({
      environment: environmentFile({ CLIENT_SECRET: secret }),
      title: 'src/auth.rs',
      language: 'rust',
      code: `let http = reqwest::ClientBuilder::new().redirect(reqwest::redirect::Policy::none()).build()?;
let metadata =
    CoreProviderMetadata::discover_async(IssuerUrl::new(${quoted(issuer)}.into())?, &http).await?;
let client = CoreClient::from_provider_metadata(
    metadata,
    ClientId::new(${quoted(clientId)}.into()),
    Some(ClientSecret::new(std::env::var("CLIENT_SECRET")?)),
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
        'Start it with the variables of .env.',
        keepFile('.env'),
      ),
    }),
  },
]
