/**
 * Columns that a company added to `AspNetUsers`. Its own code decides by them, so that the operator says what they mean. A first look
 * at the table finds the usual value of each, and what makes the whole table unreadable.
 */
import { personFields } from '../person-fields.ts'
import { normalizeName } from '../users/user.ts'
import { type SourceRecord, UnreadableSource } from './source.ts'
import { commonForm, identityShapes } from './table-shapes.ts'
import type { TableRow, Tables } from './tables.ts'

export type ColumnOptions = {
  /** A column, and its value for people who could not sign in there. */
  readonly disabledIf?: readonly (readonly [column: string, value: string])[]
  /** A column, and the claim that it is here. */
  readonly claimColumns?: readonly (readonly [column: string, claim: string])[]
}

export type AspNetColumns = {
  /** How many ids are UUIDs in capitals. */
  readonly capitals: number
  /** Returns the user name of somebody else which is this person's address; undefined: there is none. */
  namedLike(row: TableRow): string | undefined
  /** Returns what the columns of a row mean, for the table of the members of people. */
  of(row: TableRow): { readonly isDisabled: boolean; readonly claimColumns: Readonly<Record<string, string>> }
  /** Returns the record without the losses of columns in which the person has the usual value. */
  withoutUsual(record: SourceRecord, row: TableRow): SourceRecord
}

/** Values of a column that are counted. One with more has no usual value but none. */
const valuesAtMost = 100

/** Rows that are looked at for ciphertext. */
const ciphertextIn = 5

/** Throws `UnreadableSource` for ciphertext, and for a column that is named and not there. */
export async function aspNetColumns(tables: Tables, options: ColumnOptions): Promise<AspNetColumns> {
  const shape = identityShapes.AspNetUsers
  const known = new Set([...(shape?.columns ?? []), ...(shape?.others ?? [])])
  const own = tables.columns('AspNetUsers').filter((name) => !known.has(name))
  const disabledIf = (options.disabledIf ?? []).map(([name, value]) => [columnIn(tables, name), value] as const)
  const claims = (options.claimColumns ?? []).map(([name, claim]) => [columnIn(tables, name), claim] as const)
  const unknown = claims.find(([, claim]) => !Object.hasOwn(personFields, claim))
  if (unknown !== undefined) throw new UnreadableSource(`--claim: ${unknown[1]} is no claim of people.`)
  const said = new Set([...disabledIf, ...claims].map(([column]) => column))
  const counted = new Map(own.map((name) => [name, new Map<string | null, number>()]))
  const names = new Map<string, string>()
  let capitals = 0
  let rows = 0
  let ciphertexts = 0
  for await (const read of tables.rows('AspNetUsers')) {
    if ('fault' in read) continue
    const { row } = read
    rows += 1
    if (rows <= ciphertextIn && isCiphertext(row.UserName)) ciphertexts += 1
    if (/^[0-9A-F-]{36}$/.test(row.Id ?? '') && /[A-F]/.test(row.Id ?? '')) capitals += 1
    // No address is without the sign.
    if (row.UserName?.includes('@')) names.set(normalizeName(row.UserName.trim()), row.UserName)
    for (const [name, values] of counted) {
      const value = row[name] ?? null
      if (values.size <= valuesAtMost) values.set(value, (values.get(value) ?? 0) + 1)
    }
  }
  if (rows > 0 && ciphertexts === Math.min(rows, ciphertextIn)) {
    throw new UnreadableSource(
      'UserName in AspNetUsers is ciphertext (ProtectPersonalData), and so are Email, PhoneNumber and the values of AspNetUserTokens. Let the old service write them in plain text: with ProtectPersonalData off, and each person stored again.',
    )
  }
  const usual = new Map([...counted].map(([name, values]) => [name, usualOf(values, rows)]))
  return {
    capitals,
    namedLike({ UserName, Email }) {
      const named = Email ? names.get(normalizeName(Email)) : undefined
      return named === UserName ? undefined : named
    },
    of: (row) => ({
      isDisabled: disabledIf.some(([column, value]) => isSame(row[column], value)),
      claimColumns: Object.fromEntries(
        claims.flatMap(([column, claim]) => (row[column] ? [[claim, String(row[column])]] : [])),
      ),
    }),
    withoutUsual(record, row) {
      if (!('person' in record)) return record
      const isUsual = (member: string) =>
        said.has(member) || (usual.has(member) && row[member] !== null && usual.get(member) === row[member])
      const { lost = [] } = record
      // A value that a declared attribute does not take is told whatever it is.
      const undeclared = lost.filter(({ command, member }) => said.has(member) || command !== undefined)
      const usualOnes = new Set(undeclared.map(({ member }) => member).filter(isUsual))
      return {
        ...record,
        notKept: (record.notKept ?? []).filter((member) => !usualOnes.has(member)),
        lost: lost.filter(({ member }) => !usualOnes.has(member)),
      }
    },
  }
}

function columnIn(tables: Tables, name: string): string {
  const all = tables.columns('AspNetUsers')
  const found = all.find((one) => one === name) ?? all.find((one) => commonForm(one) === commonForm(name))
  if (found === undefined) throw new UnreadableSource(`AspNetUsers has no column ${name}. It has ${all.join(', ')}.`)
  return found
}

/** Returns the value of more than half of the people; none where there is no such. */
function usualOf(values: ReadonlyMap<string | null, number>, rows: number): string | null {
  const found = [...values].find(([, people]) => people * 2 > rows)
  return found?.[0] ?? null
}

/** Databases write booleans in several ways. */
function isSame(value: string | null | undefined, meant: string): boolean {
  return truth(value ?? '') === truth(meant)
}

function truth(text: string): string {
  if (/^(?:true|t|1)$/i.test(text)) return 'true'
  return /^(?:false|f|0)$/i.test(text) ? 'false' : text
}

/** `KEYID:Base64`, as `IPersonalDataProtector` writes it. */
function isCiphertext(text: string | null | undefined): boolean {
  const match = /^[^:\s]+:([A-Za-z0-9+/]{24,}={0,2})$/.exec(text ?? '')
  return match !== null && (match[1]?.length ?? 0) % 4 === 0
}
