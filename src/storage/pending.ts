/** Makes a verb one that closing waits for. For verbs that work before they reach the engine, which waits only for commits. */
export type Finished = <Given extends unknown[], Result>(
  verb: (...given: Given) => Promise<Result>,
) => (...given: Given) => Promise<Result>

export function pendingVerbs(): { readonly finished: Finished; settled(): Promise<unknown> } {
  const accepted = new Set<Promise<unknown>>()
  return {
    finished:
      (verb) =>
      (...given) => {
        const work = verb(...given)
        accepted.add(work)
        const done = () => accepted.delete(work)
        work.then(done, done)
        return work
      },
    /** Resolves when all accepted ones have ended, whatever their outcome. */
    settled: () => Promise.allSettled(accepted),
  }
}
