/** A workplace with files to import. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ImportFinding } from '../../src/storage/port/imports.ts'
import { type Workplace, workplace } from './run.ts'

export type Result = {
  readonly [count in 'read' | 'created' | 'updated' | 'skipped' | 'failed']: number
} & {
  readonly rows: readonly { readonly line: number; readonly reason: string }[]
  readonly findings: readonly ImportFinding[]
  /** Why nothing was deleted; absent: nothing is gone, or it was. */
  readonly barred?: readonly string[]
}

export function placeWith(t: TestContext, files: Readonly<Record<string, string>>): Workplace {
  const at = workplace(t)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at.folder, name)), { recursive: true })
    writeFileSync(join(at.folder, name), text)
  }
  return at
}

/** Runs with `--json` and returns the result, whether or not rows failed. */
export async function result(at: Workplace, line: string): Promise<Result> {
  const { code, stdout, stderr } = await at.run(`import ${line} --json`)
  assert.notEqual(stdout, '', stderr)
  const found = JSON.parse(stdout) as Result
  const isBarred = line.includes('--yes') && found.barred !== undefined
  assert.equal(code, found.failed > 0 || isBarred ? 1 : 0, stderr)
  return found
}
export const countsOf = ({ read, created, updated, skipped, failed }: Result) => [
  read,
  created,
  updated,
  skipped,
  failed,
]
export const find = (at: Workplace, name: string) =>
  at.withStorage(async ({ users }) => (await users.findByName(name)) ?? assert.fail(`there is no ${name}`))

/** JSON lines. */
export const lines = (...records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
