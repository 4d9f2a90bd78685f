/** People of ASP.NET Core Identity: their tables, read together. */
import type { ImportFinding } from '../storage/port/imports.ts'
import type { Leniency } from '../users/imported-person.ts'
import { aspNetColumns, type ColumnOptions } from './aspnet-columns.ts'
import { personTables } from './person-tables.ts'
import { type Reader, type ReaderOptions, type SourceRecord, UnreadableSource } from './source.ts'
import { personReader } from './source-table.ts'
import { identityShapes } from './table-shapes.ts'
import { faultIn, keyForm, openTables, type Tables } from './tables.ts'

/** Held in memory. */
const rolesAtMost = 100_000

export const readAspNetIdentity: Reader = async function* (places, options) {
  for (const place of places) {
    const tables = await openTables(place, identityShapes, options)
    try {
      yield* peopleOf(tables, place, options)
    } finally {
      tables.close()
    }
  }
}

const tablesOfPeople = [
  ...['AspNetUserRoles', 'AspNetUserLogins', 'AspNetUserTokens', 'AspNetUserClaims', 'AspNetUserPasskeys'],
]

async function* peopleOf(tables: Tables, place: string, options: ReaderOptions): AsyncGenerator<SourceRecord> {
  const columns = await aspNetColumns(tables, options satisfies ColumnOptions)
  if (tables.warning !== undefined) yield noted('realm', place, 'journal_mode', 'risk', tables.warning)
  if (columns.capitals > 0) {
    const reason = `${columns.capitals} ids of AspNetUsers are UUIDs in capitals, and come in small letters, as the old service wrote them into sub.`
    yield noted('realm', place, 'AspNetUsers.Id', 'changed', reason)
  }
  const person = personReader(personTables['aspnet-identity'], options.attributes)
  const roleNames = new Map<string, string>()
  for await (const read of tables.rows('AspNetRoles')) {
    if ('fault' in read) yield faultIn('AspNetRoles', read)
    else if (read.row.Id && read.row.Name) roleNames.set(keyForm(read.row.Id), read.row.Name)
    if (roleNames.size > rolesAtMost) throw new UnreadableSource(`There are more than ${rolesAtMost} roles.`)
  }
  for (const table of tablesOfPeople) yield* tables.index(table, 'UserId')
  yield* rolesAlone(tables, roleNames)
  yield* claimsOfRoles(tables, roleNames)
  for await (const read of tables.rows('AspNetUsers')) {
    if ('fault' in read) {
      yield { ...read, place: { table: 'AspNetUsers' } }
      continue
    }
    const { line, row } = read
    const id = keyForm(row.Id ?? '')
    const own = tablesOfPeople.map((table) => [table, tables.find(table, id)] as const)
    const more = {
      ...Object.fromEntries(own),
      AspNetRoles: roleNames,
      passkeyFacts: options.passkeys,
      ...columns.of(row),
    }
    const record = person(line, { ...row, Id: row.Id === null ? null : id, ...more })
    const key = row.UserName ?? row.Id ?? ''
    const shared = sharing(key, row.Email, columns.namedLike(row))
    const findings = [...(record.findings ?? []), ...shared]
    const leniency: Leniency = { keepsName: true, ...(shared.length > 0 && { sharesEmail: true as const }) }
    yield { ...columns.withoutUsual(record, row), place: { table: 'AspNetUsers', key }, findings, leniency }
  }
}

/** An address that is somebody else's user name finds nobody: whoever types it means the name. */
function sharing(name: string, email: string | null | undefined, other: string | undefined): ImportFinding[] {
  if (other === undefined) return []
  const reason = `The e-mail address of ${name} (${email}) is the user name of ${other}: it is unconfirmed, and nobody is found by it until ${name} proves it.`
  return [{ kind: 'person', source: name, member: 'Email', severity: 'changed', reason }]
}

/** Names roles that nobody has: a role exists here by being given, or by being described. */
async function* rolesAlone(tables: Tables, names: ReadonlyMap<string, string>): AsyncGenerator<SourceRecord> {
  const given = new Set<string>()
  for await (const read of tables.rows('AspNetUserRoles')) {
    if ('row' in read && read.row.RoleId) given.add(keyForm(read.row.RoleId))
  }
  for (const [id, name] of names) {
    if (given.has(id)) continue
    const reason = `Nobody has the role ${name}, so it does not come. It exists here once somebody has it, or it is described.`
    yield noted('role', name, '', 'lost', reason, { table: 'AspNetRoles', key: name })
  }
}

/** Claims that everybody with a role had in access tokens, counted by role and type. */
async function* claimsOfRoles(tables: Tables, names: ReadonlyMap<string, string>): AsyncGenerator<SourceRecord> {
  const counted = new Map<string, { role: string; type: string; values: number }>()
  for await (const read of tables.rows('AspNetRoleClaims')) {
    if ('fault' in read) {
      yield faultIn('AspNetRoleClaims', read)
      continue
    }
    const role = names.get(keyForm(read.row.RoleId ?? '')) ?? read.row.RoleId ?? ''
    const type = read.row.ClaimType ?? ''
    const key = JSON.stringify([role, type])
    counted.set(key, { role, type, values: (counted.get(key)?.values ?? 0) + 1 })
  }
  for (const { role, type, values } of counted.values()) {
    const many = values === 1 ? '1 row' : `${values} rows`
    const reason = `Everybody with the role ${role} had the claim ${type} of AspNetRoleClaims (${many}) in access tokens. It does not come: an API that checks it refuses everybody until it checks the role, or a rule puts the claim into tokens.`
    yield noted('role', role, `AspNetRoleClaims.${type}`, 'lost', reason, { table: 'AspNetRoleClaims', key: role })
  }
}

function noted(
  kind: ImportFinding['kind'],
  source: string,
  member: string,
  severity: ImportFinding['severity'],
  reason: string,
  place?: SourceRecord['place'],
): SourceRecord {
  const finding = { kind, source, member, severity, reason }
  return { line: 0, noted: true, ...(place && { place }), findings: [finding] }
}
