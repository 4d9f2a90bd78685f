/**
 * How long it takes to move in: writes people as other systems export them, and times each step of the night with the commands that an
 * operator gives.
 *
 *   node bench/moving-in.ts [--people N] [--only LIST] [--postgres] [--json]    default 100,000 people, all sources, on SQLite
 *   node bench/moving-in.ts --write FOLDER [--people N] [--only LIST]           only writes the files, for a rehearsal of one's own
 */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startDurablePostgres } from './database.ts'
import { type Source, sourceNames, writeSource } from './moving-in-sources.ts'
import { table, whole } from './report.ts'
import { checkout, cleanUp, cleanUpAtOnce, databaseSettings, newFolder } from './servers.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    only: { type: 'string', default: sourceNames.join(',') },
    postgres: { type: 'boolean', default: false },
    write: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

type Step = { readonly source: Source; readonly step: string; readonly seconds: number; readonly megabytes: number }

const people = Number(values.people)
const chosen = sourceNames.filter((name) => values.only.split(',').includes(name))
const note = (line: string) => process.stderr.write(`${line}\n`)

/** Runs a command of the program as it is installed. Throws with what it said unless it ends with one of `codes`. */
async function latchkey(folder: string, env: NodeJS.ProcessEnv, ...command: readonly string[]): Promise<number> {
  const begunAt = performance.now()
  await promisify(execFile)(join(checkout, 'bin', 'latchkey'), command, {
    cwd: folder,
    env: { ...process.env, ...env, LATCHKEY_BUILT: '1' },
    maxBuffer: 64 * 2 ** 20,
  })
  return (performance.now() - begunAt) / 1000
}

async function measure(source: Source, address: string | undefined): Promise<Step[]> {
  const folder = newFolder()
  const env = databaseSettings(folder, address)
  note(`${source}: writing ${whole(people)} people …`)
  const { paths, parameters } = await writeSource(source, folder, people)
  const size = (files: readonly string[]) => files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
  const command = ['import', source, ...parameters, '--wrap', 'never']
  await latchkey(folder, env, 'db', 'migrate')
  const leaving = source === 'keycloak' ? ['keycloak', join(folder, 'back.json'), '--realm', 'acme'] : []
  const back = leaving.length > 0 ? leaving : ['users', join(folder, 'back.jsonl')]
  const steps: Step[] = []
  for (const [step, ...words] of [
    ['dry run', ...command, '--dry-run'],
    ['import', ...command, '--report', join(folder, 'report.html')],
    ['again, changing nothing', ...command, '--on-conflict', 'update'],
    [`back (export ${back[0]})`, 'export', ...back],
  ] as const) {
    note(`${source}: ${step} …`)
    const seconds = await latchkey(folder, env, ...words)
    note(`  ${seconds.toFixed(1)} s`)
    steps.push({ source, step, seconds, megabytes: size(step.startsWith('back') ? [String(back[1])] : paths) })
  }
  return steps
}

const text = (steps: readonly Step[]): string =>
  table(
    ['source', 'step', 'file', 'seconds', 'people a second'],
    steps.map(({ source, step, megabytes, seconds }) => [
      source,
      step,
      `${whole(megabytes)} MB`,
      seconds.toFixed(1),
      whole(people / seconds),
    ]),
  )

if (!Number.isInteger(people) || people < 1) throw new Error('--people takes a number')
if (chosen.length === 0) throw new Error(`--only takes some of ${sourceNames.join(', ')}`)

if (values.write !== undefined) {
  for (const source of chosen) {
    const { paths } = await writeSource(source, values.write, people)
    note(`${source}: ${paths.join(', ')}`)
  }
} else {
  process.on('exit', cleanUpAtOnce)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const database = values.postgres ? await startDurablePostgres() : undefined
  try {
    const steps: Step[] = []
    for (const source of chosen) steps.push(...(await measure(source, await database?.createDatabase())))
    const title = `${whole(people)} people on ${database ? `PostgreSQL ${database.version}` : 'SQLite'}`
    process.stdout.write(values.json ? `${JSON.stringify(steps)}\n` : `${title}\n${text(steps)}\n`)
  } finally {
    await cleanUp()
    await database?.stop()
  }
}
