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
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and a submit does not wait.
  document.cookie = `${MARK_NAME}=${Math.random().toString(36).slice(2)}; path=/; samesite=strict${secure}`
}

/** Tells all tabs that a form was sent. */
export const noteFormSent = writeMark

/** Whether the token is recent, no form was sent since, and the cookies are still there. */
export function isFresh(token: HeldToken): boolean {
  return token.mark !== null && token.mark === readMark() && Date.now() - token.requestedAtMs < FRESH_MS
}

/**
 * Fetches a token. Without a mark the browser may have no cookie yet, and two tabs that ask at the same moment would
 * be given two, of which only the later is kept: then they ask one after the other.
 */
export function fetchToken(): Promise<Answer<HeldToken>> {
  return readMark() ? requestToken() : inTurn(requestToken)
}

async function requestToken(): Promise<Answer<HeldToken>> {
  const requestedAtMs = Date.now()
  const before = readMark()
  const answer = await getJson<AntiforgeryToken>('/Account/Antiforgery')
  if (answer.kind !== 'ok') return answer
  if (!readMark()) writeMark()
  return { kind: 'ok', value: { ...answer.value, mark: before ?? readMark(), requestedAtMs } }
}

/** Runs `work` in no two tabs at once, unless the others keep it waiting for too long. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  let started: Promise<T> | undefined
  const start = () => {
    started = work()
    return started
  }
  try {
    return await navigator.locks.request('latchkey', { signal: AbortSignal.timeout(LOCK_PATIENCE_MS) }, start)
  } catch {
    // No turn in time, or a browser that grants none.
    return started ?? work()
  }
}
