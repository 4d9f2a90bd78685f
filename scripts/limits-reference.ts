/** Generates the page of limits from its tables and the constants of the sources. */
import type { Row } from './limits/constants.ts'
import { doors } from './limits/doors.ts'
import { cookies, lifetimes } from './limits/lifetimes.ts'
import { record } from './limits/record.ts'
import { connections, request } from './limits/request.ts'
import { work } from './limits/work.ts'

export function limitsReference(): string {
  return `# Limits

Generated from \`scripts/limits/\`, which reads the constants of the sources; change them there.

Some limits are [settings](settings.md); the others are constants. *Address* means an IPv4 address or a /64 of IPv6. *Network* means the
same, and of IPv6 also the /56 with four times and the /48 with sixteen times the number. Limits marked † count in each process.

## A request

${table(['What', 'Limit', 'Answer beyond it'], request)}

## Connections

Times are accurate to a second.

${table(['What', 'Limit', 'Beyond it'], connections)}

Each connection takes a file descriptor: allow a few hundred more (\`LimitNOFILE\`, \`ulimit -n\`).

## A record

${table(['What', 'Limit'], record)}

## What strangers can write

Every endpoint through which strangers, clients that registered themselves, and people with an account can change what is stored.
Unless a row says otherwise, the bounds count in each process, by network, and survive a reload; beyond them the answer is 429
with \`Retry-After\`, and at most a counted note in the audit trail. [The test](../test/attacks/doors.test.ts) fails for an endpoint
without a row here.

${table(['Door', 'Writes', 'Rows and bytes', 'Until', 'Test'], doors)}

## Lifetimes

${table(['What', 'Seconds', 'Setting'], lifetimes)}

## Cookies

All cookies except \`latchkey.language\` and those written by pages have \`Path=/\`, \`HttpOnly\` and no \`Domain\`; with https also
\`Secure\` and the prefix \`__Host-\`. [The test](../test/http/cookies.long.test.ts) fails for a cookie of the service that is not in this
list.

${table(['Cookie', 'SameSite', 'Lives', 'At most'], cookies)}

## Work

${table(['What', 'Limit', 'Beyond it'], work)}
`
}

function table(headings: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => {
    if (cells.length !== headings.length) throw new Error(`a row of ${cells.length} cells: ${cells[0]}`)
    return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  }
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}
