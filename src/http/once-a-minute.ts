/** Calls `work` at most once a minute and drops other calls. */
export function onceAMinute<Parameters extends unknown[]>(
  clock: () => number,
  work: (...parameters: Parameters) => void,
) {
  let lastMs = Number.NEGATIVE_INFINITY
  return (...parameters: Parameters): void => {
    const nowMs = clock()
    if (nowMs - lastMs < 60_000) return
    lastMs = nowMs
    work(...parameters)
  }
}
