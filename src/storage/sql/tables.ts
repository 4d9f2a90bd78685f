import type { Generated } from 'kysely'

/**
 * The tables as the code sees them. Columns `…_ms` are epoch milliseconds, flags are 0 and 1, lists are JSON text:
 * types that every engine supports. Constraints are in `migrations/`.
 */
export type Database = {
  readonly users: FullUsersTable
  readonly external_logins: ExternalLoginsTable
  readonly external_registrations: ExternalLoginsTable
  readonly weak_passwords: WeakPasswordsTable
  readonly imported_passwords: ImportedPasswordsTable
  readonly imported_consents: ImportedConsentsTable
  readonly user_search_keys: UserSearchKeysTable
  readonly user_search_fills: UserSearchFillsTable
  readonly passkeys: PasskeysTable
  readonly sessions: SessionsTable
  readonly known_browsers: KnownBrowsersTable
  readonly second_factors: SecondFactorsTable
  readonly clients: DeletableClientsTable
  readonly scopes: ScopesTable
  readonly authorizations: AuthorizationsTable
  readonly grants: GrantsTable
  readonly device_codes: DeviceCodesTable
  readonly revoked_access_tokens: RevokedAccessTokensTable
  readonly spent_values: SpentValuesTable
  readonly pushed_requests: PushedRequestsTable
  readonly session_clients: SessionClientsTable
  readonly logout_notices: LogoutNoticesTable
  readonly mails: MailsTable
  readonly registration_tokens: RegistrationTokensTable
  readonly client_registrations: ClientRegistrationsTable
  readonly confirmations: ConfirmationsTable
  readonly idempotency_keys: IdempotencyKeysTable
  readonly roles: RolesTable
  readonly catalogue: CatalogueTable
  readonly groups: GroupsTable
  readonly group_members: GroupMembersTable
  readonly attributes: AttributesTable
  readonly resources: ResourcesTable
  readonly attribute_values: AttributeValuesTable
  readonly pairwise_subjects: PairwiseSubjectsTable
  readonly imports: ImportsTable
  readonly import_failures: ImportFailuresTable
  readonly import_origins: ImportOriginsTable
  readonly import_sources: ImportSourcesTable
  readonly set_up_marks: SetUpMarksTable
  readonly provider_sources: ProviderSourcesTable
  readonly branding: BrandingTable
  readonly uptimes: UptimesTable
  readonly activity_hours: ActivityHoursTable
  readonly client_activity: ClientActivityTable
  readonly keys: KeysTable
  readonly audit_entries: AuditEntriesTable
  readonly audit_checkpoints: AuditCheckpointsTable
  readonly removals: RemovalsTable
  readonly leases: LeasesTable
  readonly servers: ServersTable
  readonly moves: MovesTable
}

export type UsersTable = {
  id: string
  name: string
  normalized_name: string
  email: string
  normalized_email: string
  email_confirmed: number
  password_hash: string | null
  roles: string
  disabled: number
  locked_until_ms: number | null
  failed_attempts: number
  lockout_began_at_ms: number | null
  sessions_ended_at_ms: number | null
  grants_ended_at_ms: number | null
  created_at_ms: number
  updated_at_ms: number
  version: number
  /** JSON text; null: none. */
  claims: string | null
  deletion_due_at_ms: number | null
  unclaimed: number
  /** JSON text; null: none. */
  attributes: string | null
  /** A JSON list. */
  required_actions: string
  had_second_factor: number
}

/** Adds a column that registration and renaming write and only they read, never a sign-in or a token request. */
export type NamedUsersTable = UsersTable & {
  /** `skeletonOf` the name. Null if an older account has the same one; that account keeps it. Unique. */
  name_skeleton: string | null
}

/** Adds a column that is read with a person, and written by the verbs of `pairwise-subjects.ts` alone. */
export type FullUsersTable = NamedUsersTable & {
  /** JSON text of the rows in `pairwise_subjects`, by sector; null: none. */
  pairwise_subjects: string | null
}

