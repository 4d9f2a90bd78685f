import type { AddressUse } from './address-check.ts'
import type { Kind } from './safe-kinds.ts'
import { words } from './texts.ts'

type Form = 'line' | 'seconds' | 'lines' | 'scopes' | 'scopeList' | 'choice' | 'json'

/** The pages of an application that have a form. */
export type FormTab = 'settings' | 'addresses' | 'tokens' | 'branding' | 'secrets'

/**
 * How a member is written in a form: in a line, as a number of seconds, as lines of a list, as a choice among scopes (which the API
 * has as words, or as a list), as one of its values, or as JSON.
 */
export type Written<F extends Form = Form> = {
  form: F
  tab: FormTab
  /** The kinds of applications that have it; absent: every one. One that has a value is always shown. */
  of?: readonly Kind[]
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
  /**
   * Whether the member means anything beside the others, and to clients that authenticate by the method; absent: always. One that has
   * a value is always shown.
   */
  appliesTo?(typed: Typed, method: string): boolean
  /** Addresses whose lines are looked at as they are typed. */
  addresses?: AddressUse
}

/** What other members show. */
type Typed = (member: 'scope' | 'subject_type' | 'access_token_format') => string

/** Kinds with people who sign in, and those of them that are led back by a browser. */
const withPeople = ['spa', 'server', 'native', 'device'] as const
const withBrowser = ['spa', 'server', 'native'] as const

