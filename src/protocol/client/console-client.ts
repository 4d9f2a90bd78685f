/** The client id of the console, which the service registers itself. */
export const consoleClientId = 'latchkey-console'

/**
 * Whether the tokens of a client end with the session in which they were granted: those of the console, which is a part of
 * the service. Other applications learn of a sign-out by a logout token, and may act while nobody is signed in.
 */
export function endsWithSession(clientId: string): boolean {
  return clientId === consoleClientId
}
