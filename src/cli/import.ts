/** `latchkey import`: brings people and applications of another system. */
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { settleConsents } from '../import/consents.ts'
import { noteConsents } from '../import/ended-consents.ts'
import { importId } from '../import/files.ts'
import type { Gone } from '../import/gone.ts'
import { consentsRead, knownConsents } from '../import/known-consents.ts'
import { leftHere } from '../import/left-here.ts'
import type { Patience } from '../import/patience.ts'
import { judgePeople, type PeopleContext } from '../import/people.ts'
import { isKind, type Kind, readers, sourceNames } from '../import/readers.ts'
import { registrations } from '../import/registrations.ts'
import { type ImportResult, type ImportRun, runImport } from '../import/run.ts'
import type { Syncing } from '../import/sync.ts'
import { syncedRegistrations } from '../import/synced-registrations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { loadPatterns } from '../patterns.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { administratorRole, viewerRole } from '../protocol/scope/admin-scopes.ts'
import { hashesAtOnce } from '../secrets/password.ts'
import { sealClientSecret } from '../secrets/sealed-secret.ts'
import { Refused } from '../server/refused.ts'
import { wrapHashes } from '../server/wrapping.ts'
import type { Catalogue } from '../storage/port/catalogue.ts'
import { visible } from '../text.ts'
import type { ImportRules } from '../users/imported-person.ts'
import { type CommandContext, Misused, openKeys, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { hashJudge } from './import-hashes.ts'
import { reportPage } from './import-html.ts'
import { type ImportOptions, passkeyFacts, readerOptions, requireSameSource, writeReport } from './import-options.ts'
import { endLine, explained, isHeld, patienceOf, showLine, showProgress } from './import-progress.ts'
import { allFindings, describe } from './import-report.ts'
import {
  goneRecord,
  goneText,
  printComparison,
  requireAll,
  requireSync,
  settle,
  storesNothing,
  syncingOf,
  withSyncOptions,
} from './import-sync.ts'
import { withTableOptions } from './import-tables.ts'

/** Systems in which several people may have one e-mail address. */
const sharingKinds: readonly Kind[] = ['aspnet-identity', 'keycloak']

export function register(parent: Command, context: CommandContext): void {
  withSyncOptions(withTableOptions(withCommonOptions(parent.command('import <kind> <files...>'))))
    .description('bring people and applications of another system')
    .option('--dry-run', 'say what would happen, and store nothing')
    .addOption(
      new Option('--on-conflict <what>', 'what to do with those who are there already')
        .choices(['skip', 'update', 'fail'])
        .default('fail'),
    )
    .option('--restart', 'begin anew, instead of where the import of the same files stopped')
    .addOption(new Option('--wrap <when>', 'wrap weak password hashes at once, or never').choices(['now', 'never']))
    .option('--allow-admin', `give the roles ${administratorRole} and ${viewerRole}`)
    .option('--shared-emails', 'let several people of a file of users have one e-mail address')
    .option('--hash-parameters <file>', 'the parameters of the password hashes of Firebase')
    .option('--report <file>', 'write a page of HTML that says what came, what did not, and what to do')
    .option('--realm <name>', 'which realm of a file with several')
    .option('--redirects <file>', 'the addresses that wildcards stand for (CSV: client_id,redirect_uri)')
    .option('--allow-wildcards', 'take addresses that end in a wildcard')
    .option('--passkey-host <host>', 'the host of the former system, to which its passkeys belong')
    .addHelpText('after', `\nKinds: ${Object.keys(readers).join(', ')}.`)
    .action((kind: string, files: readonly string[], options: ImportOptions, command: Command) => {
      if (!isKind(kind))
        throw new Misused(`There is no kind ${visible(kind)}. Kinds: ${Object.keys(readers).join(', ')}.`)
      requireSync(options)
      const patience = patienceOf(context)
      const waiting = { asking: patience.ask, opening: patienceOf(context, isHeld).ask }
      const work = (workspace: Workspace) => bring(context, workspace, { kind, names: files, patience }, options)
      return withStorage(context, command, work, waiting).catch((error: unknown) => {
        throw isHeld(error) ? explained(error, storesNothing(options)) : error
      })
    })
}

async function bring(
  context: CommandContext,
  workspace: Workspace,
  { kind, names, patience }: { readonly kind: Kind; readonly names: readonly string[]; readonly patience: Patience },
  options: ImportOptions,
): Promise<void> {
  const files = names.map((name) => resolve(context.cwd ?? process.cwd(), name))
  for (const [at, file] of files.entries()) {
    if (!existsSync(file)) throw new Refused(`There is no file or folder ${names[at]}.`)
  }
  const { storage } = workspace
  const [{ known: declared }, { matches }] = await Promise.all([storage.attributes.all(), loadPatterns()])
  const attributes = { declared, matches }
  const passkeys = await passkeyFacts(workspace.settings, options)
  const opening = patienceOf(context, isHeld).ask
  const reading = { ...(await readerOptions(context, options)), attributes, passkeys, opening }
  const records = readers[kind](files, reading)
  const isDryRun = storesNothing(options)
  const seen = isDryRun ? (await import('../import/seen.ts')).openSeenPeople(declared) : undefined
  const mayShare = options.sharedEmails === true || sharingKinds.includes(kind)
  const shared = mayShare ? (await import('../import/shared-emails.ts')).openSharedEmails() : undefined
  let result: ImportResult
  let syncing: Syncing | undefined
  let gone: Gone | undefined
  try {
    const given = { isDryRun, nowMs: context.clock() }
    await requireSameSource(
      { ...storage.imports, patience },
      kind,
      (await sourceNames[kind]?.(files, reading)) ?? [],
      given,
    )
    const named = options.realm === undefined ? kind : `${kind} ${options.realm}`
    const id = await importId(options.sync === true ? `${named} --sync` : named, files)
    if (options.restart === true && !isDryRun) await patience.ask(() => storage.imports.end(id))
    syncing = await syncingOf(storage, kind, options, { id, nowMs: given.nowMs })
    const known = await storage.catalogue.now()
    result = await runImport({
      ...runOf(context, workspace, options, { origin: kind, syncing, seen, shared, patience }, known, {
        ...{ attributes, passkeys: passkeys.rules },
      }),
      id,
      kind,
      file: names.map((name) => basename(name)).join(', '),
      records,
    })
    if (syncing !== undefined) gone = await settle(workspace, kind, options, { syncing, patience }, result)
  } catch (error) {
    throw explained(error, isDryRun)
  } finally {
    seen?.close()
    shared?.close()
    endLine(context)
  }
  if (options.wrap === 'now' && !isDryRun) await patience.ask(() => wrapNow(context, workspace))
  if (syncing?.isCompared === true) return printComparison(workspace, result, syncing, gone)
  result = { ...result, findings: [...result.findings, ...(gone?.findings ?? [])] }
  const { notKept, lost, findings: _, rows, stoppedBy, startedAtMs, isSomebodyLeftOut, leftOut, ...counted } = result
  const report = {
    ...counted,
    rows: rows.map(({ isThere, ...row }) => row),
    ...(Object.keys(notKept).length > 0 && { not_kept: notKept }),
    findings: allFindings(result),
    ...goneRecord(gone),
  }
  if (options.report !== undefined) {
    const about = { kind, files: names.map((name) => basename(name)), isDryRun }
    writeReport(context, options.report, reportPage(result, { ...about, nowMs: context.clock() }))
  }
  workspace.print(report, describe(result, isDryRun) + goneText(gone))
  requireAll(result, options, gone)
}

type Known = Pick<Catalogue, 'rolesOf'>

/** Whether the role gives rights over the whole service that not everybody has, by itself or by what it includes. */
function givesRights(role: string, { rolesOf }: Known): boolean {
  const everybodys = rolesOf({ roles: [] })
  const given = rolesOf({ roles: [role] }).filter((one) => !everybodys.includes(one))
  return given.includes(administratorRole) || given.includes(viewerRole)
}

/** Everything that a run takes but the files. */
function runOf(
  context: CommandContext,
  { storage, settings, event }: Workspace,
  options: ImportOptions,
  {
    patience,
    ...before
  }: Pick<PeopleContext, 'origin' | 'syncing' | 'seen' | 'shared'> & { readonly patience: Patience },
  known: Known,
  more: Pick<ImportRules, 'attributes' | 'passkeys'>,
): Omit<ImportRun, 'id' | 'kind' | 'file' | 'records'> {
  const { onConflict, allowAdmin = false, wrap, allowWildcards = false } = options
  const { syncing } = before
  const dryRun = storesNothing(options)
  const nowMs = context.clock()
  const { random } = context
  const judgeHash = hashJudge(settings)
  const rules: ImportRules = {
    nowMs,
    judgeHash,
    roleFault: (role) => (!allowAdmin && givesRights(role, known) ? 'comes in with --allow-admin only' : undefined),
    ...more,
  }
  let opened: Promise<KeyRing> | undefined
  const keys = () => {
    opened ??= patience.ask(() => openKeys(context, { storage, settings }))
    return opened
  }
  // A dry run makes no keys.
  const seal = async (secret: string) => (dryRun ? 'sealed:' : sealClientSecret(await keys(), secret, random))
  const facts = {
    isLoopbackIssuer: isLoopbackHost(new URL(settings.oauth.issuer).hostname),
    allowsHttp: settings.outbound.allowHttp,
    import: { wildcards: allowWildcards },
    isPostQuantum: settings.oauth.postQuantum,
    accessTokenScope: settings.oauth.accessTokenScope,
  }
  const given = {
    storage,
    onConflict: before.syncing === undefined ? onConflict : ('update' as const),
    isDryRun: dryRun,
    allowAdmin,
    nowMs,
    facts,
    judgeHash,
    event,
    random,
    seal,
  }
  const { register: registerRecord, groupAt } = registrations(given)
  return {
    storage,
    people: judgePeople({ storage, rules, onConflict, isWrapped: wrap !== 'never', keys, random, groupAt, ...before }),
    register: syncedRegistrations({ storage, ...before, nowMs, register: registerRecord }),
    consent: knownConsents({ storage, ...before, nowMs }),
    left: leftHere({ storage, ...before }),
    ...(syncing && { onRead: (source) => noteConsents(syncing.consents, source) }),
    patience,
    settle: async () => {
      await settleConsents({ storage, patience, nowMs, random, event })
      await patience.ask(() => storage.imports.rememberOrigin(consentsRead(before.origin, nowMs)))
    },
    isDryRun: dryRun,
    isSynced: before.syncing !== undefined,
    nowMs,
    event,
    progress: (counts) => showProgress(context, counts),
  }
}

async function wrapNow(context: CommandContext, { storage }: Workspace): Promise<void> {
  const { weakPasswords } = storage
  const all = await weakPasswords.count()
  if (all === 0) return
  const wrapping = { weakPasswords, random: context.random, atOnce: hashesAtOnce }
  await wrapHashes(wrapping, (done) => {
    if (done % 50 < hashesAtOnce) showLine(context, `${done} of ${all} password hashes wrapped`)
    return true
  })
  endLine(context)
}