/** Pairwise subject identifiers that imports brought. */
export type PairwiseSubjectsTable = {
  sector: string
  subject: string
  user_id: string
}

export type ImportedPasswordsTable = {
  user_id: string
  mark: string
  /** 1: the person has another password since. */
  replaced: number
}

export type ImportOriginsTable = {
  kind: string
  origin: string
  source_key: string
  id: string
  /** JSON; null: the record was deleted here. */
  marks: string | null
  seen_at_ms: number
}

export type ExternalLoginsTable = {
  provider: string
  subject: string
  user_id: string
  created_at_ms: number
}

/** Users whose imported password hash waits to be wrapped. */
export type WeakPasswordsTable = {
  user_id: string
}

/** What users are found by (`searchKeys`), derived from their rows. */
export type UserSearchKeysTable = {
  key: string
  user_id: string
}

/** The addition of the keys of users who were there before the table was: one row, which stays. None: it did not begin. */
export type UserSearchFillsTable = {
  name: string
  /** The keys of users up to this id are there. */
  after_id: string
  people: number
  began_at_ms: number
  done: number
}

export type PasskeysTable = {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  counter: number
  name: string
  synced: number
  attested: number
  /** 1: it signs nobody in without a password. */
  second_factor: number
  /** Null: not known. */
  aaguid: string | null
  /** Base64url; null: the id of the person. */
  user_handle: string | null
  transports: string
  created_at_ms: number
  /** Null: not used yet. */
  last_used_at_ms: number | null
}

export type SessionsTable = {
  id: string
  secret_hash: string
  user_id: string
  authenticated_at_ms: number
  method: string
  persistent: number
  created_at_ms: number
  expires_at_ms: number
  last_seen_at_ms: number
  client_address: string
  user_agent: string
}

export type KnownBrowsersTable = {
  id: string
  user_id: string
  created_at_ms: number
  last_used_at_ms: number
  expires_at_ms: number
  failed_attempts: number
  locked_until_ms: number | null
  /** Null: an older version stored the browser. */
  user_agent: string | null
  /** Null: not remembered. */
  second_factor_until_ms: number | null
}

export type SecondFactorsTable = {
  user_id: string
  /** This and the following two: null together. The secret is sealed. */
  totp_secret: string | null
  totp_since_ms: number | null
  totp_last_step: number | null
  /** Null: it has no name. */
  totp_name: string | null
  /** JSON text of the apps beside this one; null: none. */
  further_apps: string | null
  /** This and the following: null together. */
  pending_secret: string | null
  pending_until_ms: number | null
  recovery_hashes: string
  /** Null: there are none, or an earlier version stored them. */
  recovery_since_ms: number | null
  /** JSON text; null: none. */
  mail_code: string | null
  mail_barred: number
  failed_attempts: number
  paused_until_ms: number | null
  /** JSON text; null: none. */
  wrong_codes: string | null
  version: number
}

export type ClientsTable = {
  id: string
  name: string
  type: string
  secret_hash: string | null
  consent: string
  require_pkce: number
  redirect_uris: string
  post_logout_redirect_uris: string
  scopes: string
  created_at_ms: number
  previous_secret_hash: string | null
  /** Null together with the hash. */
  previous_secret_ends_at_ms: number | null
  /** Null: the default grant types. */
  grant_types: string | null
  /** Null: the default metadata. */
  metadata: string | null
  version: number
}

/** Adds a column that only statements read. */
export type DeletableClientsTable = ClientsTable & {
  /** 1: nothing of the client is valid, and its row goes once its grants and consents are removed. */
  deleted: Generated<number>
}

/** What was deleted, and is not yet taken from every row that has it. `kind`: `client`, `group`, `scope` or `role`. */
export type RemovalsTable = {
  kind: string
  name: string
  at_ms: number
  /** The table that the work came to, and the last row of it that is done. */
  part: string
  after_id: string
}

