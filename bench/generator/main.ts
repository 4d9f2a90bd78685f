/** The load generator: a process of its own that takes jobs over the channel and answers each with a measurement. */
import { Latencies } from '../latency.ts'
import { commitCount, cores, cpuTimeUs, machineBusyUs } from '../machine.ts'
import type { GeneratorAnswer, Job, Measurement, Target } from '../records.ts'
import { guessesOfAddress, guessing } from './attack.ts'
import type { Connection } from './connection.ts'
import { type DatabaseCounters, openDatabaseMeter, workBetween } from './database-meter.ts'
import { openConnections } from './protocol.ts'
import { prepareWork } from './work.ts'
import type { Workload } from './workload.ts'

/** After so many wrong answers a run says nothing any more, unless it is to show how many there are. */
const maxFailures = 20

type Drive = { operations: number; failures: number; firstFailure: string | null; readonly latencies: Latencies }

process.on('message', (job: Job) => {
  measure(job).then(
    (measurement) => answer({ measurement }),
    (error: Error) => answer({ problem: error.message }),
  )
})
process.on('disconnect', () => process.exit())

function answer(message: GeneratorAnswer): void {
  process.send?.(message)
}

async function measure(job: Job): Promise<Measurement> {
  const { target, work, connections: count, seconds, signInsBeside, attackers = 0 } = job
  const connections = await openConnections(target, count)
  const besides = await openConnections(target, attackers > 0 ? attackers * guessesOfAddress : signInsBeside)
  try {
    const workload = await prepareWork(work, target, connections)
    const beside = await (attackers > 0 ? guessing(target, besides) : prepareWork('signin', target, besides))

    // Untimed: lets both sides compile what is hot, and shows how much supply the timed part needs.
    const warmUpSeconds = Math.min(1, seconds / 3)
    await workload.supply(count * 50)
    const startedAt = performance.now()
    const warm = await drive(workload, count, warmUpSeconds)
    if (warm.firstFailure !== null) throw new Error(warm.firstFailure)
    const perSecond = warm.operations / ((performance.now() - startedAt) / 1000)
    await workload.supply(Math.ceil(perSecond * seconds * 1.5) + count)

    const stop = { asked: false }
    const signingIn = besides.length === 0 ? undefined : drive(beside, besides.length, Number.POSITIVE_INFINITY, stop)
    // An attack takes a moment until all of it waits.
    if (attackers > 0) await drive(workload, count, warmUpSeconds)
    const atDatabase = await openDatabaseMeter(target.counted)
    const before = { ...readMeters(target, connections), database: await atDatabase?.read() }
    const timed = await drive(workload, count, seconds)
    const after = { ...readMeters(target, connections), database: await atDatabase?.read() }
    await atDatabase?.close()
    stop.asked = true
    const failedBeside = (await signingIn)?.firstFailure ?? null
    return {
      operations: timed.operations,
      seconds: (after.atMs - before.atMs) / 1000,
      failures: timed.failures,
      firstFailure: timed.firstFailure ?? failedBeside,
      latencies: timed.latencies.toPairs(),
      ...difference(before, after),
    }
  } finally {
    for (const connection of [...connections, ...besides]) connection.close()
  }
}

/** A closed loop: each connection sends the next request when it has the answer to the one before. */
async function drive(
  workload: Workload,
  connections: number,
  seconds: number,
  stop = { asked: false },
): Promise<Drive> {
  const result: Drive = { operations: 0, failures: 0, firstFailure: null, latencies: new Latencies() }
  const endsAt = performance.now() + seconds * 1000
  const loop = async (at: number) => {
    while (!stop.asked && (result.failures < maxFailures || workload.isAttacked === true)) {
      const startedAt = performance.now()
      if (startedAt >= endsAt) return
      try {
        if (!(await workload.run(at))) return
        result.operations += 1
        result.latencies.add(performance.now() - startedAt)
      } catch (error) {
        result.failures += 1
        result.firstFailure ??= (error as Error).message
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, at) => loop(at)))
  return result
}

type Meters = ReturnType<typeof readMeters> & { readonly database: DatabaseCounters | undefined }

function readMeters({ pids, databaseFile }: Target, connections: readonly Connection[]) {
  const { user, system } = process.cpuUsage()
  const bytes = connections.map((connection) => connection.bytes())
  return {
    atMs: performance.now(),
    sent: bytes.reduce((sum, one) => sum + one.sent, 0),
    received: bytes.reduce((sum, one) => sum + one.received, 0),
    serverUs: cpuTimeUs(pids),
    generatorUs: user + system,
    machineUs: machineBusyUs(),
    commits: databaseFile === null ? null : commitCount(databaseFile),
  }
}

function difference(before: Meters, after: Meters) {
  const elapsedUs = (after.atMs - before.atMs) * 1000
  const between = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from)
  const serverCpuUs = between(before.serverUs, after.serverUs)
  const generatorUs = after.generatorUs - before.generatorUs
  const machineUs = between(before.machineUs, after.machineUs)
  const commits = between(before.commits, after.commits)
  const database = workBetween(before.database, after.database)
  const ownUs = (serverCpuUs ?? 0) + generatorUs + (database?.cpuUs ?? 0)
  const othersUs = machineUs === null || serverCpuUs === null ? null : machineUs - ownUs
  return {
    database,
    bytesSent: after.sent - before.sent,
    bytesReceived: after.received - before.received,
    generatorCpuUs: generatorUs,
    serverCpuUs,
    commits: commits === null ? null : commits >>> 0,
    generatorShare: generatorUs / elapsedUs,
    othersShare: othersUs === null ? null : Math.max(0, othersUs / elapsedUs / machineCores),
  }
}

/** All of the machine's, not only the one that this process is pinned to. */
const machineCores = Number(process.env.BENCH_CORES ?? cores())
