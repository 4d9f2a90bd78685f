/**
 * Names of external providers in the environment. A variable that shells pass on has letters, digits and `_` alone (POSIX, 8.1), and
 * `/bin/sh` drops any other, so that `_` in a variable stands for `-`, or for what the file has.
 */
import type { Settings } from './settings.ts'
import type { SourceValue } from './sources.ts'

/** A provider whose name a variable spells in another way. */
export type SpelledName = { readonly name: string; readonly variable: string }

export type NamedValues = {
  /** Those of the environment, with the names of providers as they are meant. */
  readonly values: readonly SourceValue[]
  readonly spelled: readonly SpelledName[]
  readonly problems: readonly string[]
}

/** Names the providers of the environment: as the file does where it has the name, and otherwise with `-` for `_`. */
export function withProviderNames(file: readonly SourceValue[], environment: readonly SourceValue[]): NamedValues {
  const inFile = namesIn(file)
  const variables = namesIn(environment)
  const meant = new Map([...variables].map(([key, name]) => [key, meantBy(name, inFile)]))
  const problems = [...clashes([...inFile.values()]), ...clashes([...variables.values()])]
  // With one of these the others follow from it.
  if (problems.length === 0) problems.push(...clashes([...inFile.values(), ...meant.values()]))
  const values = environment.map((value) => {
    const key = providerOf(value)?.toLowerCase() ?? ''
    const other = meant.get(key) ?? key
    return other.toLowerCase() === key ? value : { ...value, path: value.path.with(2, other) }
  })
  const spelled = [...variables].flatMap(([key, variable]) => {
    const name = meant.get(key) ?? variable
    return name.toLowerCase() === key ? [] : [{ name, variable }]
  })
  return { values, spelled, problems }
}

/** Returns a sentence for each provider that variables spell in another way. */
export function spelledProviders({ oauth }: Pick<Settings, 'oauth'>): string[] {
  return oauth.external.flatMap(({ name, variable }) => (variable === undefined ? [] : [explain({ name, variable })]))
}

const explain = ({ name, variable }: SpelledName): string =>
  `OAuth__External__${variable} in the environment sets the provider ${name}: _ stands for - there, unless the file has the name ` +
  `with _. Its callback address ends in /callback/login/${name}.`

function meantBy(variable: string, inFile: ReadonlyMap<string, string>): string {
  const known = inFile.get(variable.toLowerCase())
  if (known !== undefined) return variable
  const candidates = [...inFile.values()].filter((name) => isSpelledBy(name, variable))
  return candidates[0] ?? variable.replaceAll('_', '-')
}

/** Whether the name is that of the variable with `-` in places of `_`. */
function isSpelledBy(name: string, variable: string): boolean {
  const [letters, written] = [name.toLowerCase(), variable.toLowerCase()]
  return (
    letters.length === written.length &&
    [...letters].every((letter, at) => letter === written[at] || (letter === '-' && written[at] === '_'))
  )
}

/** Says which names are the same one once `_` stands for `-`. */
function clashes(names: readonly string[]): string[] {
  const alike = Object.values(Object.groupBy(names, (name) => name.toLowerCase().replaceAll('_', '-')))
  return alike.flatMap((group = []) => {
    const [first, second] = new Map(group.map((name) => [name.toLowerCase(), name])).values()
    if (first === undefined || second === undefined) return []
    return [
      `OAuth:External:${first} and OAuth:External:${second} are one name in the environment, where _ stands for -. ` +
        'Use one of the two, or rename one.',
    ]
  })
}

/** By their lower case, as they are first spelled. */
function namesIn(values: readonly SourceValue[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const name of values.map(providerOf)) {
    if (name !== undefined && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  return names
}

function providerOf({ path: [oauth = '', external = '', provider, part] }: SourceValue): string | undefined {
  return part !== undefined && `${oauth}:${external}`.toLowerCase() === 'oauth:external' ? provider : undefined
}
