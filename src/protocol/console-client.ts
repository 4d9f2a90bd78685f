/** The client id of the console, which the service registers itself. */
export const consoleClientId = 'latchkey-console'