export type ScopesTable = {
  name: string
  display_name: string | null
  description: string | null
  resources: string
  created_at_ms: number
  /** Rules as JSON; null: none. */
  claims: string | null
  /** JSON object of texts by language; null: none. */
  purposes: string | null
  /** JSON object of texts by member with language; null: none. */
  localized: string | null
  /** Null: that of the client. */
  access_token_type: string | null
}

/** `claims` is a JSON list of rules. */
export type ResourcesTable = {
  identifier: string
  claims: string
  version: number
}

export type AuthorizationsTable = {
  id: string
  user_id: string
  client_id: string
  scopes: string
  /** SHA-256 of the scope set, so that the index stays short however many scopes there are. */
  scope_set: string
  created_at_ms: number
  /** JSON list of the claims of rules that it was given to; null: none. */
  claims: string | null
  /** 1: an operator stored it; null: the person gave it. */
  by_operator: number | null
}

/** A grant with its refresh chain. The columns of the chain are null together. */
export type GrantsTable = {
  id: string
  client_id: string
  user_id: string
  authorization_id: string | null
  scopes: string
  resources: string
  authenticated_at_ms: number
  method: string
  nonce: string | null
  created_at_ms: number
  revoked_at_ms: number | null
  expires_at_ms: number
  generation: number | null
  salt: string | null
  derivation_key_id: string | null
  refresh_expires_at_ms: number | null
  rotated_at_ms: string | null
  /** Null: the secret has been in use since the first generation. */
  derived_from: number | null
  /** Null: an older version redeemed the grant. */
  session_id: string | null
  /** JSON; null: not bound. */
  confirmation: string | null
  /** JSON text; null: none. */
  claims: string | null
}

export type DeviceCodesTable = {
  id: string
  secret_hash: string
  user_code_hash: string
  client_id: string
  scopes: string
  resources: string
  created_at_ms: number
  /** When the codes end. */
  ends_at_ms: number
  /** When the row may be removed. */
  expires_at_ms: number
  /** `approved` or `denied`; null: not answered yet. */
  answer: string | null
  /** This and the following: null unless approved. */
  user_id: string | null
  authorization_id: string | null
  session_id: string | null
  authenticated_at_ms: number | null
  method: string | null
  answered_at_ms: number | null
}

export type RevokedAccessTokensTable = {
  jti: string
  expires_at_ms: number
}

export type SpentValuesTable = {
  id: string
  expires_at_ms: number
}

/** `parameters` is a JSON array of pairs. */
export type PushedRequestsTable = {
  id: string
  secret_hash: string
  client_id: string
  parameters: string
  signed: number
  created_at_ms: number
  opens_until_ms: number
  completed_at_ms: number | null
  expires_at_ms: number
}

/** What a code or a link by mail confirms. */
export type ConfirmationsTable = {
  id: string
  purpose: string
  subject: string
  user_id: string | null
  token_hash: string
  code_hash: string | null
  browser_hash: string | null
  attempts: number
  confirmed_at_ms: number | null
  details: string
  created_at_ms: number
  expires_at_ms: number
  begun_by: string | null
  session_id: string | null
  held_name: string | null
  held_skeleton: string | null
}

/** A client that was told the session's `sid`. A row of a session that no longer exists is a notice to queue. */
export type SessionClientsTable = {
  session_id: string
  client_id: string
  /** The value in the client's id tokens: after a new sign-in in the same browser, that of an earlier session. */
  sid: string
  user_id: string
}

/** Logout tokens to send. */
export type LogoutNoticesTable = {
  /** `sid`, a dot and the client's id: a notice is queued once. */
  id: string
  client_id: string
  user_id: string
  sid: string
  /** Attempts that began. */
  attempts: number
  /** When the next attempt may begin; 0: at once. */
  due_at_ms: number
}

