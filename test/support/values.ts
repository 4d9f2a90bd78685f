/** What each record has under one name. */
export function valuesOf<T, Name extends keyof T>(records: Iterable<T>, name: Name): T[Name][] {
  return Array.from(records, (record) => record[name])
}
