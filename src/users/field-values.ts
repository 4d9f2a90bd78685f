/** Which values the fields of a person may have, by what their declarations say. */
import { addressMembers, type PersonField, type TextForm, textAtMost } from '../person-fields.ts'
import { lineFault } from '../problem.ts'
import { userNameFault } from './user-name.ts'

/** Returns what is wrong with a value, as the end of a sentence; undefined: nothing. */
export function fieldFault(field: PersonField, value: unknown): string | undefined {
  switch (field.type) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'address':
      return addressFault(value)
    case 'text':
      if (typeof value !== 'string') return 'must be a text'
      return lineFault(value, field.atMost ?? textAtMost) ?? (field.form && formFaults[field.form](value))
  }
}

const formFaults: Readonly<Record<TextForm, (text: string) => string | undefined>> = {
  user_name: userNameFault,
  web_address: webAddressFault,
  birthdate: birthdateFault,
  time_zone: (text) => (isTimeZone(text) ? undefined : 'must be a time zone such as Europe/Berlin'),
  language: (text) => (isLanguageTag(text) ? undefined : 'must be a language tag such as en-US'),
  phone_number: phoneNumberFault,
}

function webAddressFault(text: string): string | undefined {
  const isWebAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[\s"<>\\]/.test(text)
  return isWebAddress ? undefined : 'must be an address that begins with https:// or http://'
}

/** `YYYY-MM-DD`, `YYYY`, or `0000-MM-DD` for a date without a year. */
function birthdateFault(text: string): string | undefined {
  if (/^\d{4}$/.test(text) && text !== '0000') return undefined
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  // Every day of a year exists in a leap year.
  const fullYear = year === '0000' ? 2000 : Number(year)
  const date = new Date(0)
  date.setUTCFullYear(fullYear, Number(month) - 1, Number(day))
  const exists = year !== '' && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return exists ? undefined : 'must be a date such as 1987-10-16, a year such as 1987, or 0000-10-16'
}

/** A name of the IANA time zone database. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** RFC 5646; an underscore may replace the hyphen. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-')).length === 1
  } catch {
    return false
  }
}

/** OpenID Connect Core §5.1 recommends E.164, with an extension as in RFC 3966. Grouping characters are allowed. */
function phoneNumberFault(text: string): string | undefined {
  const isNumber = /^\+?[0-9 ().\-/]{3,40}(;ext=[0-9]{1,15})?$/.test(text) && /[0-9]/.test(text)
  return isNumber ? undefined : 'must be a telephone number such as +49 30 123456'
}

function addressFault(value: unknown): string | undefined {
  const form = `must be a JSON object with members of ${Object.keys(addressMembers).join(', ')}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return form
  const entries = Object.entries(value)
  if (entries.length === 0) return form
  const lines: ReadonlyMap<string, 'line' | 'lines'> = new Map(Object.entries(addressMembers))
  for (const [member, text] of entries) {
    if (!lines.has(member)) return form
    if (typeof text !== 'string') return `has a member ${member} that is not a text`
    const line = lines.get(member) === 'lines' ? text.replaceAll(/\r?\n/g, ' ') : text
    const fault = lineFault(line, 1000)
    if (fault !== undefined) return `has a member ${member} that ${fault}`
  }
  return undefined
}
