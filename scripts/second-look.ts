/**
 * A second look at what failed. A run of thousands of tests shares its machine with other programs, and a moment of theirs
 * is no fault of the service. What failed is run again by itself and has to pass every time; the run says which tests
 * these were, and what they failed with at first.
 */
import { run as runTests } from 'node:test'
import type { TestResult } from './proofs.ts'

/** How many times in a row a failed test has to pass alone. */
export const looks = 3

/** A run with more failures than this has no second look. */
export const unsteadyAtMost = 3

/** Whether a second look at so many failures decides anything. */
export const deservesLook = (failures: number): boolean => failures > 0 && failures <= unsteadyAtMost

/** Returns what the run prints about failures that passed the second look. `report`: what they failed with. */
export const unsteadyOf = (report: string): string =>
  `Failed at first, then passed ${looks} times by itself:\n${report}`

type Options = NonNullable<Parameters<typeof runTests>[0]>

/** Runs files of Node.js's runner one after the other, `looks` times. Resolves to what passed, or null when anything failed. */
export async function passedAgain(
  files: readonly string[],
  options: Options,
  nameOf: (file: string | undefined) => string,
): Promise<TestResult[] | null> {
  const passed = new Map<string, TestResult>()
  for (let look = 0; look < looks; look += 1) {
    let hasFailed = false
    const stream = runTests({ ...options, files, concurrency: 1 })
    stream.on('test:fail', () => {
      hasFailed = true
    })
    stream.on('test:pass', ({ name, file, details, skip, todo }) => {
      if (details.type === 'suite' || skip !== undefined || todo !== undefined) return
      const of = nameOf(file)
      passed.set(`${of}\n${name}`, { file: of, name, passed: true, ms: details.duration_ms })
    })
    for await (const _event of stream); // the stream ends when the last file does
    if (hasFailed || passed.size === 0) return null
  }
  return [...passed.values()]
}
