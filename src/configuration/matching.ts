/** Pairs what files declare with what is stored. */
import { type Declaration, type Declarations, type Kind, keyOf } from './declaration.ts'

export type Pair<T> = { readonly before: T | undefined; readonly after: T | undefined }
export type Match<T> = { readonly before: T | undefined; readonly declaration: Declaration | undefined }

/** Pairs declarations with stored records; with `prune`, stored ones that are not declared, too. */
export function matched<T>(
  declared: Declarations,
  kind: Kind,
  stored: readonly T[],
  idOf: (record: T) => string,
  prune: boolean,
): Match<T>[] {
  const byId = new Map(stored.map((record) => [idOf(record), record]))
  const found = declared.records
    .filter((one) => one.kind === kind)
    .map((declaration) => ({ before: byId.get(keyOf(declaration)), declaration }))
  return prune && declared.kinds.has(kind) ? [...found, ...missing(declared, kind, stored, idOf)] : found
}

export function missing<T>(
  declared: Declarations,
  kind: Kind,
  stored: readonly T[],
  idOf: (record: T) => string,
): Match<T>[] {
  const names = new Set(declared.records.filter((one) => one.kind === kind).map(keyOf))
  return stored.filter((record) => !names.has(idOf(record))).map((before) => ({ before, declaration: undefined }))
}

/** Returns the names of stored records that are matched with no declaration. */
export function undeclared(matches: readonly Match<{ readonly name: string }>[]): string[] {
  return matches.flatMap(({ before, declaration }) => (before && declaration === undefined ? [before.name] : []))
}

export function idsOf({ records }: Declarations, kind: Kind): string[] {
  return records.filter((one) => one.kind === kind).map(({ id }) => id)
}

export function replaced<T>(stored: readonly T[], pairs: readonly Pair<T>[]): T[] {
  const gone = new Set(pairs.map(({ before }) => before))
  return [
    ...stored.filter((one) => !gone.has(one)),
    ...pairs.map(({ after }) => after).filter((one) => one !== undefined),
  ]
}
