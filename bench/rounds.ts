/** Several short runs of each target in turn (A B A B), added up: what slows the machine down hits all of them. */
import type { Generator } from './generator.ts'
import { Latencies } from './latency.ts'
import type { Operation } from './operations.ts'
import type { Measurement, Target } from './records.ts'

/** All runs of one target in one operation. */
export type Result = {
  readonly target: string
  readonly operation: string
  readonly connections: number
  /** Operations a second. */
  readonly rate: number
  /** The rate of each run, in order: how far they are apart is how much to believe. */
  readonly rates: readonly number[]
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /**
   * Of all server processes, for one operation, in the run that needed least: whatever else the machine does, such as
   * emptying the caches of the processor, can only add to it.
   */
  readonly cpuUs: number | null
  /** Durable transactions for one operation; below 1 when operations share them. */
  readonly commits: number | null
  /** The greatest share of a core that the generator needed. */
  readonly generatorShare: number
  /** The greatest share of the machine that others used. */
  readonly othersShare: number | null
}

export type Plan = {
  readonly operation: Operation
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
}

export async function measureInTurn(generator: Generator, all: readonly Target[], plan: Plan): Promise<Result[]> {
  const measured = await runsInTurn(generator, all, plan)
  return measured.map(({ target, runs }) => addUp(target.name, plan.operation, plan.connections, runs))
}

/** The runs of each target, in order. Rejects at the first wrong answer. */
export async function runsInTurn(
  generator: Generator,
  all: readonly Target[],
  { operation, connections, seconds, rounds }: Plan,
): Promise<{ readonly target: Target; readonly runs: readonly Measurement[] }[]> {
  const targets = all.filter(({ product }) => product !== 'peer' || operation.withoutPeer !== true)
  const runs = targets.map((): Measurement[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, target] of targets.entries()) {
      const { work, signInsBeside } = operation
      const run = await generator.measure({ target, work, connections, seconds, signInsBeside })
      if (run.firstFailure !== null) {
        throw new Error(`${target.name}, ${operation.name}: ${run.failures} wrong answers, first: ${run.firstFailure}`)
      }
      runs[at]?.push(run)
    }
  }
  return targets.map((target, at) => ({ target, runs: runs[at] as Measurement[] }))
}

function addUp(target: string, operation: Operation, connections: number, runs: readonly Measurement[]): Result {
  const sum = (pick: (run: Measurement) => number) => runs.reduce((total, run) => total + pick(run), 0)
  const perOperation = (pick: (run: Measurement) => number | null) =>
    runs.some((run) => pick(run) === null) ? null : sum((run) => pick(run) as number) / sum((run) => run.operations)
  const latencies = new Latencies()
  for (const run of runs) latencies.addAll(run.latencies)
  const shares = runs.map((run) => run.othersShare).filter((share) => share !== null)
  return {
    target,
    operation: operation.name,
    connections,
    rate: sum((run) => run.operations) / sum((run) => run.seconds),
    rates: runs.map((run) => run.operations / run.seconds),
    p50Ms: latencies.quantile(0.5),
    p99Ms: latencies.quantile(0.99),
    // Beside sign-ins the processes work for those too, and no share of it belongs to one operation.
    cpuUs: operation.signInsBeside > 0 ? null : leastCpuUs(runs),
    commits: operation.signInsBeside > 0 ? null : perOperation((run) => run.commits),
    generatorShare: Math.max(...runs.map((run) => run.generatorShare)),
    othersShare: shares.length === 0 ? null : Math.max(...shares),
  }
}

function leastCpuUs(runs: readonly Measurement[]): number | null {
  const each = runs.map(({ serverCpuUs, operations }) => (serverCpuUs === null ? null : serverCpuUs / operations))
  return each.includes(null) ? null : Math.min(...(each as number[]))
}
