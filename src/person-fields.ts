/**
 * The fields of a person, each declared once. From here follow what is stored and shown, what commands, files, imports and the
 * admin API take, who may change it, which scope hands it over, and where pages show it. What needs a word of a human, such
 * as a label, does not compile without it.
 */

/** What a text must be, besides a line of characters that can be seen. */
export type TextForm = 'user_name' | 'web_address' | 'birthdate' | 'time_zone' | 'language' | 'phone_number'

/** A box in the account area: in view, or among those that are opened. `place`: among the boxes there, from the first. */
type Box = { readonly part: 'main' | 'more'; readonly place: number; readonly autocomplete: string }

/** Who may set a field, and who sees it. Operators may do both; what a person sets has a place in the account area. */
type Parties =
  | { readonly editedBy: 'operator'; readonly seenBy: 'operator' | 'person' }
  /** `apart`: the page has a control of its own for it. */
  | { readonly editedBy: 'person'; readonly seenBy: 'person'; readonly account: Box | 'apart' }

type Value =
  | {
      readonly type: 'text'
      /** Absent: any line. */
      readonly form?: TextForm
      /** Characters; absent: `textAtMost`. */
      readonly atMost?: number
      /** Its place in the form of the console; absent: it is not there. */
      readonly console?: number
    }
  /** `proves`: the field that this flag says to be proved. It falls with another value there. */
  | { readonly type: 'flag'; readonly proves?: string }
  /** OpenID Connect Core §5.1.1. */
  | { readonly type: 'address' }

/** A field that is set and removed as a whole. All are stored together (`User.claims`): none has a column. */
export type PersonField = Value &
  Parties & {
    /** The scope that hands it over to applications (OpenID Connect Core §5.4); absent: none does. */
    readonly scope?: 'profile' | 'phone' | 'address'
    /** What the documents say of it, beyond its name. */
    readonly description?: string
  }

export const textAtMost = 200

const operators = { editedBy: 'operator', seenBy: 'person' } as const
const persons = { editedBy: 'person', seenBy: 'person' } as const

/** By their names in JSON, in the order of the standard. */
export const personFields = {
  name: {
    ...{ type: 'text', scope: 'profile', description: 'The full name.', console: 1 },
    ...{ ...persons, account: { part: 'main', place: 1, autocomplete: 'name' } },
  },
  given_name: {
    ...{ type: 'text', scope: 'profile', console: 2 },
    ...{ ...persons, account: { part: 'main', place: 2, autocomplete: 'given-name' } },
  },
  family_name: {
    ...{ type: 'text', scope: 'profile', console: 3 },
    ...{ ...persons, account: { part: 'main', place: 3, autocomplete: 'family-name' } },
  },
  middle_name: {
    ...{ type: 'text', scope: 'profile' },
    ...{ ...persons, account: { part: 'more', place: 1, autocomplete: 'additional-name' } },
  },
  nickname: {
    ...{ type: 'text', scope: 'profile', console: 4 },
    ...{ ...persons, account: { part: 'main', place: 4, autocomplete: 'nickname' } },
  },
  // Applications might take one person for another by it.
  preferred_username: { type: 'text', form: 'user_name', scope: 'profile', ...operators },
  profile: {
    ...{ type: 'text', form: 'web_address', atMost: 2000, scope: 'profile' },
    ...{ ...persons, account: { part: 'more', place: 6, autocomplete: 'off' } },
  },
  picture: {
    ...{ type: 'text', form: 'web_address', atMost: 2000, scope: 'profile' },
    ...{ ...persons, account: { part: 'more', place: 7, autocomplete: 'photo' } },
  },
  website: {
    ...{ type: 'text', form: 'web_address', atMost: 2000, scope: 'profile' },
    ...{ ...persons, account: { part: 'more', place: 5, autocomplete: 'url' } },
  },
  gender: {
    ...{ type: 'text', scope: 'profile' },
    ...{ ...persons, account: { part: 'more', place: 3, autocomplete: 'sex' } },
  },
  birthdate: {
    ...{ type: 'text', form: 'birthdate', scope: 'profile' },
    ...{ ...persons, account: { part: 'more', place: 2, autocomplete: 'bday' } },
  },
  zoneinfo: { type: 'text', form: 'time_zone', scope: 'profile', console: 7, ...persons, account: 'apart' },
  locale: { type: 'text', form: 'language', scope: 'profile', console: 6, ...persons, account: 'apart' },
  phone_number: {
    ...{ type: 'text', form: 'phone_number', scope: 'phone', console: 5 },
    ...{ ...persons, account: { part: 'more', place: 4, autocomplete: 'tel' } },
  },
  // A claim about a proof, which people cannot make for themselves.
  phone_number_verified: { type: 'flag', proves: 'phone_number', scope: 'phone', ...operators },
  address: { type: 'address', scope: 'address', ...persons, account: 'apart' },
} as const satisfies Readonly<Record<string, PersonField>>

type Declared = typeof personFields
export type FieldName = keyof Declared

/** The fields whose declaration has this part. */
export type FieldsWith<Part> = { [Name in FieldName]: Declared[Name] extends Part ? Name : never }[FieldName]

/** The fields that flags say to be proved. */
export type ProvedField = Extract<Declared[FieldName], { readonly proves: string }>['proves']

/** Returns the fields whose declaration has this part, as a list that the compiler knows. */
export function fieldsWith<const Part extends Partial<Record<keyof PersonField, string>>>(
  part: Part,
): FieldsWith<Part>[] {
  const wanted = Object.entries(part)
  const has = ([, field]: readonly [string, PersonField]) =>
    wanted.every(([name, value]) => field[name as keyof PersonField] === value)
  return fieldEntries.filter(has).map(([name]) => name as FieldsWith<Part>)
}

