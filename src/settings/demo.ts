/** The names of what `--demo` adds. */
export const demo = {
  clientId: 'demo',
  scope: 'demo_api',
  userName: 'alice',
  password: 'Passw0rd!',
  /** The origin of the demo client. */
  origin: 'http://localhost:5081',
} as const
