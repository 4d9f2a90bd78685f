/** Which origins may have a frame of the service, to ask about the session of people who are signed in at a client. */

/** Returns those of a client's `web_origins` that a policy can name. A host may contain a semicolon, which would begin another directive. */
export function framableBy(origins: readonly string[]): readonly string[] {
  return origins.filter((origin) => /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/.test(origin))
}
