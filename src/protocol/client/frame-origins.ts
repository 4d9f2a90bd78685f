/** Which origins may ask in a frame about the session of people who are signed in at a client. */
import type { Client } from './client.ts'

/** Returns those of its redirect addresses that are web pages. */
export function frameOriginsOf({ redirectUris }: Pick<Client, 'redirectUris'>): readonly string[] {
  const pages = redirectUris.filter((uri) => /^https?:/i.test(uri) && URL.canParse(uri))
  return [...new Set(pages.map((uri) => new URL(uri).origin))].filter(isFrameOrigin)
}

/** Whether a policy can name the origin. A host may contain a semicolon, which would begin another directive. */
function isFrameOrigin(origin: string): boolean {
  return /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/.test(origin)
}