/** The members of an application that its forms change, in the order of each form. */
export const formMembers = {
  client_name: line({ tab: 'settings', label: () => words().common.name, required: true }),
  redirect_uris: lines({
    tab: 'addresses',
    of: withBrowser,
    label: () => words().applications.redirect,
    hint: () => words().applications.redirectHint,
    lines: 3,
    addresses: 'redirect',
  }),
  post_logout_redirect_uris: lines({
    tab: 'addresses',
    of: withBrowser,
    label: () => words().applications.afterSignOut,
    hint: () => words().applications.afterSignOutHint,
    lines: 2,
    addresses: 'redirect',
  }),
  web_origins: lines({
    tab: 'addresses',
    of: withBrowser,
    label: () => words().applications.webOrigins,
    hint: () => words().applications.webOriginsHint,
    lines: 2,
    addresses: 'origin',
  }),
  backchannel_logout_uri: line({
    tab: 'addresses',
    of: withPeople,
    label: () => words().applications.signOutNotices,
    hint: () => words().applications.signOutNoticesHint,
    addresses: 'called',
  }),
  frontchannel_logout_uri: line({
    tab: 'addresses',
    of: withBrowser,
    label: () => words().applications.signOutPage,
    hint: () => words().applications.signOutPageHint,
    addresses: 'called',
  }),
  initiate_login_uri: line({
    tab: 'addresses',
    of: withBrowser,
    label: () => words().applications.signInStart,
    hint: () => words().applications.signInStartHint,
    addresses: 'called',
  }),
  logout_confirmation: {
    form: 'choice',
    tab: 'addresses',
    of: withBrowser,
    label: () => words().applications.logoutConfirmation,
    hint: () => words().applications.logoutConfirmationHint,
    values: ['always', 'hint'],
  } satisfies Written<'choice'>,
  role_clients: lines({
    tab: 'settings',
    label: () => words().applications.roleClients,
    hint: () => words().applications.roleClientsHint,
    lines: 2,
  }),
  service_account_subject: line({
    tab: 'settings',
    of: ['machine'],
    label: () => words().applications.accountSubject,
    hint: () => words().applications.accountSubjectHint,
  }),
  service_account_roles: lines({
    tab: 'settings',
    of: ['machine'],
    label: () => words().applications.accountRoles,
    hint: () => words().applications.accountRolesHint,
    lines: 2,
  }),
  scope: { form: 'scopes', tab: 'settings', label: () => words().pages.scopes } satisfies Written<'scopes'>,
  default_scopes: {
    form: 'scopeList',
    tab: 'settings',
    label: () => words().applications.defaultScopes,
    hint: () => words().applications.defaultScopesHint,
    among: (typed: Typed) => wordsOf(typed('scope')),
  } satisfies Written<'scopeList'>,
  access_token_lifetime: seconds({
    label: () => words().applications.accessTokenLifetime,
    hint: () => words().applications.idTokenLifetimeHint,
  }),
  id_token_lifetime: seconds({
    of: withPeople,
    label: () => words().applications.idTokenLifetime,
    hint: () => words().applications.idTokenLifetimeHint,
  }),
  refresh_token_lifetime: seconds({
    of: withPeople,
    label: () => words().applications.refreshTokenLifetime,
    hint: () => words().applications.lifetimeHint,
  }),
  refresh_token_scope: {
    form: 'choice',
    tab: 'tokens',
    of: withPeople,
    label: () => words().applications.refreshTokenScope,
    hint: () => words().applications.refreshTokenScopeHint,
    values: ['offline_access', 'openid'],
  } satisfies Written<'choice'>,
  subject_type: {
    form: 'choice',
    tab: 'tokens',
    of: withPeople,
    label: () => words().applications.subjectType,
    hint: () => words().applications.subjectTypeHint,
    values: ['public', 'pairwise'],
  } satisfies Written<'choice'>,
  sector_identifier_uri: line({
    tab: 'tokens',
    label: () => words().applications.sector,
    hint: () => words().applications.sectorHint,
    appliesTo: (typed: Typed) => typed('subject_type') === 'pairwise',
    addresses: 'called',
  }),
  claim_shape: {
    form: 'choice',
    tab: 'tokens',
    label: () => words().applications.claimShape,
    hint: () => words().applications.claimShapeHint,
    values: ['plain', 'keycloak', 'aspnet'],
  } satisfies Written<'choice'>,
  access_token_format: {
    form: 'choice',
    tab: 'tokens',
    label: () => words().applications.accessTokenFormat,
    hint: () => words().applications.accessTokenFormatHint,
    values: ['jwt', 'opaque'],
  } satisfies Written<'choice'>,
  access_token_type: {
    form: 'choice',
    tab: 'tokens',
    label: () => words().applications.accessTokenType,
    hint: () => words().applications.accessTokenTypeHint,
    values: ['at+jwt', 'JWT'],
    appliesTo: (typed: Typed) => typed('access_token_format') === 'jwt',
  } satisfies Written<'choice'>,
  consent: {
    form: 'choice',
    tab: 'branding',
    label: () => words().applications.consent,
    hint: () => words().applications.consentHint,
    values: ['explicit', 'always', 'implicit', 'external'],
  } satisfies Written<'choice'>,
  contacts: lines({
    tab: 'branding',
    label: () => words().applications.contacts,
    hint: () => words().applications.contactsHint,
    lines: 2,
  }),
  jwks_uri: line({
    tab: 'secrets',
    label: () => words().applications.keysAddress,
    hint: () => words().applications.keysAddressHint,
    addresses: 'called',
  }),
  jwks: {
    form: 'json',
    tab: 'secrets',
    label: () => words().applications.keys,
    hint: () => words().applications.keysHint,
    lines: 6,
    fault: jsonFault,
  } satisfies Written<'json'>,
  tls_client_auth_subject_dn: certificateName('tls_client_auth_subject_dn'),
  tls_client_auth_san_dns: certificateName('tls_client_auth_san_dns'),
  tls_client_auth_san_uri: certificateName('tls_client_auth_san_uri'),
  tls_client_auth_san_ip: certificateName('tls_client_auth_san_ip'),
  tls_client_auth_san_email: certificateName('tls_client_auth_san_email'),
}

function line(written: Omit<Written<'line'>, 'form'>): Written<'line'> {
  return { form: 'line', ...written }
}

function lines(written: Omit<Written<'lines'>, 'form'>): Written<'lines'> {
  return { form: 'lines', ...written }
}

function seconds(written: Omit<Written<'seconds'>, 'form' | 'tab'>): Written<'seconds'> {
  return { form: 'seconds', tab: 'tokens', ...written }
}

/** RFC 8705 §2.1.2. */
function certificateName(member: string): Written<'line'> {
  return line({ tab: 'secrets', label: () => member, appliesTo: (_, method) => method === 'tls_client_auth' })
}

function jsonFault(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  try {
    JSON.parse(typed)
    return undefined
  } catch {
    return words().applications.faults.json
  }
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
        : F extends 'json'
          ? object
          : string
    : never
}

export const wordsOf = (text: string): string[] => text.split(' ').filter((one) => one !== '')
