/** What a sign-in takes while many addresses guess passwords without pause, beside what it takes when none does. */
import type { Generator } from './generator.ts'
import { Latencies } from './latency.ts'
import type { Measurement } from './records.ts'
import { table } from './report.ts'
import type { Started } from './servers.ts'

export type AttackResult = {
  readonly target: string
  /** Addresses that attack; 0: the quiet run beside it. */
  readonly attackers: number
  readonly signIns: number
  /** Sign-ins with the right password that were answered otherwise. */
  readonly refused: number
  readonly firstRefusal: string | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

type Plan = { readonly attackers: number; readonly seconds: number; readonly rounds: number }

/** Quiet and attacked in turn, on each server; one person after the other signs in. */
export async function measureAttack(
  generator: Generator,
  servers: readonly Started[],
  { attackers, seconds, rounds }: Plan,
): Promise<AttackResult[]> {
  const scenes = servers.flatMap((target) =>
    [0, attackers].map((number) => ({ target, number, runs: [] as Measurement[] })),
  )
  for (let round = 0; round < rounds; round += 1) {
    for (const { target, number, runs } of scenes) {
      const job = { target, work: 'person', connections: 1, seconds, signInsBeside: 0, attackers: number } as const
      runs.push(await generator.measure(job))
    }
  }
  return scenes.map(({ target, number, runs }) => {
    const latencies = new Latencies()
    for (const run of runs) latencies.addAll(run.latencies)
    return {
      target: target.name,
      attackers: number,
      signIns: runs.reduce((sum, run) => sum + run.operations, 0),
      refused: runs.reduce((sum, run) => sum + run.failures, 0),
      firstRefusal: runs.find(({ firstFailure }) => firstFailure !== null)?.firstFailure ?? null,
      p50Ms: latencies.quantile(0.5),
      p99Ms: latencies.quantile(0.99),
    }
  })
}

export function attackText(results: readonly AttackResult[]): string {
  const rows = results.map((result) => {
    const quiet = results.find(({ target, attackers }) => target === result.target && attackers === 0)
    return [
      result.target,
      String(result.attackers),
      String(result.signIns),
      String(result.refused),
      milli(result.p50Ms),
      milli(result.p99Ms),
      result === quiet ? '' : ratio(result.p50Ms, quiet?.p50Ms),
      result === quiet ? '' : ratio(result.p99Ms, quiet?.p99Ms),
    ]
  })
  const headings = ['', 'attacking addresses', 'signed in', 'refused', 'p50 ms', 'p99 ms', 'p50 ratio', 'p99 ratio']
  return `A sign-in while others attack\n${table(headings, rows)}`
}

const milli = (value: number | null) => (value === null ? '–' : value.toFixed(1))
const ratio = (attacked: number | null, quiet: number | null | undefined) =>
  attacked && quiet ? `${(attacked / quiet).toFixed(1)}×` : '–'