export const fieldEntries = Object.entries(personFields) as readonly (readonly [FieldName, PersonField])[]

/** The members of an address, and whether their texts may have several lines (OpenID Connect Core §5.1.1). */
export const addressMembers = {
  formatted: 'lines',
  street_address: 'lines',
  locality: 'line',
  region: 'line',
  postal_code: 'line',
  country: 'line',
} as const satisfies Readonly<Record<string, 'line' | 'lines'>>

export type Address = { readonly [Member in keyof typeof addressMembers]?: string }

type Values = { readonly text: string; readonly flag: boolean; readonly address: Address }

/** Values of fields. Absent: not set. No text is empty. */
export type FieldValues = { readonly [Name in FieldName]?: Values[Declared[Name]['type']] }

/** A member of a person's record that is no field: it has a column, and rules of its own. */
export type PersonMember = {
  /** `time`: ISO 8601 in UTC. */
  readonly type: 'text' | 'flag' | 'texts' | 'time'
  readonly isNullable?: true
  /** Characters of a text in the admin API. */
  readonly atMost?: number
  /** `set`: as fields are. Otherwise how it changes, as the end of a sentence. */
  readonly changes: 'set' | `never changes` | `is changed with: ${string}`
  /** Whether configuration files say it. */
  readonly inFiles: boolean
  readonly seenBy: 'operator' | 'person'
  readonly description?: string
}

// Locks are what operators and wrong passwords do from one day to the next, so files say nothing of them.
const lock = {
  changes: 'is changed with: latchkey user lock, user unlock',
  inFiles: false,
  seenBy: 'operator',
} as const

/** What a person does at the next sign-in before there is a session, in this order. */
export const requiredActions = ['update_password', 'verify_email', 'set_up_second_factor'] as const
export type RequiredAction = (typeof requiredActions)[number]

/** By their names in JSON. */
export const personMembers = {
  username: { type: 'text', atMost: 400, changes: 'set', inFiles: true, seenBy: 'person' },
  email: { type: 'text', isNullable: true, atMost: 400, changes: 'set', inFiles: true, seenBy: 'person' },
  email_verified: { type: 'flag', changes: 'set', inFiles: true, seenBy: 'person' },
  roles: {
    ...{ type: 'texts', inFiles: true, seenBy: 'person' },
    changes: 'is changed with: latchkey user add-role, user remove-role',
  },
  required_actions: {
    ...{ type: 'texts', changes: 'set', inFiles: false, seenBy: 'person' },
    description: `What the next sign-in asks for: ${requiredActions.map((one) => `\`${one}\``).join(', ')}.`,
  },
  had_second_factor: {
    ...{ type: 'flag', changes: 'set', inFiles: false, seenBy: 'person' },
    description: 'A second factor of another system could not come: the next sign-in proves the address as well.',
  },
  id: { type: 'text', changes: 'never changes', inFiles: true, seenBy: 'person', description: '`sub` of tokens.' },
  locked_until: { type: 'time', isNullable: true, ...lock },
  disabled: { type: 'flag', ...lock, description: 'Locked without an end.' },
  created_at: { type: 'time', changes: 'never changes', inFiles: false, seenBy: 'person' },
} as const satisfies Readonly<Record<string, PersonMember>>

type DeclaredMembers = typeof personMembers
export type MemberName = keyof DeclaredMembers
export type MembersWith<Part> = {
  [Name in MemberName]: DeclaredMembers[Name] extends Part ? Name : never
}[MemberName]

export const memberEntries = Object.entries(personMembers) as readonly (readonly [MemberName, PersonMember])[]

/** Members that are set as fields are. */
export type SetMember = MembersWith<{ readonly changes: 'set' }>
export const setMembers = memberEntries
  .filter(([, { changes }]) => changes === 'set')
  .map(([name]) => name as SetMember)

/** Members with commands of their own, or that never change. */
export const fixedMembers = memberEntries
  .filter(([, { changes }]) => changes !== 'set')
  .map(([name]) => name as Exclude<MemberName, SetMember>)

/** Members that configuration files do not have. */
export const unfiledMembers: readonly string[] = memberEntries.filter(([, one]) => !one.inFiles).map(([name]) => name)

/** What people are not told of themselves. */
export type Withheld = MembersWith<{ readonly seenBy: 'operator' }> | FieldsWith<{ readonly seenBy: 'operator' }>
export const withheld: readonly string[] = [...memberEntries, ...fieldEntries]
  .filter(([, { seenBy }]) => seenBy === 'operator')
  .map(([name]) => name)

type MemberValues = {
  readonly text: string
  readonly flag: boolean
  readonly texts: readonly string[]
  readonly time: string
}
type MemberValue<Of extends PersonMember> =
  | MemberValues[Of['type']]
  | (Of extends { readonly isNullable: true } ? null : never)

/** A person as JSON, the same in every interface. */
export type PersonRecord = FieldValues & { readonly [Name in MemberName]: MemberValue<DeclaredMembers[Name]> }

/** What an import brings besides, which no record shows. */
export const importedMembers = {
  password_hash: 'text',
  totp_secret: 'text',
  authenticator_apps: 'objects',
  recovery_codes: 'texts',
  passkeys: 'objects',
  external_logins: 'logins',
} as const satisfies Readonly<Record<string, 'text' | 'texts' | 'logins' | 'objects'>>

/** Every member that an import may bring, with the type of its value. */
export const importable: Readonly<Record<string, PersonField['type'] | PersonMember['type'] | 'logins' | 'objects'>> = {
  ...Object.fromEntries([...memberEntries, ...fieldEntries].map(([name, { type }]) => [name, type])),
  ...importedMembers,
}
