/** The origins that a client's `web_origins` come to. */
import type { Client } from './client.ts'
import { ofRedirects } from './web-origins.ts'

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
