/** Makes `docs/client-members.md`: the members of a client. */
import { type About, metadataTable, recordTable } from '../src/protocol/client/member-table.ts'

export function clientReference(): string {
  // The record says how `token_endpoint_auth_method` is set.
  const entries = Object.entries({ ...recordTable, ...metadataTable, ...recordTable })
  const rows = entries.flatMap(([member, entry]) =>
    'about' in entry ? [row(member, entry, 'default' in entry ? entry.default : undefined)] : [],
  )
  return [
    '# Members of a client',
    '',
    'Generated from `src/protocol/client/member-table.ts`; change it there. [Clients](clients.md#members) says how they are set, and which',
    'addresses and algorithms they take.',
    '',
    '| Member | Value | Default |',
    '|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
}

function row(member: string, { about, unset, localized }: About, byDefault: unknown): string[] {
  const inLanguages = localized === undefined ? '' : `; also by language, \`${member}#de\``
  return [`\`${member}\``, `${about}${inLanguages}`, unset ?? inWords(byDefault)]
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => `\`${one}\``).join(', ')
  return value === null ? 'none' : `\`${value}\``
}
