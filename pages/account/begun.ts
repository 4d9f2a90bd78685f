/** What a person had begun, and typed, when the service asked for a sign-in: the page goes on with it afterwards. */
import { recall, remember } from '../tab-memory.ts'

/** Later than this the person has come for something else. */
const KEPT_MS = 15 * 60_000

const here = (): string => location.pathname + location.search

let kept: Record<string, string> = {}
const [page, time, memory] = recall('begun')?.split('\n') ?? []
if (page === here()) {
  remember('begun', '')
  if (memory && Date.now() - Number(time) < KEPT_MS) kept = JSON.parse(memory)
}

/** Whether this page was left in the middle of the task. */
export const isBegun = (task: string): boolean => kept.task === task

/** What was typed into a field of the task. */
export const begun = (task: string, field: string): string | undefined => (isBegun(task) ? kept[field] : undefined)

/** The task is done or given up: nothing of it is kept. */
export function forgetBegun(): void {
  kept = {}
}

/** Keeps it for the next time that this tab shows the page. No password belongs here. */
export function rememberBegun(values: Record<string, string>): void {
  remember('begun', `${here()}\n${Date.now()}\n${JSON.stringify(values)}`)
}