/** The outbox of mails. */
export type MailsTable = {
  id: string
  recipient: string
  /** Whom the mail is about; null: nobody with an account. */
  user_id: string | null
  purpose: string
  /** Sealed under the key ring, because it has codes and links. Null once it was sent, or can never be sent. */
  content: string | null
  /** `queued`, `sent` or `failed`. */
  state: string
  /** Attempts that began. */
  attempts: number
  /** When the next attempt may begin; null unless queued. */
  next_at_ms: number | null
  error: string | null
  created_at_ms: number
  /** From when on it is not sent any more. */
  ends_at_ms: number
  /** When the row may be removed. */
  expires_at_ms: number
  /** Of a notice: account, purpose and the span of time in which one mail stands for all. Unique. Null: no notice. */
  notice_key: string | null
  /** How many notices followed the first within that span. */
  gathered: number
}

/** `permits`: JSON; null: none. */
export type RegistrationTokensTable = {
  id: string
  secret_hash: string
  uses_left: number
  created_at_ms: number
  expires_at_ms: number
  permits: string | null
}

/** `expires_at_ms` is `neverMs` for a client that stays, used or not. */
export type ClientRegistrationsTable = {
  id: string
  client_id: string
  secret_hash: string
  created_at_ms: number
  expires_at_ms: number
}

/** Imports that did not end yet. `counts` is JSON text. */
export type ImportsTable = {
  id: string
  kind: string
  records_read: number
  counts: string
  started_at_ms: number
}

/** What they left out, and what is to be said of what they brought. */
export type ImportFailuresTable = {
  import_id: string
  record: number
  line: number
  /** Empty: the record came, and something is to be said of it. */
  reason: string
  /** JSON text: the other members of `ImportFailure`. */
  found: string | null
}

/** Consents of another system whose person or client may not be there yet. */
export type ImportedConsentsTable = {
  user_id: string
  client_id: string
  scopes: string
  by_operator: number
  since_ms: number
}

/** What the installation was filled from, by kind. */
export type ImportSourcesTable = { kind: string; name: string; since_ms: number }

/** What was done to set the installation up (`port/set-up.ts`). */
export type SetUpMarksTable = { name: string; at_ms: number }

export type ProviderSourcesTable = { provider: string; source: string; since_ms: number }

/** `members`: JSON text. */
export type BrandingTable = { name: string; members: string; version: number; updated_at_ms: number }

export type IdempotencyKeysTable = {
  id: string
  body_hash: string
  /** This and the following: null together, before the request was answered. */
  status: number | null
  answer: string | null
  expires_at_ms: number
}

export type RolesTable = {
  name: string
  description: string | null
  created_at_ms: number
  /** A JSON list; null: nothing. */
  includes: string | null
  is_default: number
}

/** At most one row: the version of groups and of whatever else is looked up for every person. None: nothing was changed yet. */
export type CatalogueTable = {
  name: string
  version: number
}

/** `roles` is a JSON list. */
export type GroupsTable = {
  id: string
  name: string
  /** Null: top level. */
  parent_id: string | null
  description: string | null
  roles: string
  created_at_ms: number
  version: number
}

export type GroupMembersTable = {
  group_id: string
  user_id: string
}

/** `definition` is JSON. */
export type AttributesTable = {
  name: string
  definition: string
  is_unique: number
  created_at_ms: number
  version: number
  /** How often its values were checked against another type. */
  checks: number
}

/**
 * `value`: the text by which it is found and compared (`keysOf`). `is_unique`: that of the attribute. `checks`: those of the attribute when
 * the value was stored.
 */
export type AttributeValuesTable = {
  user_id: string
  attribute: string
  value: string
  is_unique: number
  checks: number
}

/** Counts of what happened in the hour. */
export type ActivityHoursTable = {
  hour_ms: number
  sign_in: number
  sign_in_failed: number
  tokens_issued: number
  refusal: number
  error: number
}

/** Counts of what a client did in a day of UTC. `last_at_ms`: when it last got tokens that day. */
export type ClientActivityTable = {
  client_id: string
  day_ms: number
  sign_ins: number
  tokens: number
  last_at_ms: number
}

