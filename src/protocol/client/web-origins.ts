/** Origins whose scripts may read answers to a client's requests (CORS). */
import type { Client } from './client.ts'
import type { MemberRule } from './member-kinds.ts'

/** Stands for the origins of the client's redirect addresses. */
const ofRedirects = '+'

/** An origin as browsers send it (Fetch §3.2), or `+`. */
export const webOrigin: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    given === ofRedirects || (typeof given === 'string' && isOrigin(given))
      ? { value: given }
      : { fault: 'must be an origin such as https://app.example.com, without a path or a slash at its end, or +' },
}

/** Other schemes have no origin that a server could tell from another (`null`), and `*` would be everybody. */
function isOrigin(text: string): boolean {
  if (text.length > 300 || !/^https?:\/\/[^*]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}

/** Returns the client with the origins that its `web_origins` and redirect addresses come to. */
export function withAllowedOrigins(client: Client): Client {
  const { web_origins: listed, allowed_origins: before } = client.metadata
  const origins = new Set(listed.flatMap((one) => (one === ofRedirects ? originsIn(client.redirectUris) : [one])))
  const now = [...origins]
  if (JSON.stringify(now) === JSON.stringify(before)) return client
  return { ...client, metadata: { ...client.metadata, allowed_origins: now } }
}

const originsIn = (uris: readonly string[]): string[] =>
  uris.filter((uri) => /^https?:/i.test(uri)).map((uri) => new URL(uri).origin)
