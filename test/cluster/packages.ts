/** The programs that the tests of a cluster need beyond this project's packages, and the Debian packages that bring them. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type Programs = {
  readonly patroni: string
  readonly etcd: string
  readonly haproxy: string
  readonly pgbouncer: string
  /** The folder with `postgres`, `initdb`, `pg_basebackup`, `pg_rewind` and `psql`. */
  readonly postgres: string
}

export type Found = {
  /** Undefined if anything is missing. */
  readonly programs: Programs | undefined
  /** Debian packages, sorted. */
  readonly missing: readonly string[]
}

/** Debian keeps servers' programs where the `PATH` of an account need not lead. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/sbin', '/bin']

let found: Found | undefined

export function findPrograms(): Found {
  found ??= search()
  return found
}

/** Names the missing packages and the command that installs them; undefined if nothing is missing. */
export function missingLine({ missing }: Found = findPrograms()): string | undefined {
  if (missing.length === 0) return undefined
  return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. On Debian: apt-get install --no-install-recommends ${missing.join(' ')}`
}

function search(): Found {
  const missing: string[] = []
  const need = (path: string | undefined, debian: string): string => {
    if (path === undefined) missing.push(debian)
    return path ?? ''
  }
  const programs = {
    patroni: need(onPath('patroni'), 'patroni'),
    etcd: need(onPath('etcd'), 'etcd-server'),
    haproxy: need(onPath('haproxy'), 'haproxy'),
    pgbouncer: need(onPath('pgbouncer'), 'pgbouncer'),
    postgres: need(postgresFolder(), 'postgresql'),
  }
  need(onPath('openssl'), 'openssl')
  // Of Patroni's package these are only suggestions.
  if (programs.patroni !== '') {
    const interpreter = /^#!\s*(\S+)/.exec(readFileSync(programs.patroni, 'utf8'))?.[1] ?? 'python3'
    for (const [module, debian] of [
      ['etcd', 'python3-etcd'],
      ['psycopg2', 'python3-psycopg2'],
    ] as const) {
      if (spawnSync(interpreter, ['-c', `import ${module}`], { stdio: 'ignore' }).status !== 0) missing.push(debian)
    }
  }
  return { programs: missing.length === 0 ? programs : undefined, missing: missing.toSorted() }
}

const onPath = (program: string): string | undefined => folders.map((folder) => join(folder, program)).find(isProgram)

/** That of the newest version which has everything. */
function postgresFolder(): string | undefined {
  const versions = '/usr/lib/postgresql'
  return listOf(versions)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, 'bin'))
    .concat(folders)
    .find((folder) =>
      ['postgres', 'initdb', 'pg_basebackup', 'pg_rewind', 'pg_controldata', 'psql'].every((program) =>
        isProgram(join(folder, program)),
      ),
    )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
