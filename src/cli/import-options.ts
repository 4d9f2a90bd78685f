/** The options of `latchkey import`, and the files that they name. */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { namedRows } from '../import/csv.ts'
import type { Patience } from '../import/patience.ts'
import type { OnConflict, PasskeyFacts, ReaderOptions } from '../import/source.ts'
import { Refused } from '../server/refused.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import { visible } from '../text.ts'
import { readText } from './bounded-file.ts'
import { type CommandContext, Misused } from './context.ts'
import { type TableOptions, tablesOf } from './import-tables.ts'

/** Of `--hash-parameters`, in bytes. */
const parametersLengthAtMost = 65_536

export type SyncOptions = {
  readonly sync?: boolean
  readonly compare?: boolean
  readonly yes?: boolean
  readonly deleteMany?: boolean
}

export type ImportOptions = TableOptions &
  SyncOptions & {
    readonly dryRun?: boolean
    readonly onConflict: OnConflict
    readonly restart?: boolean
    readonly wrap?: 'now' | 'never'
    readonly allowAdmin?: boolean
    readonly hashParameters?: string
    readonly sharedEmails?: boolean
    readonly realm?: string
    readonly redirects?: string
    readonly allowWildcards?: boolean
    readonly report?: string
    readonly passkeyHost?: string
  }

export async function readerOptions(context: CommandContext, options: ImportOptions): Promise<ReaderOptions> {
  const { realm, redirects: file, allowWildcards: allowsWildcards = false } = options
  const redirects = file === undefined ? undefined : await redirectsIn(resolve(context.cwd ?? process.cwd(), file))
  return {
    ...(realm !== undefined && { realm }),
    ...(redirects !== undefined && { redirects }),
    ...{ allowsWildcards },
    ...tablesOf(options),
    ...hashParametersOf(context, options),
  }
}

/** The host of passkeys is that of the issuer; the former system's is what an operator says, or its export. */
export async function passkeyFacts({ oauth }: Settings, { passkeyHost }: ImportOptions): Promise<PasskeyFacts> {
  const { attestedFacts, publicKeyFault } = await import('../secrets/passkey-keys.ts')
  return {
    rules: { rpId: new URL(oauth.issuer).hostname, keyFault: publicKeyFault },
    attested: attestedFacts,
    ...(passkeyHost !== undefined && { host: passkeyHost.toLowerCase() }),
  }
}

/** Returns the addresses by client id. */
async function redirectsIn(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!existsSync(file)) throw new Refused(`There is no file ${file}.`)
  const found = new Map<string, string[]>()
  for await (const read of namedRows(file)) {
    const { client_id: id, redirect_uri: uri } = 'row' in read ? read.row : {}
    if (!id || !uri) throw new Refused(`${file}, line ${read.line}: the columns are client_id and redirect_uri.`)
    found.set(id, [...(found.get(id) ?? []), uri])
  }
  return found
}

function hashParametersOf(context: CommandContext, { hashParameters }: ImportOptions): ReaderOptions {
  if (hashParameters === undefined) return {}
  return { hashParameters: readText(context, '--hash-parameters', hashParameters, parametersLengthAtMost) }
}

/** It names people: nobody else on the machine may read it. */
export function writeReport(context: CommandContext, name: string, page: string): void {
  const file = resolve(context.cwd ?? process.cwd(), name)
  try {
    writeFileSync(file, page, { mode: 0o600 })
  } catch (error) {
    throw new Refused(`${name} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/**
 * Remembers what the installation is filled from, and throws `Misused` for files of something else: two realms have people of the same
 * names, who are not the same people. A dry run remembers nothing.
 */
export async function requireSameSource(
  { patience, ...imports }: Pick<Storage['imports'], 'source' | 'rememberSource'> & { readonly patience: Patience },
  kind: string,
  names: readonly string[],
  { isDryRun, nowMs }: { readonly isDryRun: boolean; readonly nowMs: number },
): Promise<void> {
  const [name, other] = names.map(visible)
  if (name === undefined) return
  if (other !== undefined) throw new Misused(`The files are of two realms, ${name} and ${other}: import one.`)
  const raw = names[0] ?? ''
  const remembered = () => patience.ask(() => imports.rememberSource(kind, raw, nowMs))
  const known = (await imports.source(kind)) ?? (isDryRun ? raw : await remembered())
  if (known === raw) return
  throw new Misused(
    `This installation was filled from the realm ${visible(known)}, and the file is of ${name}. A second realm is an installation of its own.`,
  )
}
