/** The kinds of settings about requests that the service sends. */
import { isIP } from 'node:net'
import { isWithinNeverReached, neverReached } from '../protocol/special-addresses.ts'
import { Fault, type Kind } from './kinds.ts'
import { isNetwork, listOf } from './list-kinds.ts'

const forms =
  'must be networks such as 10.0.0.0/8 or fd00::/8, and host names such as app.internal or *.svc.cluster.local'

/** Networks, single addresses, host names and `*.` with a domain, in lower case. */
export const reachable: Kind<readonly string[]> = {
  type: 'list of networks and host names',
  list: true,
  read(raw) {
    const found = new Set<string>()
    for (const item of listOf(raw)) {
      const entry = typeof item === 'string' ? item.toLowerCase() : ''
      const isAddress = isNetwork(entry) && !entry.includes('%')
      if (!isAddress && !isNameOrDomain(entry)) return new Fault(forms)
      if (isAddress && isWithinNeverReached(entry)) {
        return new Fault(
          `must be without link-local and metadata addresses (${neverReached.join(', ')}), which are never reached: ${entry} is one`,
        )
      }
      found.add(entry)
    }
    return [...found]
  },
}

/** Not what looks like an address and is none, such as `10.1`: a typing error would become a name that nobody has. */
function isNameOrDomain(entry: string): boolean {
  const name = entry.replace(/^\*\./, '')
  return (
    name.length <= 253 &&
    isIP(name) === 0 &&
    name.split('.').every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^(?:\d+|0x[\da-f]*)$/.test(name.split('.').at(-1) ?? '')
  )
}