export type UptimesTable = {
  id: string
  from_ms: number
  through_ms: number
  expires_at_ms: number
}

export type KeysTable = {
  id: string
  use: string
  algorithm: string
  public_jwk: string | null
  wrapped: string
  created_at_ms: number
  active_at_ms: number
  expires_at_ms: number | null
  /** `use:algorithm` for the first key of its kind, otherwise null. Unique: it decides the race between nodes. */
  first_of: string | null
  /** 1: clients alone asked for it. */
  for_clients: number | null
}

/** `details` is JSON text. */
export type AuditEntriesTable = {
  at_ms: number
  writer: string
  seq: number
  kind: string
  user_id: string | null
  client_id: string | null
  trace_id: string | null
  address: string | null
  details: string
  hash: string
}

export type AuditCheckpointsTable = {
  number: number
  at_ms: number
  statement: string
}

export type ServersTable = {
  id: string
  host: string
  pid: number
  started_at_ms: number
  seen_at_ms: number
}

/** Work that one process at a time does for all. */
export type LeasesTable = {
  name: string
  holder: string
  /** By the clock of the database. */
  until_ms: number
}

/** At most one row; `name` is constant. */
export type MovesTable = {
  name: string
  moved_to: string
  at_ms: number
  settled: number
}

/** The key of the row of `moves` that a database has while it is filled; `moved_to` then names where from. */
export const arriving = 'arriving'

/** Tables about this database itself. Backups and copies omit their rows. */
export const ownTables = ['servers', 'leases', 'moves'] as const satisfies readonly (keyof Database)[]

/** All other tables, in insertion order: referenced tables come first. */
export const tables = [
  'users',
  'external_logins',
  'external_registrations',
  'weak_passwords',
  'imported_passwords',
  'imported_consents',
  'user_search_keys',
  'user_search_fills',
  'passkeys',
  'sessions',
  'known_browsers',
  'second_factors',
  'clients',
  'scopes',
  'removals',
  'authorizations',
  'grants',
  'device_codes',
  'revoked_access_tokens',
  'spent_values',
  'pushed_requests',
  'session_clients',
  'logout_notices',
  'mails',
  'registration_tokens',
  'client_registrations',
  'confirmations',
  'idempotency_keys',
  'roles',
  'catalogue',
  'groups',
  'group_members',
  'attributes',
  'resources',
  'attribute_values',
  'pairwise_subjects',
  'imports',
  'import_failures',
  'import_origins',
  'import_sources',
  'set_up_marks',
  'provider_sources',
  'branding',
  'uptimes',
  'activity_hours',
  'client_activity',
  'keys',
  'audit_entries',
  'audit_checkpoints',
] as const satisfies readonly (keyof Database)[]

export type TableName = (typeof tables)[number]

/** Tables that could be made anew from others. */
export const derivedTables: ReadonlySet<TableName> = new Set<TableName>(['user_search_keys', 'user_search_fills'])

/**
 * The columns of tables whose statements read or write whole rows. Inserts, updates and selections are built from these
 * lists, in this order. Statements on other tables name their few columns themselves.
 */
