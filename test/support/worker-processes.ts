/** The processes of `serve --workers`, from outside. */
import { readFileSync } from 'node:fs'

/** The processes that `parent` started, from /proc. */
export function childrenOf(parent: number): number[] {
  const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Whether the process is a worker with this number, and no longer a copy of the one that starts it. */
export function isWorker(pid: number, number: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith(`\0--worker\0${number}\0`)
}

/** Requests that the worker whose numbers are at `port` has answered. */
export async function answered(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counts = text.match(/^latchkey_http_request_duration_seconds_count\{[^}]*\} (\d+)$/gm) ?? []
  return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
