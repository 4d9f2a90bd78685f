/** Scopes, applications and what belongs to them in the tables of OpenIddict. */
import { resourceFault } from '../protocol/scope/resource-name.ts'
import { listIn, openIddictClient } from './openiddict-clients.ts'
import { findingsOf, type Note, type Reader, type SourceRecord } from './source.ts'
import { openIddictShapes } from './table-shapes.ts'
import { faultIn, keyForm, openTables, type TableRow, type Tables } from './tables.ts'

export const readOpenIddict: Reader = async function* (places, options) {
  for (const place of places) {
    const tables = await openTables(place, openIddictShapes, options)
    try {
      if (tables.warning !== undefined) {
        yield noted({ member: 'journal_mode', severity: 'risk', reason: tables.warning }, 'realm', place)
      }
      yield* registrationsOf(tables, place)
    } finally {
      tables.close()
    }
  }
}

async function* registrationsOf(tables: Tables, place: string): AsyncGenerator<SourceRecord> {
  const resources = new Set<string>()
  // Clients name scopes, which must be there first.
  for await (const read of tables.rows('OpenIddictScopes')) {
    if ('fault' in read) yield faultIn('OpenIddictScopes', read)
    else yield openIddictScope(read.line, read.row, resources)
  }
  const applications = new Map<string, TableRow>()
  for await (const read of tables.rows('OpenIddictApplications')) {
    if ('fault' in read) yield faultIn('OpenIddictApplications', read)
    else {
      if (read.row.Id) applications.set(keyForm(read.row.Id), read.row)
      yield openIddictClient(read.line, read.row, resources)
    }
  }
  yield* consentsOf(tables, applications, place)
  yield* tokensOf(tables, place)
}

function openIddictScope(line: number, row: TableRow, known: Set<string>): SourceRecord {
  const { Name, DisplayName: displayName = null, Description: description = null } = row
  const name = Name ?? ''
  const place = { table: 'OpenIddictScopes', key: name }
  const all = listIn(row.Resources)
  if (all === undefined) {
    const fault = `The scope ${name} has Resources that is no JSON array of texts.`
    return { line, place, of: { kind: 'scope', source: name }, fault }
  }
  for (const one of all) known.add(one)
  const texts = ['DisplayNames', 'Descriptions', 'Properties'] as const
  const notes: Note[] = texts
    .filter((member) => row[member] && row[member] !== '{}')
    .map((member) => ({ member, severity: 'lost', reason: `${member} of the scope ${name} have no place here.` }))
  const resources = all.filter((one) => resourceFault(one, 256) === undefined)
  for (const one of all.filter((each) => !resources.includes(each))) {
    const reason = `The resource ${one} of the scope ${name} ${resourceFault(one, 256)}: it is not in the aud of access tokens.`
    notes.push({ member: 'Resources', severity: 'lost', reason })
  }
  return {
    ...{ line, place, scope: { name, displayName, description, resources } },
    findings: findingsOf('scope', name, notes),
  }
}

/**
 * Remembered consents: they come once both the person and the application are here. Nothing is remembered for an application that asks
 * each time, and nobody is asked for one with implicit consent.
 */
async function* consentsOf(
  tables: Tables,
  applications: ReadonlyMap<string, TableRow>,
  place: string,
): AsyncGenerator<SourceRecord> {
  const member = 'OpenIddictAuthorizations'
  let kept = 0
  for await (const read of tables.rows(member)) {
    if ('fault' in read) {
      yield faultIn(member, read)
      continue
    }
    const { Type, Status, Subject, ApplicationId, Scopes } = read.row
    if (Type?.toLowerCase() !== 'permanent' || Status?.toLowerCase() !== 'valid') continue
    const application = applications.get(keyForm(ApplicationId ?? ''))
    const kind = (application?.ConsentType ?? 'explicit').toLowerCase()
    const scopes = listIn(Scopes) ?? []
    if (!application?.ClientId || !Subject || (kind !== 'explicit' && kind !== 'external') || scopes.length === 0)
      continue
    kept += 1
    const userId = keyForm(Subject)
    const consent = {
      userId,
      clientId: application.ClientId,
      scopes: [...scopes].sort(),
      isByOperator: kind === 'external',
    }
    yield { line: read.line, noted: true, consent }
  }
  if (kept === 0) return
  const reason = `Remembered consents (${kept}) come once both the person and the application are here; until then they are kept, for 30 days at most.`
  yield noted({ member, severity: 'held', reason }, 'realm', place)
}

/** Refresh tokens end. */
async function* tokensOf(tables: Tables, place: string): AsyncGenerator<SourceRecord> {
  let valid = 0
  for await (const read of tables.rows('OpenIddictTokens')) {
    if ('fault' in read) continue
    const { Type, Status } = read.row
    if (Type === 'refresh_token' && Status?.toLowerCase() === 'valid') valid += 1
  }
  if (valid === 0) return
  const reason = `Refresh tokens that are valid (${valid}) end, for no token of the old service comes: applications ask for a sign-in once more.`
  yield noted({ member: 'OpenIddictTokens', severity: 'lost', reason }, 'realm', place)
}

function noted(note: Note, kind: 'realm' | 'client', source: string, place?: SourceRecord['place']): SourceRecord {
  return { line: 0, noted: true, ...(place && { place }), findings: findingsOf(kind, source, [note]) }
}
