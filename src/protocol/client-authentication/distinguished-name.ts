/** Distinguished names in their string representation (RFC 4514). */

/** The relative distinguished names in the order of the text; each lists its attributes as `type=value`, sorted. */
type Rdns = readonly (readonly string[])[]

/** Other names of attribute types, in lower case (RFC 4514 §3, RFC 4519, RFC 2985 §5.2.1). */
const typeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'cn',
  commonname: 'cn',
  '2.5.4.4': 'sn',
  surname: 'sn',
  '2.5.4.5': 'serialnumber',
  '2.5.4.6': 'c',
  countryname: 'c',
  '2.5.4.7': 'l',
  localityname: 'l',
  '2.5.4.8': 'st',
  stateorprovincename: 'st',
  '2.5.4.9': 'street',
  streetaddress: 'street',
  '2.5.4.10': 'o',
  organizationname: 'o',
  '2.5.4.11': 'ou',
  organizationalunitname: 'ou',
  '2.5.4.12': 'title',
  '2.5.4.15': 'businesscategory',
  '2.5.4.42': 'gn',
  givenname: 'gn',
  '2.5.4.97': 'organizationidentifier',
  '0.9.2342.19200300.100.1.1': 'uid',
  userid: 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
  domaincomponent: 'dc',
  '1.2.840.113549.1.9.1': 'emailaddress',
  e: 'emailaddress',
  '1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionl',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionst',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionc',
}

/**
 * Whether a registered name is that of a certificate. `registered`: as in RFC 4514, the last relative name of the
 * certificate first. `subject`: one relative name a line, escaped in the same way, in the order of the certificate. Types
 * are compared by their meaning, values character by character.
 */
export function isSameName(registered: string, subject: string): boolean {
  const expected = parseName(registered)
  const lines = subject.split('\n').map(parseName)
  if (expected === undefined || lines.some((line) => line?.length !== 1)) return false
  const found = lines.flatMap((line) => line ?? []).reverse()
  return JSON.stringify(expected) === JSON.stringify(found)
}

/** Returns the parts of a name; undefined: it is malformed or empty. Spaces around separators are ignored. */
export function parseName(text: string): Rdns | undefined {
  const rdns: string[][] = [[]]
  let rest = text
  for (;;) {
    const [whole, type] = /^ *([A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+) *= */.exec(rest) ?? []
    if (whole === undefined || type === undefined) return undefined
    const value = /^(?:[^,+"\\<>;\n]|\\[0-9A-Fa-f]{2}|\\[ "#+,;<=>\\])*/.exec(rest.slice(whole.length))?.[0] ?? ''
    const decoded = decodeValue(value)
    if (decoded === undefined) return undefined
    const name = type.toLowerCase()
    rdns.at(-1)?.push(`${typeNames[name] ?? name}=${decoded}`)
    rest = rest.slice(whole.length + value.length)
    if (rest === '') return rdns.map((rdn) => rdn.sort())
    if (rest.startsWith(',')) rdns.push([])
    else if (!rest.startsWith('+')) return undefined
    rest = rest.slice(1)
  }
}

/** Decodes escapes; undefined: no UTF-8, or the hexadecimal form, which is not supported (RFC 4514 §2.4). */
function decodeValue(value: string): string | undefined {
  if (value.startsWith('#')) return undefined
  const trimmed = withoutSpacesAtEnd(value)
  const bytes: Buffer[] = []
  for (const [, hex, special, plain] of trimmed.matchAll(/\\([0-9A-Fa-f]{2})|\\(.)|([^\\]+)/gu)) {
    bytes.push(hex === undefined ? Buffer.from(special ?? plain ?? '', 'utf8') : Buffer.from(hex, 'hex'))
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(bytes))
  } catch {
    return undefined
  }
}

/** An escaped space belongs to the value. */
function withoutSpacesAtEnd(value: string): string {
  let end = value.length
  while (end > 0 && value[end - 1] === ' ') end -= 1
  let backslashes = 0
  while (value[end - 1 - backslashes] === '\\') backslashes += 1
  return value.slice(0, backslashes % 2 === 0 ? end : end + 1)
}
