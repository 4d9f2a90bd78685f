/** Patterns in RE2 syntax: matching takes time that grows with the text alone, whatever the pattern is. */
import { onDemand } from './on-demand.ts'

export type Patterns = {
  /** Whether the whole text matches. */
  readonly matches: (pattern: string, text: string) => boolean
  /** Why it is no pattern, as the end of a sentence; undefined: it is one. */
  readonly fault: (pattern: string) => string | undefined
}

const compiledAtMost = 64
/**
 * Steps of a pattern with its repetitions written out. Matching costs steps times characters, and holds the event loop: this many for
 * the longest text take about a tenth of a second.
 */
const stepsAtMost = 1024

/** Loads the engine with its first call: most services declare no pattern. */
export const loadPatterns: () => Patterns | Promise<Patterns> = onDemand(async (): Promise<Patterns> => {
  const { RE2JS } = await import('re2js')
  const compiled = new Map<string, ReturnType<typeof RE2JS.compile>>()
  const compile = (pattern: string) => {
    const known = compiled.get(pattern)
    if (known !== undefined) return known
    if (compiled.size >= compiledAtMost) compiled.clear()
    const made = RE2JS.compile(pattern)
    compiled.set(pattern, made)
    return made
  }
  return {
    matches: (pattern, text) => compile(pattern).matches(text),
    fault(pattern) {
      try {
        const steps = RE2JS.compile(pattern).programSize()
        return steps > stepsAtMost ? `must repeat less: it has ${steps} steps, of ${stepsAtMost} at most` : undefined
      } catch {
        return 'must be a regular expression in the syntax of RE2'
      }
    },
  }
})
