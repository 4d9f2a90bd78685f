/** Checks the replicas: a promoted replica must have every acknowledged commit. */
import type { Replication } from '../storage/postgres/replicas.ts'
import { type Finding, ok, warning } from './checks.ts'

const standbyAdvice =
  'Name the replicas that may be promoted in synchronous_standby_names and leave synchronous_commit at on, or promote none of them.'

export function checkReplication({ synchronousCommit, synchronousNames, replicas }: Replication): Finding[] {
  if (synchronousCommit === 'off') {
    const message =
      'PostgreSQL confirms a commit before it is on the disk (synchronous_commit is off): what was acknowledged may be lost.'
    return [warning('database', message, 'Set synchronous_commit to on for this database.')]
  }
  if (replicas.length === 0) return []
  const named = (list: Replication['replicas']): string => list.map(({ name }) => name).join(', ')
  const attached = `Replicas are attached to PostgreSQL (${named(replicas)})`
  const lost = 'what was acknowledged may be missing in one that is promoted.'
  if (synchronousNames === '') {
    return [warning('database', `${attached}, but no commit waits for them: ${lost}`, standbyAdvice)]
  }
  if (synchronousCommit === 'local') {
    return [
      warning(
        'database',
        `${attached}, but commits do not wait for them (synchronous_commit is local): ${lost}`,
        standbyAdvice,
      ),
    ]
  }
  const behind = replicas.filter(({ state }) => state === 'async')
  if (behind.length === 0) return [ok('database', `${attached}, and commits wait for a synchronous one.`)]
  return [warning('database', `Commits do not wait for the replicas ${named(behind)}: ${lost}`, standbyAdvice)]
}
