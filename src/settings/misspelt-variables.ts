/** Variables of the environment that look like settings and are none: their section is a misspelling of one of ours. */
import { nearest } from '../protocol/nearest.ts'
import type { Settings } from './settings.ts'
import { type SettingName, sections, settingsTable } from './table.ts'

/** By a part of the settings that their copies share. */
const ignored = new WeakMap<object, readonly string[]>()

/** Keeps what to say of variables that were ignored when the settings were read. */
export function noteIgnored({ oauth }: Pick<Settings, 'oauth'>, env: Environment): void {
  ignored.set(oauth, misspeltVariables(env))
}

export function ignoredVariables({ oauth }: Pick<Settings, 'oauth'>): readonly string[] {
  return ignored.get(oauth) ?? []
}

type Environment = Readonly<Record<string, string | undefined>>

const settingNames = new Map(Object.keys(settingsTable).map((name) => [name.toLowerCase(), name as SettingName]))

/**
 * Returns a sentence for each such variable, without its value. The environment belongs to others as well, so that the rest of the
 * name must be that of a setting, as in `Branding__Name` for `Brand__Name`.
 */
function misspeltVariables(env: Environment): string[] {
  return Object.keys(env).flatMap((variable) => {
    const meant = meantBy(variable)
    return meant === undefined ? [] : [`${variable} in the environment is ignored. Did you mean ${meant}?`]
  })
}

function meantBy(variable: string): string | undefined {
  const [section = '', ...rest] = variable.split('__')
  const isOurs = sections.some((one) => one.toLowerCase() === section.toLowerCase())
  // Items of lists have a number behind the name.
  const [item] = /^\d{1,4}$/.exec(rest.at(-1) ?? '') ?? []
  const below = item === undefined ? rest : rest.slice(0, -1)
  if (isOurs || section === '' || below.length === 0) return undefined
  const nameIn = (one: string) => settingNames.get([one, ...below].join(':').toLowerCase())
  const fitting = sections.filter((one) => nameIn(one) !== undefined)
  const close = nearest(section, fitting, lettersAtMost(section)) ?? fitting.find((one) => continues(one, section))
  const name = close === undefined ? undefined : nameIn(close)
  return name && [...name.split(':'), ...(item === undefined ? [] : [item])].join('__')
}

/** In a short word, two other letters make another word. */
const lettersAtMost = (section: string): number =>
  section.length < 5 ? 1 : Math.max(2, Math.floor(section.length / 3))

/** Whether one word goes on where the other ends, as `Branding` does after `Brand`. */
function continues(a: string, b: string): boolean {
  const [short = '', long = ''] = [a.toLowerCase(), b.toLowerCase()].sort((one, other) => one.length - other.length)
  return short.length >= 4 && long.startsWith(short)
}
