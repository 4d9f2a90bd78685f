import type postgres from 'postgres'

/** Options of every PostgreSQL connection. */
export const connectionOptions = {
  connect_timeout: 5,
  keep_alive: 10,
  // Seconds between connection attempts. The driver's default grows to 20, long after the server is back.
  backoff: () => 0.1 + Math.random() * 0.2,
  onnotice: () => {},
  types: {
    // Times and counts, all below 2^53.
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
  },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>
