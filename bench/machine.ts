/** What Linux says about processes and the machine. Elsewhere the answers are null, and the report leaves them out. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** The unit of /proc: USER_HZ, which Linux fixes at 100 for programs. */
const tickUs = 10_000

/** User and system time of the processes, finished threads included, microseconds. */
export function cpuTimeUs(pids: readonly number[]): number | null {
  let ticks = 0
  for (const pid of pids) {
    const fields = statFields(pid)
    if (fields === null) return null
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * tickUs
}

/** The fields of /proc/PID/stat from the third on. The name in the second may hold anything, so they are counted from its end. */
function statFields(pid: number): string[] | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** User and system time of a process and of all that it started, also of those that ended, microseconds. */
export function familyCpuUs(pid: number): number | null {
  const reaped = statFields(pid)
  const living = cpuTimeUs(familyOf(pid).filter((one) => statFields(one) !== null))
  if (reaped === null || living === null) return null
  return living + (Number(reaped[13]) + Number(reaped[14])) * tickUs
}

/** A process and those that it started, and so on. */
export function familyOf(pid: number): number[] {
  const children = readOrNull(`/proc/${pid}/task/${pid}/children`)?.trim() ?? ''
  return [pid, ...(children === '' ? [] : children.split(' ')).flatMap((child) => familyOf(Number(child)))]
}

/** Time that all cores together were busy since the machine started, microseconds. */
export function machineBusyUs(): number | null {
  const line = readOrNull('/proc/stat')?.split('\n', 1)[0]
  if (line === undefined) return null
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * tickUs
}

/** Memory that the processes hold at the moment, bytes. */
export function residentBytes(pids: readonly number[]): number | null {
  let kilobytes = 0
  for (const pid of pids) {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readOrNull(`/proc/${pid}/status`) ?? '')
    if (found === null) return null
    kilobytes += Number(found[1])
  }
  return kilobytes * 1024
}

/**
 * Transactions that an SQLite database in WAL mode has committed, modulo 2^32: `iChange` in the header of the WAL index,
 * which every process maps and every commit counts up (sqlite.org/walformat.html, section 2.1).
 */
export function commitCount(databaseFile: string): number | null {
  const header = Buffer.alloc(12)
  try {
    const file = openSync(`${databaseFile}-shm`, 'r')
    try {
      if (readSync(file, header, 0, header.length, 0) < header.length) return null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
  // The index is written in the byte order of the machine; every one that Node.js runs on is little-endian by now.
  return header.readUInt32LE(8)
}

/** The command that pins another one to a core; empty where the system has none. */
export function pinTo(core: number): string[] {
  canPin ??= spawnSync('taskset', ['-c', '0', 'true']).status === 0
  return canPin && cores() > 1 ? ['taskset', '-c', String(core)] : []
}
let canPin: boolean | undefined

/** Cores that this process may use. */
export function cores(): number {
  return availableParallelism()
}

export function describeMachine() {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cores(),
    memoryBytes: totalmem(),
    runtime: process.version,
    pinned: pinTo(0).length > 0,
    /** Of the last minute, when this was asked. */
    loadAverage: Number((loadavg()[0] ?? 0).toFixed(2)),
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}
