/**
 * Decides which user names are allowed: the General Security Profile of Unicode Technical Standard #39 at level Highly
 * Restrictive. Applies to new and changed names; existing names keep working.
 */
import { lineFault } from '../problem.ts'

const nameLengthAtMost = 256

/** Combining marks per character (UTS 39 §5.4). */
const marksAtMost = 4

/** The recommended scripts (UAX 31 table 5) by ISO 15924 code, with their names for messages. */
const scripts: Readonly<Record<string, string>> = {
  Arab: 'Arabic',
  Armn: 'Armenian',
  Beng: 'Bengali',
  Bopo: 'Bopomofo',
  Cyrl: 'Cyrillic',
  Deva: 'Devanagari',
  Ethi: 'Ethiopic',
  Geor: 'Georgian',
  Grek: 'Greek',
  Gujr: 'Gujarati',
  Guru: 'Gurmukhi',
  Hang: 'Hangul',
  Hani: 'Han',
  Hebr: 'Hebrew',
  Hira: 'Hiragana',
  Kana: 'Katakana',
  Khmr: 'Khmer',
  Knda: 'Kannada',
  Laoo: 'Lao',
  Latn: 'Latin',
  Mlym: 'Malayalam',
  Mymr: 'Myanmar',
  Orya: 'Oriya',
  Sinh: 'Sinhala',
  Taml: 'Tamil',
  Telu: 'Telugu',
  Thaa: 'Thaana',
  Thai: 'Thai',
  Tibt: 'Tibetan',
}

/**
 * The combinations that Highly Restrictive allows, each together with Latin (UTS 39 §5.2): Japanese, Chinese, Korean.
 */
const writtenTogether = [
  ['Hani', 'Hira', 'Kana'],
  ['Hani', 'Bopo'],
  ['Hani', 'Hang'],
]

/**
 * Returns the fault of a user name that another system gave, as the end of a sentence; undefined: the person can still type it. The
 * rules for new names would lock out people who have one.
 */
export function broughtNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty'
  const fault = lineFault(name, nameLengthAtMost)
  if (fault === undefined && [...name].length <= nameLengthAtMost && !/[^\S ]/u.test(name)) return undefined
  return `${fault ?? 'has blanks that nobody can type'}. Rename the person there, or add a person here with: latchkey user add`
}

/** Returns the fault of a user name, as the end of a sentence; undefined: none. */
export function userNameFault(name: string): string | undefined {
  const fault = lineFault(name, nameLengthAtMost)
  if (fault !== undefined || /^[ -~]*$/.test(name)) return fault
  const composed = name.normalize('NFC')
  const foreign = [...composed].find((character) => !isAllowed(character))
  if (foreign !== undefined)
    return `must not contain ${codePoint(foreign)}, which is no letter, digit or mark of a name`
  if (hasPiledMarks(name)) return `must not have more than ${marksAtMost} marks on a letter, or one mark twice`
  // The two parts of an e-mail address are separate identifiers.
  const mixed = composed
    .split('@')
    .map(mixedScripts)
    .find((found) => found !== undefined)
  if (mixed === undefined) return undefined
  return mixed.length > 1 ? `must not mix ${mixed.join(' and ')} letters` : 'must not mix letters of several scripts'
}

/**
 * Allows ASCII, the characters in UAX 31 table 3 without the invisible joiners, and letters, marks and digits of the
 * recommended scripts that are unchanged by compatibility normalisation.
 */
function isAllowed(character: string): boolean {
  if (/^[ -~\u00b7\u0375\u058a\u05f3\u05f4\u06fd\u06fe\u0f0b\u2010\u2019\u2027\u30a0\u30fb]$/.test(character))
    return true
  if (!/^[\p{L}\p{M}\p{Nd}]$/u.test(character) || !/^\p{XID_Continue}$/u.test(character)) return false
  if (/^\p{Default_Ignorable_Code_Point}$/u.test(character)) return false
  return character.normalize('NFKC') === character && (isShared(character) || scriptsOf(character).length > 0)
}

/** Whether a character is used with every script: digits, punctuation, marks without a script. */
function isShared(character: string): boolean {
  return /^[\p{Script_Extensions=Zyyy}\p{Script_Extensions=Zinh}]$/u.test(character)
}

let patterns: readonly (readonly [code: string, pattern: RegExp])[] | undefined

function scriptsOf(character: string): string[] {
  // Compiled on first use, because most names are ASCII.
  patterns ??= Object.keys(scripts).map((code) => [code, new RegExp(`^\\p{Script_Extensions=${code}}$`, 'u')])
  return patterns.filter(([, pattern]) => pattern.test(character)).map(([code]) => code)
}

/** Returns the scripts in `text` that must not be mixed; undefined: it is Highly Restrictive. */
function mixedScripts(text: string): string[] | undefined {
  const sets = [...text].filter((character) => !isShared(character)).map(scriptsOf)
  const isCovered = (allowed: readonly string[]) => sets.every((set) => set.some((code) => allowed.includes(code)))
  const combinations = [
    ...Object.keys(scripts).map((code) => [code]),
    ...writtenTogether.map((all) => ['Latn', ...all]),
  ]
  if (combinations.some(isCovered)) return undefined
  return [...new Set(sets.map(([first = '']) => scripts[first] ?? first))]
}

function hasPiledMarks(name: string): boolean {
  return new RegExp(`\\p{Mn}{${marksAtMost + 1}}|(\\p{Mn})\\1`, 'u').test(name.normalize('NFD'))
}

function codePoint(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `U+${number}`
}
