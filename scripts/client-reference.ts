/** Makes the table of a client's members in `docs/clients.md`; the rest of the page is written by hand. */
import { type About, metadataTable, recordTable } from '../src/protocol/client/member-table.ts'
import { withTable } from './generated-table.ts'

/** Returns `docs/clients.md` with its table as the sources say. */
export function clientReference(): Promise<string> {
  // The record says how `token_endpoint_auth_method` is set.
  const entries = Object.entries({ ...recordTable, ...metadataTable, ...recordTable })
  const rows = entries.flatMap(([member, entry]) =>
    'about' in entry ? [row(member, entry, 'default' in entry ? entry.default : undefined)] : [],
  )
  return withTable('docs/clients.md', ['Member', 'Value', 'Default'], rows, 'src/protocol/client/member-table.ts')
}

function row(member: string, { about, unset, localized }: About, byDefault: unknown): string[] {
  const inLanguages = localized === undefined ? '' : `; also by language, \`${member}#de\``
  return [`\`${member}\``, `${about}${inLanguages}`, unset ?? inWords(byDefault)]
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => `\`${one}\``).join(', ')
  return value === null ? 'none' : `\`${value}\``
}
