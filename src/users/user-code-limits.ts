/** How many wrong user codes of devices (RFC 8628 §5.1) an address and a person may try, over all processes. */
import { limitKey, type MailLimit } from './mail-limits.ts'

/** How long a wrong code counts. */
export const wrongCodeMs = 60_000
const wrongCodes = 10

/** `networks`: those of the address, each with its share of one address's number. */
export function userCodeLimits(
  networks: readonly { readonly key: string; readonly share: number }[],
  userId: string,
): MailLimit[] {
  const limit = (kind: string, whose: string, share: number) => ({
    key: limitKey(kind, whose),
    places: wrongCodes * share,
    lastsMs: wrongCodeMs,
  })
  return [...networks.map(({ key, share }) => limit('user-code-from', key, share)), limit('user-code-of', userId, 1)]
}
