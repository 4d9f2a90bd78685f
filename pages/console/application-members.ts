import { linesFault, linesOf } from './redirect-address.ts'
import { words } from './texts.ts'

type Form = 'line' | 'seconds' | 'lines' | 'scopes' | 'scopeList' | 'choice'

/**
 * How a member is written in a form: in a line, as a number of seconds, as lines of a list, as a choice among scopes (which the API
 * has as words, or as a list), or as one of its values.
 */
export type Written<F extends Form = Form> = {
  form: F
  /** The values of a choice, the default first. */
  values?: readonly [string, ...string[]]
  label(): string
  hint?(): string
  required?: true
  /** The height of the field. */
  lines?: number
  /** What is wrong with what is typed, before it is sent. */
  fault?(typed: string): string | undefined
  /** Of scopes: those that can be chosen; absent: all that there are. */
  among?(typed: Typed): readonly string[]
  /** Whether the member means anything beside the others; absent: always. One that has a value is always shown. */
  appliesTo?(typed: Typed): boolean
}

/** What other members show. */
type Typed = (member: 'scope' | 'subject_type') => string

/** The members of an application that its form changes, in the order of the form. */
export const formMembers = {
  client_name: line({ label: () => words().common.name, required: true }),
  redirect_uris: lines({
    label: () => words().applications.redirect,
    hint: () => words().applications.redirectHint,
    lines: 3,
    fault: linesFault,
  }),
  post_logout_redirect_uris: lines({
    label: () => words().applications.afterSignOut,
    hint: () => words().applications.afterSignOutHint,
    lines: 2,
  }),
  backchannel_logout_uri: line({
    label: () => words().applications.signOutNotices,
    hint: () => words().applications.signOutNoticesHint,
  }),
  web_origins: lines({
    label: () => words().applications.webOrigins,
    hint: () => words().applications.webOriginsHint,
    lines: 2,
  }),
  role_clients: lines({
    label: () => words().applications.roleClients,
    hint: () => words().applications.roleClientsHint,
    lines: 2,
  }),
  service_account_subject: line({
    label: () => words().applications.accountSubject,
    hint: () => words().applications.accountSubjectHint,
  }),
  service_account_roles: lines({
    label: () => words().applications.accountRoles,
    hint: () => words().applications.accountRolesHint,
    lines: 2,
  }),
  logout_confirmation: {
    form: 'choice',
    label: () => words().applications.logoutConfirmation,
    hint: () => words().applications.logoutConfirmationHint,
    values: ['always', 'hint'],
  } satisfies Written<'choice'>,
  scope: { form: 'scopes', label: () => words().pages.scopes } satisfies Written<'scopes'>,
  default_scopes: {
    form: 'scopeList',
    label: () => words().applications.defaultScopes,
    hint: () => words().applications.defaultScopesHint,
    among: (typed: Typed) => wordsOf(typed('scope')),
  } satisfies Written<'scopeList'>,
  refresh_token_scope: {
    form: 'choice',
    label: () => words().applications.refreshTokenScope,
    hint: () => words().applications.refreshTokenScopeHint,
    values: ['offline_access', 'openid'],
  } satisfies Written<'choice'>,
  consent: {
    form: 'choice',
    label: () => words().applications.consent,
    hint: () => words().applications.consentHint,
    values: ['explicit', 'always', 'implicit', 'external'],
  } satisfies Written<'choice'>,
  subject_type: {
    form: 'choice',
    label: () => words().applications.subjectType,
    hint: () => words().applications.subjectTypeHint,
    values: ['public', 'pairwise'],
  } satisfies Written<'choice'>,
  sector_identifier_uri: line({
    label: () => words().applications.sector,
    hint: () => words().applications.sectorHint,
    appliesTo: (typed: Typed) => typed('subject_type') === 'pairwise',
  }),
  claim_shape: {
    form: 'choice',
    label: () => words().applications.claimShape,
    hint: () => words().applications.claimShapeHint,
    values: ['plain', 'keycloak', 'aspnet'],
  } satisfies Written<'choice'>,
  access_token_type: {
    form: 'choice',
    label: () => words().applications.accessTokenType,
    hint: () => words().applications.accessTokenTypeHint,
    values: ['at+jwt', 'JWT'],
  } satisfies Written<'choice'>,
  id_token_lifetime: {
    form: 'seconds',
    label: () => words().applications.idTokenLifetime,
    hint: () => words().applications.idTokenLifetimeHint,
  } satisfies Written<'seconds'>,
}

function line(written: Omit<Written<'line'>, 'form'>): Written<'line'> {
  return { form: 'line', ...written }
}

function lines(written: Omit<Written<'lines'>, 'form'>): Written<'lines'> {
  return { form: 'lines', ...written }
}

export type FormMember = keyof typeof formMembers
export const formMemberNames = Object.keys(formMembers) as FormMember[]

/** The members of the form as the API has them. */
export type FormValues = {
  [M in FormMember]: (typeof formMembers)[M]['form'] extends infer F
    ? F extends 'lines' | 'scopeList'
      ? string[]
      : F extends 'seconds'
        ? number
        : string
    : never
}

/** What a person has typed and not saved; a member that is absent shows what is stored. */
export type Draft = { [M in FormMember]?: string }

/** What the field of a member shows. A member that has its default may be absent. */
export function typedOf(values: Partial<FormValues>, member: FormMember): string {
  const { form, values: [byDefault] = [''] }: Written = formMembers[member]
  const value = values[member] ?? byDefault
  return Array.isArray(value) ? value.join(form === 'lines' ? '\n' : ' ') : String(value)
}

/** The member as the API takes it; null sets the default. */
export function sentOf(member: FormMember, typed: string): string | number | string[] | null {
  const { form } = formMembers[member]
  if (form === 'lines') return linesOf(typed)
  if (form === 'scopeList') return wordsOf(typed)
  // What is no number is sent as it is, and the service says so.
  if (form === 'seconds' && /^\d+$/.test(typed.trim())) return Number(typed)
  return form === 'line' || form === 'seconds' ? typed.trim() || null : typed
}

/** What another part of the page adds to the application joins what is typed. */
export function joined(draft: Draft, before: FormValues, now: FormValues): Draft {
  const members = formMemberNames.map((member) => {
    const typed = draft[member]
    const { form } = formMembers[member]
    if (typed === undefined || form === 'line' || form === 'seconds' || form === 'choice') return [member, typed]
    const [split, separator] = form === 'lines' ? [linesOf, '\n'] : [wordsOf, ' ']
    const [had, has, kept] = [split(typedOf(before, member)), split(typedOf(now, member)), split(typed)]
    return [member, [...kept, ...has.filter((one) => !had.includes(one) && !kept.includes(one))].join(separator)]
  })
  return Object.fromEntries(members.filter(([, typed]) => typed !== undefined))
}

export const wordsOf = (text: string): string[] => text.split(' ').filter((one) => one !== '')
