/** A browser and its system, as people call them. The account area and the console say them alike. */
import type { Message } from '#messages'
import { fill } from './texts.ts'

/** As the service recognised them (`src/users/user-agent.ts`); null: it did not. */
export type Agent = { readonly browser: string | null; readonly system: string | null }

type Words = { browserOn: string | Message<'browser' | 'system'>; unknownBrowser: string }

/** “Firefox on Windows”; what is known of it; or that it is unknown. */
export function agentInWords({ browser, system }: Agent, { browserOn, unknownBrowser }: Words): string {
  if (browser && system) return fill(browserOn, { browser, system })
  return browser ?? system ?? unknownBrowser
}
