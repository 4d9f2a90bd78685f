/** What every PostgreSQL connection has in common, and which of its parameters a pooler lets through. */
import postgres from 'postgres'
import { openSocket } from './socket.ts'

/** The type of the driver's options lacks it. */
const sockets = { socket: openSocket }

/** Options of every PostgreSQL connection. */
export const connectionOptions = {
  connect_timeout: 5,
  keep_alive: 10,
  // Seconds between connection attempts. The driver's default grows to 20, long after the server is back.
  backoff: () => 0.1 + Math.random() * 0.2,
  onnotice: () => {},
  ...sockets,
  types: {
    // Times and counts, all below 2^53.
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
  },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

/**
 * Options of a connection for rare work. It works through every pooler: it has no prepared statements and sets nothing
 * for its session but the name. What else it needs is set within its transactions.
 */
export const rareConnectionOptions = {
  ...connectionOptions,
  max: 1,
  prepare: false,
  connection: { application_name: 'latchkey' },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

/**
 * Options of a connection for requests. Without prepared statements the session belongs to a pooler that shares it:
 * its parameters are left out, because the pooler refuses them, or drops them.
 */
export function sessionOptions(preparedStatements: boolean, parameters: Readonly<Record<string, number>>) {
  return {
    ...connectionOptions,
    prepare: preparedStatements,
    connection: { application_name: 'latchkey', ...(preparedStatements && parameters) },
  } satisfies postgres.Options<Record<string, postgres.PostgresType>>
}

/**
 * Turns off the driver's own repetition of a prepared statement that the server does not know, which the driver
 * recognises by this field. It sends the statement again behind others on the connection, and takes the answers to
 * those for its own: a request would be given the row of another.
 */
Object.defineProperty(postgres.PostgresError.prototype, 'routine', { get: () => undefined, set: () => {} })