export const columns = {
  users: [
    'id',
    'name',
    'normalized_name',
    'email',
    'normalized_email',
    'email_confirmed',
    'password_hash',
    'roles',
    'disabled',
    'locked_until_ms',
    'failed_attempts',
    'lockout_began_at_ms',
    'sessions_ended_at_ms',
    'grants_ended_at_ms',
    'created_at_ms',
    'updated_at_ms',
    'version',
    'claims',
    'deletion_due_at_ms',
    'unclaimed',
    'attributes',
    'required_actions',
    'had_second_factor',
  ],
  external_logins: ['provider', 'subject', 'user_id', 'created_at_ms'],
  external_registrations: ['provider', 'subject', 'user_id', 'created_at_ms'],
  imported_passwords: ['user_id', 'mark', 'replaced'],
  import_origins: ['kind', 'origin', 'source_key', 'id', 'marks', 'seen_at_ms'],
  imported_consents: ['user_id', 'client_id', 'scopes', 'by_operator', 'since_ms'],
  passkeys: [
    'id',
    'user_id',
    'credential_id',
    'public_key',
    'counter',
    'name',
    'synced',
    'attested',
    'second_factor',
    'aaguid',
    'user_handle',
    'transports',
    'created_at_ms',
    'last_used_at_ms',
  ],
  sessions: [
    'id',
    'secret_hash',
    'user_id',
    'authenticated_at_ms',
    'method',
    'persistent',
    'created_at_ms',
    'expires_at_ms',
    'last_seen_at_ms',
    'client_address',
    'user_agent',
  ],
  known_browsers: [
    'id',
    'user_id',
    'created_at_ms',
    'last_used_at_ms',
    'expires_at_ms',
    'failed_attempts',
    'locked_until_ms',
    'user_agent',
    'second_factor_until_ms',
  ],
  second_factors: [
    'user_id',
    'totp_secret',
    'totp_since_ms',
    'totp_last_step',
    'totp_name',
    'further_apps',
    'pending_secret',
    'pending_until_ms',
    'recovery_hashes',
    'recovery_since_ms',
    'mail_code',
    'mail_barred',
    'failed_attempts',
    'paused_until_ms',
    'wrong_codes',
    'version',
  ],
  clients: every<ClientsTable>()([
    'id',
    'name',
    'type',
    'secret_hash',
    'consent',
    'require_pkce',
    'redirect_uris',
    'post_logout_redirect_uris',
    'scopes',
    'created_at_ms',
    'previous_secret_hash',
    'previous_secret_ends_at_ms',
    'grant_types',
    'metadata',
    'version',
  ]),
  scopes: [
    'name',
    'display_name',
    'description',
    'resources',
    'created_at_ms',
    'claims',
    'purposes',
    'localized',
    'access_token_type',
  ],
  authorizations: ['id', 'user_id', 'client_id', 'scopes', 'scope_set', 'created_at_ms', 'claims', 'by_operator'],
  grants: [
    'id',
    'client_id',
    'user_id',
    'authorization_id',
    'scopes',
    'resources',
    'authenticated_at_ms',
    'method',
    'nonce',
    'created_at_ms',
    'revoked_at_ms',
    'expires_at_ms',
    'generation',
    'salt',
    'derivation_key_id',
    'refresh_expires_at_ms',
    'rotated_at_ms',
    'derived_from',
    'session_id',
    'confirmation',
    'claims',
  ],
  confirmations: [
    'id',
    'purpose',
    'subject',
    'user_id',
    'token_hash',
    'code_hash',
    'browser_hash',
    'attempts',
    'confirmed_at_ms',
    'details',
    'created_at_ms',
    'expires_at_ms',
    'begun_by',
    'session_id',
    'held_name',
    'held_skeleton',
  ],
  pushed_requests: [
    'id',
    'secret_hash',
    'client_id',
    'parameters',
    'signed',
    'created_at_ms',
    'opens_until_ms',
    'completed_at_ms',
    'expires_at_ms',
  ],
  device_codes: [
    'id',
    'secret_hash',
    'user_code_hash',
    'client_id',
    'scopes',
    'resources',
    'created_at_ms',
    'ends_at_ms',
    'expires_at_ms',
    'answer',
    'user_id',
    'authorization_id',
    'session_id',
    'authenticated_at_ms',
    'method',
    'answered_at_ms',
  ],
  mails: [
    'id',
    'recipient',
    'user_id',
    'purpose',
    'content',
    'state',
    'attempts',
    'next_at_ms',
    'error',
    'created_at_ms',
    'ends_at_ms',
    'expires_at_ms',
    'notice_key',
    'gathered',
  ],
  registration_tokens: ['id', 'secret_hash', 'uses_left', 'created_at_ms', 'expires_at_ms', 'permits'],
  client_registrations: ['id', 'client_id', 'secret_hash', 'created_at_ms', 'expires_at_ms'],
  idempotency_keys: ['id', 'body_hash', 'status', 'answer', 'expires_at_ms'],
  roles: ['name', 'description', 'created_at_ms', 'includes', 'is_default'],
  attributes: ['name', 'definition', 'is_unique', 'created_at_ms', 'version', 'checks'],
  pairwise_subjects: ['sector', 'subject', 'user_id'],
  attribute_values: ['user_id', 'attribute', 'value', 'is_unique', 'checks'],
  resources: ['identifier', 'claims', 'version'],
  groups: ['id', 'name', 'parent_id', 'description', 'roles', 'created_at_ms', 'version'],
  removals: ['kind', 'name', 'at_ms', 'part', 'after_id'],
  imports: ['id', 'kind', 'records_read', 'counts', 'started_at_ms'],
  import_failures: ['import_id', 'record', 'line', 'reason', 'found'],
  import_sources: ['kind', 'name', 'since_ms'],
  set_up_marks: ['name', 'at_ms'],
  provider_sources: ['provider', 'source', 'since_ms'],
  branding: ['name', 'members', 'version', 'updated_at_ms'],
  uptimes: ['id', 'from_ms', 'through_ms', 'expires_at_ms'],
  activity_hours: ['hour_ms', 'sign_in', 'sign_in_failed', 'tokens_issued', 'refusal', 'error'],
  client_activity: ['client_id', 'day_ms', 'sign_ins', 'tokens', 'last_at_ms'],
  keys: [
    'id',
    'use',
    'algorithm',
    'public_jwk',
    'wrapped',
    'created_at_ms',
    'active_at_ms',
    'expires_at_ms',
    'first_of',
    'for_clients',
  ],
  audit_entries: ['at_ms', 'writer', 'seq', 'kind', 'user_id', 'client_id', 'trace_id', 'address', 'details', 'hash'],
  audit_checkpoints: ['number', 'at_ms', 'statement'],
  servers: ['id', 'host', 'pid', 'started_at_ms', 'seen_at_ms'],
} as const satisfies { readonly [Table in keyof Database]?: readonly (keyof Database[Table])[] }

