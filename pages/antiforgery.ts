import { type Answer, type AntiforgeryToken, getJson } from './api.ts'

/** A token, and what it was issued under. */
export type HeldToken = AntiforgeryToken & {
  /** The mark of that moment; null when the browser keeps no cookies. */
  mark: string | null
  /** Epoch milliseconds at which the request for it was sent. */
  requestedAtMs: number
}

const FRESH_MS = 5 * 60_000
const LOCK_PATIENCE_MS = 3_000
const TURN = 'latchkey.submit'
/** As long as a form waits for its answer: by then the tab whose turn it was has given up. */
const TURN_PATIENCE_MS = 20_000
const MARK_NAME = 'latchkey.mark'

/**
 * The cookie behind the tokens is hidden from scripts, so the pages keep a readable mark beside it, a random value
 * that says nothing. It goes when the visitor deletes cookies, and every form that is sent changes it: a sign-in or
 * sign-out makes the older tokens of all tabs worthless.
 */
function readMark(): string | null {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${MARK_NAME}=`))
  return pair?.slice(MARK_NAME.length + 1) || null
}

function writeMark(): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // No path: it is seen beside this page only, where all forms are, and not by other applications of the host.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and a submit does not wait.
  document.cookie = `${MARK_NAME}=${Math.random().toString(36).slice(2)}; samesite=strict${secure}`
}

/** Whether the form that was sent last is one of this page. */
let sentHere = false

/** Tells all tabs that a form was sent. */
export function noteFormSent(): void {
  sentHere = true
  writeMark()
}

/** Whether another tab has sent a form since. */
export const isOutdated = (token: HeldToken): boolean => !sentHere && token.mark !== readMark()

/** Whether the token is recent, no form was sent since, and the cookies are still there. */
export function isFresh(token: HeldToken): boolean {
  return token.mark !== null && token.mark === readMark() && Date.now() - token.requestedAtMs < FRESH_MS
}

/**
 * Fetches a token. Without a mark the browser may have no cookie yet, and tabs that ask at the same moment would be
 * given one each, of which only the last is kept: so one of them asks first, alone.
 */
export async function fetchToken(): Promise<Answer<HeldToken>> {
  return (await firstToken()) ?? requestToken()
}

/**
 * Waits until no other tab is between a renewed token and the answer to its form, because that answer may change who
 * is signed in. Resolves to the end of the turn, which ends with the page, too; null: no turn came, and to go on without
 * one would mean an empty 400 for one of the two.
 */
export function takeTurn(): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const held = () => new Promise<void>((end) => resolve(end))
    // A browser that grants no locks has no turns.
    const alone = () => resolve(() => {})
    const signal = AbortSignal.timeout(TURN_PATIENCE_MS)
    if (!navigator.locks) return alone()
    navigator.locks.request(TURN, { signal }, held).catch(() => (signal.aborted ? resolve(null) : alone()))
  })
}

/** Undefined when there is a mark, at once or after another tab's turn; or when no turn came. */
async function firstToken(): Promise<Answer<HeldToken> | undefined> {
  if (readMark()) return undefined
  const signal = AbortSignal.timeout(LOCK_PATIENCE_MS)
  try {
    return await navigator.locks.request('latchkey', { signal }, async () => (readMark() ? undefined : requestToken()))
  } catch {
    // Another tab takes too long, or this browser grants no locks.
    return undefined
  }
}

async function requestToken(): Promise<Answer<HeldToken>> {
  const requestedAtMs = Date.now()
  const before = readMark()
  const answer = await getJson<AntiforgeryToken>('/Account/Antiforgery')
  if (answer.kind !== 'ok') return answer
  if (!readMark()) writeMark()
  return { kind: 'ok', value: { ...answer.value, mark: before ?? readMark(), requestedAtMs } }
}
