// A single-page application with Angular and angular-oauth2-oidc.
import '@angular/compiler'
import { provideHttpClient } from '@angular/common/http'
import { Component, inject, provideZonelessChangeDetection, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { OAuthService, provideOAuthClient } from 'angular-oauth2-oidc'

@Component({
  selector: 'app-root',
  template: `
    @if (person(); as person) {
      <p>{{ person.name }} &lt;{{ person.email }}&gt;</p>
      <button (click)="refresh()">Refresh</button>
      <button (click)="signOut()">Sign out</button>
      <output>{{ token() }}</output>
    } @else {
      <p>{{ state() }}</p>
      <button (click)="signIn()">Sign in</button>
    }
  `,
})
class App {
  readonly oauth = inject(OAuthService)
  readonly person = signal<{ name?: string; email?: string } | null>(null)
  readonly token = signal('')
  readonly state = signal('One moment …')

  constructor() {
    this.start().catch((error) => this.state.set(String(error?.message ?? error)))
  }

  async start(): Promise<void> {
    const { issuer, clientId } = await (await fetch('/config.json')).json()
    const here = `${location.origin}/`
    this.oauth.configure({
      issuer,
      clientId,
      redirectUri: here,
      postLogoutRedirectUri: here,
      responseType: 'code',
      scope: 'openid profile email offline_access',
    })
    await this.oauth.loadDiscoveryDocumentAndTryLogin()
    this.state.set('Signed out')
    await this.show()
  }

  async show(): Promise<void> {
    if (!this.oauth.hasValidAccessToken()) return
    const { info } = (await this.oauth.loadUserProfile()) as { info: { name: string; email: string } }
    this.person.set(info)
    this.token.set(this.oauth.getAccessToken())
  }

  signIn(): void {
    this.oauth.initCodeFlow()
  }

  async refresh(): Promise<void> {
    await this.oauth.refreshToken()
    await this.show()
  }

  signOut(): void {
    this.oauth.logOut()
  }
}

document.querySelector('#app')?.replaceChildren(document.createElement('app-root'))
bootstrapApplication(App, {
  providers: [provideZonelessChangeDetection(), provideHttpClient(), provideOAuthClient()],
})