/** Lists all columns of a table: a record would lose what is in one that is left out. */
function every<Table>() {
  return <const Names extends readonly (keyof Table)[]>(
    names: Names & ([keyof Table] extends [Names[number]] ? unknown : { missing: Exclude<keyof Table, Names[number]> }),
  ): Names => names
}

/**
 * The columns of a table, each as `<prefix>_<column>`. One read can then return rows of several tables, and each record
 * needs a single decoder.
 */
export function prefixed<Table extends string, Prefix extends string, Column extends string>(
  table: Table,
  prefix: Prefix,
  names: readonly Column[],
) {
  return names.map((name) => `${table}.${name} as ${prefix}_${name}`) as {
    [Name in Column]: `${Table}.${Name} as ${Prefix}_${Name}`
  }[Column][]
}

/** A row of `prefixed` columns. */
export type Prefixed<Prefix extends string, Table> = {
  readonly [Name in keyof Table & string as `${Prefix}_${Name}`]: Table[Name]
}

/** An outer-joined row; all columns are null without a match. */
export type Joined<Row> = { readonly [Name in keyof Row]: Row[Name] | null }

/** Encodes a list for storage. */
export const listToText = (list: readonly (string | number)[]): string => JSON.stringify(list)

/** Decodes a stored list of texts. Cached, because requests read the same few lists of scopes and roles. */
export function textToList(text: string): readonly string[] {
  const known = lists.get(text)
  if (known !== undefined) return known
  const list: readonly string[] = Object.freeze(JSON.parse(text))
  if (text.length > rememberedLength) return list
  if (lists.size >= rememberedLists) lists.clear()
  lists.set(text, list)
  return list
}

const lists = new Map<string, readonly string[]>()
const rememberedLists = 1000
const rememberedLength = 2000
