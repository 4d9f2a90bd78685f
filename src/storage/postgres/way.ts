/** Whether statements reach PostgreSQL itself, or a pooler. */
import type postgres from 'postgres'

/**
 * Rejects if a pooler keeps no prepared statements. A connection to the server itself needs no trial: a pooler tells its clients
 * another process of their session, because it has no session for them when they connect. `ask`: as in the engine.
 */
export async function checkWay(
  ask: (work: (sql: postgres.Sql) => Promise<boolean>) => Promise<boolean>,
  url: string,
): Promise<void> {
  const isDirect = async (sql: postgres.Sql) => {
    // Not prepared, so that nothing is left in the session of a pooler.
    const found = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
    return found[0]?.pid === found.state.pid
  }
  if (await ask(isDirect).catch(() => false)) return
  await (await import('./pooler.ts')).requireStatements(url)
}
