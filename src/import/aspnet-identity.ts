/** The tables of ASP.NET Core Identity. */
import { isStrongCode } from '../users/imported-person.ts'
import { claimsFrom, judgeClaims, namesRead, unread, withVerifiedNumber } from './claims.ts'
import { present, type Reader, type SourceRecord, UnreadableSource } from './source.ts'
import { faultIn, openTables, type TableRow, type Tables } from './tables.ts'

export const readAspNetIdentity: Reader = async function* (places) {
  for (const place of places) {
    const tables = openTables(place, 'AspNetUsers')
    try {
      const roleNames = new Map<string, string>()
      for await (const read of tables.rows('AspNetRoles')) {
        if ('fault' in read) yield faultIn('AspNetRoles', read)
        else if (read.row.Id && read.row.Name) roleNames.set(read.row.Id, read.row.Name)
        if (roleNames.size > rolesAtMost) throw new UnreadableSource(`There are more than ${rolesAtMost} roles.`)
      }
      for (const table of ['AspNetUserRoles', 'AspNetUserLogins', 'AspNetUserTokens', 'AspNetUserClaims']) {
        yield* tables.index(table, 'UserId')
      }
      for await (const read of tables.rows('AspNetUsers')) {
        yield 'fault' in read ? read : toPerson(read.line, read.row, tables, roleNames)
      }
    } finally {
      tables.close()
    }
  }
}

/** Held in memory. */
const rolesAtMost = 100_000

const columnsRead = [
  ...['Id', 'UserName', 'Email', 'EmailConfirmed', 'PasswordHash', 'PhoneNumberConfirmed'],
  ...['TwoFactorEnabled', 'LockoutEnd', 'LockoutEnabled', ...namesRead('aspnet-identity')],
]
/** What a system notes for itself. */
const ownNotes = [
  ...['NormalizedUserName', 'NormalizedEmail', 'SecurityStamp', 'ConcurrencyStamp', 'AccessFailedCount'],
  'Discriminator',
]

function toPerson(line: number, row: TableRow, tables: Tables, roleNames: ReadonlyMap<string, string>): SourceRecord {
  const id = row.Id ?? ''
  const held = tables.find('AspNetUserRoles', id)
  const roles = held.flatMap(({ RoleId }) => roleNames.get(RoleId ?? '') ?? [])
  const logins = tables.find('AspNetUserLogins', id).map(({ LoginProvider, ProviderKey }) => ({
    provider: LoginProvider ?? '',
    subject: ProviderKey ?? '',
  }))
  const tokens = new Map(
    tables
      .find('AspNetUserTokens', id)
      .filter(({ LoginProvider }) => LoginProvider === '[AspNetUserStore]')
      .map(({ Name, Value }) => [Name, Value]),
  )
  // A key without it waits for its first code.
  const secret = isTrue(row.TwoFactorEnabled) ? (tokens.get('AuthenticatorKey') ?? undefined) : undefined
  const claimTypes = tables.find('AspNetUserClaims', id).map(({ ClaimType }) => `claim ${ClaimType}`)
  const number = judgeClaims(claimsFrom('aspnet-identity', row))
  const claims = withVerifiedNumber(number, isTrue(row.PhoneNumberConfirmed))
  const allCodes = (tokens.get('RecoveryCodes') ?? '').split(';').filter((code) => code !== '')
  // Earlier versions made codes of 32 bits.
  const codes = allCodes.filter(isStrongCode)
  return {
    line,
    person: present({
      id: row.Id,
      username: row.UserName,
      email: row.Email,
      email_verified: isTrue(row.EmailConfirmed),
      roles,
      ...lockOf(row),
      ...claims.usable,
      password_hash: row.PasswordHash ? `aspnet:${row.PasswordHash}` : undefined,
      totp_secret: secret,
      recovery_codes: secret !== undefined && codes.length > 0 ? codes : undefined,
      external_logins: logins,
    }),
    notKept: [
      ...claims.refused,
      ...unread(row, [...columnsRead, ...ownNotes]),
      // Codes by text message or mail: the person comes with the password alone.
      ...(isTrue(row.TwoFactorEnabled) && secret === undefined ? ['TwoFactorEnabled'] : []),
      ...(secret !== undefined && codes.length < allCodes.length ? ['RecoveryCodes'] : []),
      // A role without a name, or of which there is no row.
      ...(roles.length < held.length ? ['AspNetUserRoles'] : []),
      ...new Set(claimTypes),
    ],
  }
}

/** A lockout counts only where it is enabled. The last year of the calendar means for good. */
function lockOf({ LockoutEnd, LockoutEnabled }: TableRow): Record<string, unknown> {
  const end = LockoutEnd && isTrue(LockoutEnabled) ? timeOf(LockoutEnd) : undefined
  if (end === undefined) return {}
  return end.startsWith('9999') ? { disabled: true } : { locked_until: end }
}

/** Reads `2026-01-31 12:00:00.1234567 +01:00`, which is in UTC without an offset, as ISO 8601. */
function timeOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)\s*(Z|[+-]\d\d:?\d\d)?$/.exec(text.trim())
  return match === null ? text : `${match[1]}T${match[2]}${match[3] ?? 'Z'}`
}

export function isTrue(text: string | null | undefined): boolean {
  return /^(?:1|true|t|yes)$/i.test(text ?? '')
}
