/** A visitor who uses the service without pause and remembers everything that was acknowledged. */
import assert from 'node:assert/strict'
import {
  authorizeParameters,
  Browser,
  codeFields,
  locationOf,
  postToken,
  refreshFields,
  type TokenAnswer,
} from '../support/browser.ts'
import { password } from '../support/service.ts'

/** What the service said yes to, and must still know after it was killed. */
export type Acknowledged = {
  /** The session cookie of a sign-in. */
  session: string | undefined
  /** A consent was answered with a code. */
  consented: boolean
  /** Codes that were redeemed. */
  readonly redeemed: string[]
  /** The latest refresh token that was handed out, and the one that was exchanged for it. */
  refresh: { readonly previous: string | undefined; readonly live: string } | undefined
  /** A refresh that was sent and not answered. */
  unanswered: string | undefined
}

export class Visitor {
  readonly browser: Browser
  readonly acknowledged: Acknowledged = {
    session: undefined,
    consented: false,
    redeemed: [],
    refresh: undefined,
    unanswered: undefined,
  }
  readonly service: { readonly issuer: string }
  readonly user: string
  readonly scope: string
  /** Rounds that ended because a node or the database was not there. */
  failures = 0
  /** Is given every token response, before the visitor goes on. */
  onTokens: (tokens: TokenAnswer['body']) => Promise<void> = async () => undefined
  #onAcknowledged: () => void = () => undefined

  constructor(issuer: string, user: string, scope: string) {
    this.service = { issuer }
    this.browser = new Browser(this.service)
    this.user = user
    this.scope = scope
  }

  /** Signs in, consents, redeems and refreshes until `stopped` or until the service is gone. */
  async use(stopped: () => boolean, onAcknowledged: () => void): Promise<void> {
    this.#onAcknowledged = onAcknowledged
    while (!stopped()) {
      try {
        await this.#round()
      } catch (error) {
        // The service was killed under the request: what was not answered was not acknowledged.
        if (isConnectionLoss(error)) return
        // A node or the database went away under it: the next round begins where the last one got to.
        if (!(error instanceof NotAnswered)) throw error
        this.failures += 1
      }
    }
  }

  async #round(): Promise<void> {
    const { acknowledged, browser, service } = this
    if (acknowledged.session === undefined) {
      const signedIn = await this.#submit('/Account/Login', { username: this.user, password })
      checkAnswered(signedIn)
      assert.equal(signedIn.headers.get('location'), '/', await signedIn.text())
      acknowledged.session = browser.cookies.get('latchkey.session')
      this.#onAcknowledged()
    }
    const parameters = authorizeParameters({ scope: this.scope })
    const answer = acknowledged.consented
      ? await browser.get(`/connect/authorize?${new URLSearchParams(parameters)}`)
      : await this.#submit('/connect/authorize', { ...parameters, 'submit.Accept': 'Yes' })
    checkAnswered(answer)
    const code = locationOf(answer).searchParams.get('code')
    assert.ok(code, `${answer.status} ${answer.headers.get('location')} ${await answer.text()}`)
    acknowledged.consented = true
    const tokens = await postToken(service, codeFields(code))
    checkAnswered(tokens)
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body))
    acknowledged.redeemed.push(code)
    await this.onTokens(tokens.body)
    this.#onAcknowledged()
    acknowledged.refresh = { previous: undefined, live: tokens.body.refresh_token }
    for (let rotation = 0; rotation < 4; rotation += 1) {
      const previous: string = acknowledged.refresh.live
      acknowledged.unanswered = previous
      const refreshed = await postToken(service, refreshFields(previous))
      checkAnswered(refreshed)
      assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body))
      acknowledged.refresh = { previous, live: refreshed.body.refresh_token }
      acknowledged.unanswered = undefined
      await this.onTokens(refreshed.body)
      this.#onAcknowledged()
    }
  }

  /** Posts with a fresh anti-forgery token, if there was an answer with one. */
  async #submit(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const answer = await this.browser.get('/Account/Antiforgery')
    checkAnswered(answer)
    const { token } = (await answer.json()) as { token: string }
    return this.browser.post(path, { ...fields, __RequestVerificationToken: token })
  }

  /** Checks after a restart that nothing acknowledged was lost, and nothing can be had twice. */
  async verify(): Promise<void> {
    const { acknowledged, browser, service } = this
    if (acknowledged.session !== undefined) {
      browser.cookies.set('latchkey.session', acknowledged.session)
      const session = (await (await browser.get('/Account/Session')).json()) as { user: { name: string } | null }
      assert.equal(session.user?.name, this.user, 'an acknowledged session is there')
    }
    if (acknowledged.consented) {
      const parameters = new URLSearchParams(authorizeParameters({ scope: this.scope, prompt: 'none' }))
      const silent = locationOf(await browser.get(`/connect/authorize?${parameters}`))
      assert.ok(silent.searchParams.get('code'), `an acknowledged consent is there: ${silent.href}`)
    }
    const { refresh } = acknowledged
    if (refresh !== undefined) {
      if (acknowledged.unanswered !== undefined) {
        // Killed before, at or after the commit: whatever it was, the retry gets the one successor, twice the same.
        const retry = await postToken(service, refreshFields(acknowledged.unanswered))
        assert.equal(retry.status, 200, `a refresh without an answer can be repeated: ${JSON.stringify(retry.body)}`)
        const again = await postToken(service, refreshFields(acknowledged.unanswered))
        assert.equal(again.body.refresh_token, retry.body.refresh_token, 'one chain has one live successor')
      } else {
        if (refresh.previous !== undefined) {
          const retry = await postToken(service, refreshFields(refresh.previous))
          assert.equal(retry.body.refresh_token, refresh.live, 'an acknowledged rotation is there')
        }
        const next = await postToken(service, refreshFields(refresh.live))
        assert.equal(next.status, 200, `an acknowledged refresh token is alive: ${JSON.stringify(next.body)}`)
      }
    }
    for (const code of acknowledged.redeemed.slice(-3)) {
      const replay = await postToken(service, codeFields(code))
      assert.equal(replay.status, 400, 'a redeemed code cannot be redeemed again')
      assert.match(replay.body.error_uri, /#ID(?:2010|2016)$/)
    }
  }
}

/** 502 by the load balancer, or 503 by a node whose database is away. */
class NotAnswered extends Error {}

function checkAnswered({ status, headers }: { readonly status: number; readonly headers: Headers }): void {
  if (status !== 502 && status !== 503) return
  // A node that cannot answer says when to ask again (RFC 9110 §10.2.3).
  if (status === 503) assert.match(headers.get('retry-after') ?? 'nothing', /^[1-9]\d*$/)
  throw new NotAnswered(String(status))
}

/** The other side closed or refused the connection. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    error instanceof TypeError && /fetch failed|terminated|other side closed/.test(`${error.message} ${error.cause}`)
  )
}
