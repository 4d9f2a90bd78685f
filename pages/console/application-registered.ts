import type { WithSecret } from './application-kinds.ts'

/** What was just registered, with its secret: in memory alone, until its page has taken it. */
let registered: WithSecret | undefined

export function keepRegistered(made: WithSecret): void {
  registered = made
}

/** Returns it once, to the page of this application. */
export function takeRegistered(id: string): WithSecret | undefined {
  const made = registered?.client_id === id ? registered : undefined
  registered = undefined
  return made
}
