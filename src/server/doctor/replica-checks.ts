/** Checks the replicas: a promoted replica must have every acknowledged commit. */

import { type Finding, failed, ok, warning } from '../../finding.ts'
import type { Replication } from '../../storage/postgres/replicas.ts'

const standbyAdvice =
  'Name the replicas that may be promoted in synchronous_standby_names and leave synchronous_commit at on, or promote none of them.'
const patroniAdvice =
  'Set synchronous_mode and synchronous_mode_strict (patronictl edit-config). With synchronous_mode alone, commits wait for no replica while none is attached.'

const alone =
  'PostgreSQL runs under Patroni without a replica, and no commit waits for one: what is acknowledged is on one machine.'

/** Checks whether commits hang. Returns nothing if none waits for a replica. */
export function checkWaiting({ synchronousNames, replicas, waiting }: Replication): Finding[] {
  if (waiting === 0) return []
  const names = replicas.map(({ name }) => name).join(', ')
  const who = replicas.length === 0 ? 'none is attached' : `those that are attached (${names}) do not confirm them`
  const message = `PostgreSQL can be read, and confirms no commits: they wait for a synchronous replica (synchronous_standby_names is ${synchronousNames}), and ${who}.`
  return [failed('database', message, 'Start a replica that is named there. The service then goes on by itself.')]
}

export function checkReplication({ synchronousCommit, synchronousNames, replicas, isPatroni }: Replication): Finding[] {
  if (synchronousCommit === 'off') {
    const message =
      'PostgreSQL confirms a commit before it is on the disk (synchronous_commit is off): what was acknowledged may be lost.'
    return [warning('database', message, 'Set synchronous_commit to on for this database.')]
  }
  if (replicas.length === 0) {
    const isAlone = isPatroni && synchronousNames === ''
    return isAlone ? [warning('database', alone, 'Start its replicas (patronictl list).')] : []
  }
  const named = (list: Replication['replicas']): string => list.map(({ name }) => name).join(', ')
  const attached = `Replicas are attached to PostgreSQL (${named(replicas)})`
  const lost = 'what was acknowledged may be missing in one that is promoted.'
  if (synchronousNames === '') {
    const advice = isPatroni ? patroniAdvice : standbyAdvice
    return [warning('database', `${attached}, but no commit waits for them: ${lost}`, advice)]
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
  if (isPatroni && behind.length < replicas.length) {
    return [ok('database', `${attached}. Commits wait for a synchronous one, and Patroni promotes no other.`)]
  }
  if (behind.length === 0) return [ok('database', `${attached}, and commits wait for a synchronous one.`)]
  return [warning('database', `Commits do not wait for the replicas ${named(behind)}: ${lost}`, standbyAdvice)]
}
