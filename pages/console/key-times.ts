/** A key as the API lists it. */
export type Key = {
  id: string
  use: string
  algorithm: string
  state: 'published' | 'active' | 'retired' | 'expired'
  created_at: string
  active_at: string
  expires_at: string | null
}

/** The life of a signing key, in epoch milliseconds. */
export type Moments = {
  key: Key
  publishedMs: number
  signsMs: number
  /** When its successor begins to sign; undefined: there is none yet. */
  replacedMs: number | undefined
  /** When it is no longer published; undefined: not decided yet. */
  endsMs: number | undefined
}

const dayMs = 86_400_000
/** No picture goes back further: what signs now would be a dot in it. */
const shownAtMostMs = 120 * dayMs

/** Of the keys of one algorithm, the one that signs last first. */
export function momentsOf(keys: readonly Key[]): Moments[] {
  const sorted = [...keys].sort((a, b) => Date.parse(a.active_at) - Date.parse(b.active_at))
  const all = sorted.map((key, index) => {
    const signsMs = Date.parse(key.active_at)
    const next = sorted.slice(index + 1).find((other) => Date.parse(other.active_at) > signsMs)
    return {
      key,
      publishedMs: Math.min(Date.parse(key.created_at), signsMs),
      signsMs,
      replacedMs: next && Date.parse(next.active_at),
      endsMs: key.expires_at === null ? undefined : Date.parse(key.expires_at),
    }
  })
  return all.reverse()
}

/** What a picture of them shows: all that is to come, and what was, as far as it is not long ago. */
export function spanOf(all: readonly Moments[], nowMs: number): { fromMs: number; toMs: number } {
  const first = Math.min(nowMs - dayMs, ...all.map(({ publishedMs }) => publishedMs))
  const fromMs = Math.max(first, nowMs - shownAtMostMs)
  const last = Math.max(...all.flatMap(({ signsMs, endsMs }) => [signsMs, endsMs ?? nowMs]))
  return { fromMs, toMs: Math.max(last, nowMs) + (nowMs - fromMs) / 10 }
}

export type Step = { atMs: number; what: 'signs' | 'ends'; key: Key }

/** What happens to them by itself from now on, soonest first. */
export function stepsOf(all: readonly Moments[], nowMs: number): Step[] {
  const steps = all.flatMap(({ key, signsMs, endsMs }): Step[] => [
    { atMs: signsMs, what: 'signs', key },
    ...(endsMs === undefined ? [] : [{ atMs: endsMs, what: 'ends' as const, key }]),
  ])
  return steps.filter(({ atMs }) => atMs > nowMs).sort((a, b) => a.atMs - b.atMs)
}
