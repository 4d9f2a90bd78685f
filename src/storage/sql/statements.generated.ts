// Made by compile.ts from the statements in this folder.
import type { CompiledStatement, Dialect } from './prepared.ts'

export const statements: Readonly<Record<Dialect, Readonly<Record<string, CompiledStatement>>>> = {
  "sqlite": {
    "access-tokens.insertRevoked": {
      "text": "insert into \"revoked_access_tokens\" (\"jti\", \"expires_at_ms\") values (?, ?) on conflict do nothing",
      "toParameters": (v) => [v.jti, v.expires_at_ms]
    },
    "access-tokens.standing": {
      "text": "select \"grants\".\"id\" from \"grants\" inner join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" where \"grants\".\"id\" = ? and \"grants\".\"revoked_at_ms\" is null and (\"grants\".\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = ?)",
      "toParameters": (v) => [v.grant_id, v.jti],
      "toRow": (v) => ({ id: v[0] })
    },
    "audit.checkpoints": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" where \"number\" > ? order by \"number\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ number: v[0], at_ms: v[1], statement: v[2] })
    },
    "audit.filtered": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast(? as bigint), cast(? as text), cast(? as bigint)) and at_ms <= ? and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\", \"writer\", \"seq\" limit ?",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.insertCheckpoint": {
      "text": "insert into \"audit_checkpoints\" (\"number\", \"at_ms\", \"statement\") values (?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.number, v.at_ms, v.statement]
    },
    "audit.lastCheckpoint": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" order by \"number\" desc limit ?",
      "toParameters": (v) => [v.rows],
      "toRow": (v) => ({ number: v[0], at_ms: v[1], statement: v[2] })
    },
    "audit.newest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"at_ms\" >= ? and at_ms <= ? and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit ?",
      "toParameters": (v) => [v.since_ms, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.refusalsOfTrace": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where kind = 'refusal' and \"trace_id\" = ? order by \"at_ms\", \"writer\", \"seq\"",
      "toParameters": (v) => [v.trace_id],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.removeBefore": {
      "text": "delete from \"audit_entries\" where \"at_ms\" >= ? and \"at_ms\" < ?",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.stored": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast(? as bigint), cast(? as text), cast(? as bigint)) order by \"at_ms\", \"writer\", \"seq\" limit ?",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.tails": {
      "text": "select \"e\".\"at_ms\", \"e\".\"writer\", \"e\".\"seq\", \"e\".\"hash\" from (select \"at_ms\", \"writer\", \"seq\", \"hash\", row_number() over(partition by \"writer\" order by \"seq\" desc, \"at_ms\" desc) as \"place\" from \"audit_entries\" where \"at_ms\" >= ? and \"at_ms\" < ?) as \"e\" where \"e\".\"place\" = 1",
      "toParameters": (v) => [v.from_ms, v.before_ms],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], hash: v[3] })
    },
    "audit.timeOf": {
      "text": "select \"at_ms\" from \"audit_entries\" where \"at_ms\" >= ? order by \"at_ms\", \"writer\", \"seq\" limit ? offset ?",
      "toParameters": (v) => [v.from_ms, v.rows, v.skip],
      "toRow": (v) => ({ at_ms: v[0] })
    },
    "authorizations.deleteAuthorization": {
      "text": "delete from \"authorizations\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "authorizations.forRequest": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? left join \"sessions\" on \"sessions\".\"id\" = ? left join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"user_id\" = \"users\".\"id\" and \"authorizations\".\"client_id\" = \"clients\".\"id\" and \"authorizations\".\"scope_set\" = ? left join \"scopes\" on \"scopes\".\"name\" in (select value from json_each(?))",
      "toParameters": (v) => [v.client_id, v.session_id, v.scope_set, v.scopes],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], s_id: v[10], s_secret_hash: v[11], s_user_id: v[12], s_authenticated_at_ms: v[13], s_method: v[14], s_persistent: v[15], s_created_at_ms: v[16], s_expires_at_ms: v[17], s_last_seen_at_ms: v[18], s_client_address: v[19], s_user_agent: v[20], u_id: v[21], u_name: v[22], u_normalized_name: v[23], u_email: v[24], u_normalized_email: v[25], u_email_confirmed: v[26], u_password_hash: v[27], u_roles: v[28], u_disabled: v[29], u_locked_until_ms: v[30], u_failed_attempts: v[31], u_lockout_began_at_ms: v[32], u_sessions_ended_at_ms: v[33], u_grants_ended_at_ms: v[34], u_created_at_ms: v[35], u_updated_at_ms: v[36], u_version: v[37], a_id: v[38], a_user_id: v[39], a_client_id: v[40], a_scopes: v[41], a_scope_set: v[42], a_created_at_ms: v[43], sc_name: v[44], sc_display_name: v[45], sc_description: v[46], sc_resources: v[47], sc_created_at_ms: v[48] })
    },
    "authorizations.insertAuthorization": {
      "text": "insert into \"authorizations\" (\"id\", \"user_id\", \"client_id\", \"scopes\", \"scope_set\", \"created_at_ms\") select ? as \"id\", ? as \"user_id\", ? as \"client_id\", ? as \"scopes\", ? as \"scope_set\", ? as \"created_at_ms\" where exists (select \"id\" from \"users\" where \"id\" = ?) and exists (select \"id\" from \"clients\" where \"id\" = ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.user_id, v.client_id, v.scopes, v.scope_set, v.created_at_ms, v.user_id, v.client_id]
    },
    "authorizations.ofUser": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\" from \"authorizations\" where \"user_id\" = ? order by \"created_at_ms\", \"id\"",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5] })
    },
    "authorizations.parties": {
      "text": "select \"users\".\"id\" from \"users\" inner join \"clients\" on \"clients\".\"id\" = ? where \"users\".\"id\" = ?",
      "toParameters": (v) => [v.client_id, v.user_id],
      "toRow": (v) => ({ id: v[0] })
    },
    "authorizations.standing": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\" from \"authorizations\" where \"user_id\" = ? and \"client_id\" = ? and \"scope_set\" = ?",
      "toParameters": (v) => [v.user_id, v.client_id, v.scope_set],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5] })
    },
    "candidates.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" in (select value from json_each(?)) where \"provider\" = ? and \"subject\" = ?",
      "toParameters": (v) => [v.browsers, v.provider, v.subject],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], k_id: v[17], k_user_id: v[18], k_created_at_ms: v[19], k_last_used_at_ms: v[20], k_expires_at_ms: v[21], k_failed_attempts: v[22], k_locked_until_ms: v[23] })
    },
    "candidates.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", (select count(*) as \"count\" from \"sessions\" where \"sessions\".\"user_id\" = \"users\".\"id\") as \"sessions\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = ? where \"users\".\"id\" = ?",
      "toParameters": (v) => [v.browser_id, v.id],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], k_id: v[17], k_user_id: v[18], k_created_at_ms: v[19], k_last_used_at_ms: v[20], k_expires_at_ms: v[21], k_failed_attempts: v[22], k_locked_until_ms: v[23], sessions: v[24] })
    },
    "candidates.byNameOrEmail": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" in (select value from json_each(?)) where (\"normalized_name\" = ? or \"normalized_email\" = ?) order by \"normalized_name\" = ? desc limit ?",
      "toParameters": (v) => [v.browsers, v.text, v.text, v.text, 1],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], k_id: v[17], k_user_id: v[18], k_created_at_ms: v[19], k_last_used_at_ms: v[20], k_expires_at_ms: v[21], k_failed_attempts: v[22], k_locked_until_ms: v[23] })
    },
    "clients.all": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\" from \"clients\"",
      "toParameters": () => [],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9] })
    },
    "clients.byId": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\" from \"clients\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9] })
    },
    "clients.deleteClient": {
      "text": "delete from \"clients\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "clients.deleteGrants": {
      "text": "delete from \"grants\" where \"client_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "clients.insertClient": {
      "text": "insert into \"clients\" (\"id\", \"name\", \"type\", \"secret_hash\", \"consent\", \"require_pkce\", \"redirect_uris\", \"post_logout_redirect_uris\", \"scopes\", \"created_at_ms\") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.type, v.secret_hash, v.consent, v.require_pkce, v.redirect_uris, v.post_logout_redirect_uris, v.scopes, v.created_at_ms]
    },
    "grants.forExchange": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? left join \"users\" on \"users\".\"id\" = ? left join \"grants\" on \"grants\".\"id\" = ? left join \"authorizations\" on \"authorizations\".\"id\" = ?",
      "toParameters": (v) => [v.client_id, v.user_id, v.grant_id, v.authorization_id],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], u_id: v[10], u_name: v[11], u_normalized_name: v[12], u_email: v[13], u_normalized_email: v[14], u_email_confirmed: v[15], u_password_hash: v[16], u_roles: v[17], u_disabled: v[18], u_locked_until_ms: v[19], u_failed_attempts: v[20], u_lockout_began_at_ms: v[21], u_sessions_ended_at_ms: v[22], u_grants_ended_at_ms: v[23], u_created_at_ms: v[24], u_updated_at_ms: v[25], u_version: v[26], g_id: v[27], g_client_id: v[28], g_user_id: v[29], g_authorization_id: v[30], g_scopes: v[31], g_resources: v[32], g_authenticated_at_ms: v[33], g_method: v[34], g_nonce: v[35], g_created_at_ms: v[36], g_revoked_at_ms: v[37], g_expires_at_ms: v[38], g_generation: v[39], g_salt: v[40], g_derivation_key_id: v[41], g_refresh_expires_at_ms: v[42], g_rotated_at_ms: v[43], consent_id: v[44] })
    },
    "grants.forRefresh": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? left join \"grants\" on \"grants\".\"id\" = ? left join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"grants\".\"authorization_id\"",
      "toParameters": (v) => [v.client_id, v.grant_id],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], u_id: v[10], u_name: v[11], u_normalized_name: v[12], u_email: v[13], u_normalized_email: v[14], u_email_confirmed: v[15], u_password_hash: v[16], u_roles: v[17], u_disabled: v[18], u_locked_until_ms: v[19], u_failed_attempts: v[20], u_lockout_began_at_ms: v[21], u_sessions_ended_at_ms: v[22], u_grants_ended_at_ms: v[23], u_created_at_ms: v[24], u_updated_at_ms: v[25], u_version: v[26], g_id: v[27], g_client_id: v[28], g_user_id: v[29], g_authorization_id: v[30], g_scopes: v[31], g_resources: v[32], g_authenticated_at_ms: v[33], g_method: v[34], g_nonce: v[35], g_created_at_ms: v[36], g_revoked_at_ms: v[37], g_expires_at_ms: v[38], g_generation: v[39], g_salt: v[40], g_derivation_key_id: v[41], g_refresh_expires_at_ms: v[42], g_rotated_at_ms: v[43], consent_id: v[44] })
    },
    "grants.insertGrant": {
      "text": "insert into \"grants\" (\"id\", \"client_id\", \"user_id\", \"authorization_id\", \"scopes\", \"resources\", \"authenticated_at_ms\", \"method\", \"nonce\", \"created_at_ms\", \"revoked_at_ms\", \"expires_at_ms\", \"generation\", \"salt\", \"derivation_key_id\", \"refresh_expires_at_ms\", \"rotated_at_ms\") select ? as \"id\", ? as \"client_id\", ? as \"user_id\", ? as \"authorization_id\", ? as \"scopes\", ? as \"resources\", ? as \"authenticated_at_ms\", ? as \"method\", ? as \"nonce\", ? as \"created_at_ms\", ? as \"revoked_at_ms\", ? as \"expires_at_ms\", ? as \"generation\", ? as \"salt\", ? as \"derivation_key_id\", ? as \"refresh_expires_at_ms\", ? as \"rotated_at_ms\" where (cast(? as text) is null or exists (select \"id\" from \"authorizations\" where \"id\" = ?)) and exists (select \"id\" from \"users\" where \"id\" = ?) and exists (select \"id\" from \"clients\" where \"id\" = ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.client_id, v.user_id, v.authorization_id, v.scopes, v.resources, v.authenticated_at_ms, v.method, v.nonce, v.created_at_ms, v.revoked_at_ms, v.expires_at_ms, v.generation, v.salt, v.derivation_key_id, v.refresh_expires_at_ms, v.rotated_at_ms, v.authorization_id, v.authorization_id, v.user_id, v.client_id]
    },
    "grants.revokeGrant": {
      "text": "update \"grants\" set \"revoked_at_ms\" = ? where \"id\" = ? and \"revoked_at_ms\" is null",
      "toParameters": (v) => [v.revoked_at_ms, v.id]
    },
    "grants.rotateChain": {
      "text": "update \"grants\" set \"generation\" = ?, \"salt\" = ?, \"derivation_key_id\" = ?, \"refresh_expires_at_ms\" = ?, \"rotated_at_ms\" = ?, \"expires_at_ms\" = ? where \"id\" = ? and \"generation\" = ? and \"revoked_at_ms\" is null and (\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\"))",
      "toParameters": (v) => [v.generation, v.salt, v.derivation_key_id, v.refresh_expires_at_ms, v.rotated_at_ms, v.expires_at_ms, v.id, v.from_generation]
    },
    "keys.all": {
      "text": "select \"keys\".\"id\" as \"k_id\", \"keys\".\"use\" as \"k_use\", \"keys\".\"algorithm\" as \"k_algorithm\", \"keys\".\"public_jwk\" as \"k_public_jwk\", \"keys\".\"wrapped\" as \"k_wrapped\", \"keys\".\"created_at_ms\" as \"k_created_at_ms\", \"keys\".\"active_at_ms\" as \"k_active_at_ms\", \"keys\".\"expires_at_ms\" as \"k_expires_at_ms\", \"keys\".\"first_of\" as \"k_first_of\" from \"keys\" order by \"created_at_ms\", \"id\"",
      "toParameters": () => [],
      "toRow": (v) => ({ k_id: v[0], k_use: v[1], k_algorithm: v[2], k_public_jwk: v[3], k_wrapped: v[4], k_created_at_ms: v[5], k_active_at_ms: v[6], k_expires_at_ms: v[7], k_first_of: v[8] })
    },
    "keys.endKey": {
      "text": "update \"keys\" set \"expires_at_ms\" = ? where \"id\" = ? and \"expires_at_ms\" is not distinct from ?",
      "toParameters": (v) => [v.expires_at_ms, v.id, v.from_ms]
    },
    "keys.insertFirst": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\") select ? as \"id\", ? as \"use\", ? as \"algorithm\", ? as \"public_jwk\", ? as \"wrapped\", ? as \"created_at_ms\", ? as \"active_at_ms\", ? as \"expires_at_ms\", ? as \"first_of\" where not exists (select \"id\" from \"keys\" where \"use\" = ? and \"algorithm\" = ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of, v.use, v.algorithm]
    },
    "keys.insertKey": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\") values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of]
    },
    "known-browsers.insert": {
      "text": "insert into \"known_browsers\" (\"id\", \"user_id\", \"created_at_ms\", \"last_used_at_ms\", \"expires_at_ms\", \"failed_attempts\", \"locked_until_ms\") values (?, ?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.user_id, v.created_at_ms, v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms]
    },
    "known-browsers.removeAll": {
      "text": "delete from \"known_browsers\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id]
    },
    "known-browsers.removeSurplus": {
      "text": "delete from \"known_browsers\" where \"user_id\" = ? and \"id\" not in (select \"id\" from \"known_browsers\" where \"user_id\" = ? order by \"last_used_at_ms\" desc, \"id\" desc limit ?)",
      "toParameters": (v) => [v.user_id, v.user_id, v.kept]
    },
    "known-browsers.update": {
      "text": "update \"known_browsers\" set \"last_used_at_ms\" = ?, \"expires_at_ms\" = ?, \"failed_attempts\" = ?, \"locked_until_ms\" = ? where \"id\" = ?",
      "toParameters": (v) => [v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms, v.id]
    },
    "probe.takeBack": {
      "text": "delete from \"spent_values\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "probe.write": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values (?, ?)",
      "toParameters": (v) => [v.id, 0]
    },
    "scopes.all": {
      "text": "select \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"scopes\"",
      "toParameters": () => [],
      "toRow": (v) => ({ sc_name: v[0], sc_display_name: v[1], sc_description: v[2], sc_resources: v[3], sc_created_at_ms: v[4] })
    },
    "scopes.byNames": {
      "text": "select \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"scopes\" where \"name\" in (select value from json_each(?))",
      "toParameters": (v) => [v.names],
      "toRow": (v) => ({ sc_name: v[0], sc_display_name: v[1], sc_description: v[2], sc_resources: v[3], sc_created_at_ms: v[4] })
    },
    "scopes.deleteScope": {
      "text": "delete from \"scopes\" where \"name\" = ?",
      "toParameters": (v) => [v.name]
    },
    "scopes.insertScope": {
      "text": "insert into \"scopes\" (\"name\", \"display_name\", \"description\", \"resources\", \"created_at_ms\") values (?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.name, v.display_name, v.description, v.resources, v.created_at_ms]
    },
    "sessions.deleteSession": {
      "text": "delete from \"sessions\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "sessions.insert": {
      "text": "insert into \"sessions\" (\"id\", \"secret_hash\", \"user_id\", \"authenticated_at_ms\", \"method\", \"persistent\", \"created_at_ms\", \"expires_at_ms\", \"last_seen_at_ms\", \"client_address\", \"user_agent\") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.secret_hash, v.user_id, v.authenticated_at_ms, v.method, v.persistent, v.created_at_ms, v.expires_at_ms, v.last_seen_at_ms, v.client_address, v.user_agent]
    },
    "sessions.insertAt": {
      "text": "insert into \"sessions\" (\"id\", \"secret_hash\", \"user_id\", \"authenticated_at_ms\", \"method\", \"persistent\", \"created_at_ms\", \"expires_at_ms\", \"last_seen_at_ms\", \"client_address\", \"user_agent\") select ? as \"id\", ? as \"secret_hash\", ? as \"user_id\", ? as \"authenticated_at_ms\", ? as \"method\", ? as \"persistent\", ? as \"created_at_ms\", ? as \"expires_at_ms\", ? as \"last_seen_at_ms\", ? as \"client_address\", ? as \"user_agent\" from \"users\" where \"users\".\"id\" = ? and \"users\".\"version\" = ? and (select count(*) from sessions where sessions.user_id = ?) < ?",
      "toParameters": (v) => [v.id, v.secret_hash, v.user_id, v.authenticated_at_ms, v.method, v.persistent, v.created_at_ms, v.expires_at_ms, v.last_seen_at_ms, v.client_address, v.user_agent, v.user_id, v.user_version, v.user_id, v.fewer_than]
    },
    "sessions.lockUser": {
      "text": "update \"users\" set \"version\" = ? where \"id\" = ? and \"version\" = ?",
      "toParameters": (v) => [v.user_version, v.user_id, v.user_version]
    },
    "sessions.removeSurplus": {
      "text": "delete from \"sessions\" where \"user_id\" = ? and \"id\" not in (select \"id\" from \"sessions\" where \"user_id\" = ? order by \"last_seen_at_ms\" desc, \"id\" desc limit ?)",
      "toParameters": (v) => [v.user_id, v.user_id, v.kept]
    },
    "sessions.renewSession": {
      "text": "update \"sessions\" set \"expires_at_ms\" = ?, \"last_seen_at_ms\" = ? where \"id\" = ?",
      "toParameters": (v) => [v.expires_at_ms, v.last_seen_at_ms, v.id]
    },
    "sessions.withUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"sessions\" inner join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" where \"sessions\".\"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ s_id: v[0], s_secret_hash: v[1], s_user_id: v[2], s_authenticated_at_ms: v[3], s_method: v[4], s_persistent: v[5], s_created_at_ms: v[6], s_expires_at_ms: v[7], s_last_seen_at_ms: v[8], s_client_address: v[9], s_user_agent: v[10], u_id: v[11], u_name: v[12], u_normalized_name: v[13], u_email: v[14], u_normalized_email: v[15], u_email_confirmed: v[16], u_password_hash: v[17], u_roles: v[18], u_disabled: v[19], u_locked_until_ms: v[20], u_failed_attempts: v[21], u_lockout_began_at_ms: v[22], u_sessions_ended_at_ms: v[23], u_grants_ended_at_ms: v[24], u_created_at_ms: v[25], u_updated_at_ms: v[26], u_version: v[27] })
    },
    "spent-values.insertSpent": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values (?, ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.expires_at_ms]
    },
    "sweep-secrets.remove": {
      "text": "delete from \"keys\" where \"id\" in (select value from json_each(?)) and \"use\" = ?",
      "toParameters": (v) => [v.ids, "refresh"]
    },
    "sweep-secrets.replaced": {
      "text": "select \"old\".\"id\" from \"keys\" as \"old\" where \"old\".\"use\" = ? and exists (select \"successor\".\"id\" from \"keys\" as \"successor\" where \"successor\".\"use\" = ? and \"successor\".\"expires_at_ms\" is null and \"successor\".\"active_at_ms\" <= ? and \"successor\".\"active_at_ms\" > \"old\".\"active_at_ms\")",
      "toParameters": (v) => ["refresh", "refresh", v.settled_ms],
      "toRow": (v) => ({ id: v[0] })
    },
    "sweep.remove.grants": {
      "text": "delete from \"grants\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.known_browsers": {
      "text": "delete from \"known_browsers\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.revoked_access_tokens": {
      "text": "delete from \"revoked_access_tokens\" where \"jti\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.sessions": {
      "text": "delete from \"sessions\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.spent_values": {
      "text": "delete from \"spent_values\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.removeKeys": {
      "text": "delete from \"keys\" where \"id\" in (select \"id\" from \"keys\" where \"expires_at_ms\" <= ? limit ?)",
      "toParameters": (v) => [v.now_ms, v.rows]
    },
    "sweep.window.grants": {
      "text": "select \"id\", \"expires_at_ms\", \"derivation_key_id\" from \"grants\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1], derivation_key_id: v[2] })
    },
    "sweep.window.known_browsers": {
      "text": "select \"id\", \"expires_at_ms\" from \"known_browsers\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.revoked_access_tokens": {
      "text": "select \"jti\" as \"id\", \"expires_at_ms\" from \"revoked_access_tokens\" where \"jti\" > ? order by \"jti\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.sessions": {
      "text": "select \"id\", \"expires_at_ms\" from \"sessions\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.spent_values": {
      "text": "select \"id\", \"expires_at_ms\" from \"spent_values\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "users.all": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\"",
      "toParameters": () => [],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16] })
    },
    "users.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" where \"provider\" = ? and \"subject\" = ?",
      "toParameters": (v) => [v.provider, v.subject],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16] })
    },
    "users.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16] })
    },
    "users.byName": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\" where \"normalized_name\" = ?",
      "toParameters": (v) => [v.name],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16] })
    },
    "users.byNameOrEmail": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\" where (\"normalized_name\" = ? or \"normalized_name\" = ? or \"normalized_email\" = ? or \"normalized_email\" = ?)",
      "toParameters": (v) => [v.name, v.email, v.name, v.email],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16] })
    },
    "users.deleteSessions": {
      "text": "delete from \"sessions\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "users.deleteUser": {
      "text": "delete from \"users\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "users.insertExternalLogin": {
      "text": "insert into \"external_logins\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") values (?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms]
    },
    "users.insertUser": {
      "text": "insert into \"users\" (\"id\", \"name\", \"normalized_name\", \"email\", \"normalized_email\", \"email_confirmed\", \"password_hash\", \"roles\", \"disabled\", \"locked_until_ms\", \"failed_attempts\", \"lockout_began_at_ms\", \"sessions_ended_at_ms\", \"grants_ended_at_ms\", \"created_at_ms\", \"updated_at_ms\", \"version\") select ? as \"id\", ? as \"name\", ? as \"normalized_name\", ? as \"email\", ? as \"normalized_email\", ? as \"email_confirmed\", ? as \"password_hash\", ? as \"roles\", ? as \"disabled\", ? as \"locked_until_ms\", ? as \"failed_attempts\", ? as \"lockout_began_at_ms\", ? as \"sessions_ended_at_ms\", ? as \"grants_ended_at_ms\", ? as \"created_at_ms\", ? as \"updated_at_ms\", ? as \"version\" where not exists (select \"id\" from \"users\" where (\"normalized_email\" = ? or \"normalized_name\" = ?)) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.normalized_name, v.normalized_email]
    },
    "users.updateUser": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ? where \"id\" = ? and \"version\" = ?",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.id, v.decided_on]
    }
  },
  "postgres": {
    "access-tokens.insertRevoked": {
      "text": "insert into \"revoked_access_tokens\" (\"jti\", \"expires_at_ms\") values ($1, $2) on conflict do nothing",
      "toParameters": (v) => [v.jti, v.expires_at_ms]
    },
    "access-tokens.standing": {
      "text": "select \"grants\".\"id\" from \"grants\" inner join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" where \"grants\".\"id\" = $1 and \"grants\".\"revoked_at_ms\" is null and (\"grants\".\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = $2)",
      "toParameters": (v) => [v.grant_id, v.jti]
    },
    "audit.checkpoints": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" where \"number\" > $1 order by \"number\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "audit.filtered": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast($1 as bigint), cast($2 as text), cast($3 as bigint)) and at_ms <= $4 and (cast($5 as text) is null or \"kind\" = $6) and (cast($7 as text) is null or \"user_id\" = $8) and (cast($9 as text) is null or \"client_id\" = $10) and (cast($11 as text) is null or \"trace_id\" = $12) order by \"at_ms\", \"writer\", \"seq\" limit $13",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows]
    },
    "audit.insertCheckpoint": {
      "text": "insert into \"audit_checkpoints\" (\"number\", \"at_ms\", \"statement\") values ($1, $2, $3) on conflict do nothing",
      "toParameters": (v) => [v.number, v.at_ms, v.statement]
    },
    "audit.lastCheckpoint": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" order by \"number\" desc limit $1",
      "toParameters": (v) => [v.rows]
    },
    "audit.newest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"at_ms\" >= $1 and at_ms <= $2 and (cast($3 as text) is null or \"kind\" = $4) and (cast($5 as text) is null or \"user_id\" = $6) and (cast($7 as text) is null or \"client_id\" = $8) and (cast($9 as text) is null or \"trace_id\" = $10) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit $11",
      "toParameters": (v) => [v.since_ms, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows]
    },
    "audit.refusalsOfTrace": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where kind = 'refusal' and \"trace_id\" = $1 order by \"at_ms\", \"writer\", \"seq\"",
      "toParameters": (v) => [v.trace_id]
    },
    "audit.removeBefore": {
      "text": "delete from \"audit_entries\" where \"at_ms\" >= $1 and \"at_ms\" < $2",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.stored": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast($1 as bigint), cast($2 as text), cast($3 as bigint)) order by \"at_ms\", \"writer\", \"seq\" limit $4",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.rows]
    },
    "audit.tails": {
      "text": "select \"e\".\"at_ms\", \"e\".\"writer\", \"e\".\"seq\", \"e\".\"hash\" from (select \"at_ms\", \"writer\", \"seq\", \"hash\", row_number() over(partition by \"writer\" order by \"seq\" desc, \"at_ms\" desc) as \"place\" from \"audit_entries\" where \"at_ms\" >= $1 and \"at_ms\" < $2) as \"e\" where \"e\".\"place\" = 1",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.timeOf": {
      "text": "select \"at_ms\" from \"audit_entries\" where \"at_ms\" >= $1 order by \"at_ms\", \"writer\", \"seq\" limit $2 offset $3",
      "toParameters": (v) => [v.from_ms, v.rows, v.skip]
    },
    "authorizations.deleteAuthorization": {
      "text": "delete from \"authorizations\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "authorizations.forRequest": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $1 left join \"sessions\" on \"sessions\".\"id\" = $2 left join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"user_id\" = \"users\".\"id\" and \"authorizations\".\"client_id\" = \"clients\".\"id\" and \"authorizations\".\"scope_set\" = $3 left join \"scopes\" on \"scopes\".\"name\" = any(array(select jsonb_array_elements_text(cast(cast($4 as text) as jsonb))))",
      "toParameters": (v) => [v.client_id, v.session_id, v.scope_set, v.scopes]
    },
    "authorizations.insertAuthorization": {
      "text": "insert into \"authorizations\" (\"id\", \"user_id\", \"client_id\", \"scopes\", \"scope_set\", \"created_at_ms\") select $1 as \"id\", $2 as \"user_id\", $3 as \"client_id\", $4 as \"scopes\", $5 as \"scope_set\", $6 as \"created_at_ms\" where exists (select \"id\" from \"users\" where \"id\" = $7) and exists (select \"id\" from \"clients\" where \"id\" = $8) on conflict do nothing",
      "toParameters": (v) => [v.id, v.user_id, v.client_id, v.scopes, v.scope_set, v.created_at_ms, v.user_id, v.client_id]
    },
    "authorizations.ofUser": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\" from \"authorizations\" where \"user_id\" = $1 order by \"created_at_ms\", \"id\"",
      "toParameters": (v) => [v.user_id]
    },
    "authorizations.parties": {
      "text": "select \"users\".\"id\" from \"users\" inner join \"clients\" on \"clients\".\"id\" = $1 where \"users\".\"id\" = $2",
      "toParameters": (v) => [v.client_id, v.user_id]
    },
    "authorizations.standing": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\" from \"authorizations\" where \"user_id\" = $1 and \"client_id\" = $2 and \"scope_set\" = $3",
      "toParameters": (v) => [v.user_id, v.client_id, v.scope_set]
    },
    "candidates.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) where \"provider\" = $2 and \"subject\" = $3",
      "toParameters": (v) => [v.browsers, v.provider, v.subject]
    },
    "candidates.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", (select count(*) as \"count\" from \"sessions\" where \"sessions\".\"user_id\" = \"users\".\"id\") as \"sessions\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = $1 where \"users\".\"id\" = $2",
      "toParameters": (v) => [v.browser_id, v.id]
    },
    "candidates.byNameOrEmail": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) where (\"normalized_name\" = $2 or \"normalized_email\" = $3) order by \"normalized_name\" = $4 desc limit $5",
      "toParameters": (v) => [v.browsers, v.text, v.text, v.text, 1]
    },
    "clients.all": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\" from \"clients\"",
      "toParameters": () => []
    },
    "clients.byId": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\" from \"clients\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "clients.deleteClient": {
      "text": "delete from \"clients\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "clients.deleteGrants": {
      "text": "delete from \"grants\" where \"client_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "clients.insertClient": {
      "text": "insert into \"clients\" (\"id\", \"name\", \"type\", \"secret_hash\", \"consent\", \"require_pkce\", \"redirect_uris\", \"post_logout_redirect_uris\", \"scopes\", \"created_at_ms\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.type, v.secret_hash, v.consent, v.require_pkce, v.redirect_uris, v.post_logout_redirect_uris, v.scopes, v.created_at_ms]
    },
    "grants.forExchange": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $1 left join \"users\" on \"users\".\"id\" = $2 left join \"grants\" on \"grants\".\"id\" = $3 left join \"authorizations\" on \"authorizations\".\"id\" = $4",
      "toParameters": (v) => [v.client_id, v.user_id, v.grant_id, v.authorization_id]
    },
    "grants.forRefresh": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $1 left join \"grants\" on \"grants\".\"id\" = $2 left join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"grants\".\"authorization_id\"",
      "toParameters": (v) => [v.client_id, v.grant_id]
    },
    "grants.insertGrant": {
      "text": "insert into \"grants\" (\"id\", \"client_id\", \"user_id\", \"authorization_id\", \"scopes\", \"resources\", \"authenticated_at_ms\", \"method\", \"nonce\", \"created_at_ms\", \"revoked_at_ms\", \"expires_at_ms\", \"generation\", \"salt\", \"derivation_key_id\", \"refresh_expires_at_ms\", \"rotated_at_ms\") select $1 as \"id\", $2 as \"client_id\", $3 as \"user_id\", $4 as \"authorization_id\", $5 as \"scopes\", $6 as \"resources\", $7 as \"authenticated_at_ms\", $8 as \"method\", $9 as \"nonce\", $10 as \"created_at_ms\", $11 as \"revoked_at_ms\", $12 as \"expires_at_ms\", $13 as \"generation\", $14 as \"salt\", $15 as \"derivation_key_id\", $16 as \"refresh_expires_at_ms\", $17 as \"rotated_at_ms\" where (cast($18 as text) is null or exists (select \"id\" from \"authorizations\" where \"id\" = $19)) and exists (select \"id\" from \"users\" where \"id\" = $20) and exists (select \"id\" from \"clients\" where \"id\" = $21) on conflict do nothing",
      "toParameters": (v) => [v.id, v.client_id, v.user_id, v.authorization_id, v.scopes, v.resources, v.authenticated_at_ms, v.method, v.nonce, v.created_at_ms, v.revoked_at_ms, v.expires_at_ms, v.generation, v.salt, v.derivation_key_id, v.refresh_expires_at_ms, v.rotated_at_ms, v.authorization_id, v.authorization_id, v.user_id, v.client_id]
    },
    "grants.revokeGrant": {
      "text": "update \"grants\" set \"revoked_at_ms\" = $1 where \"id\" = $2 and \"revoked_at_ms\" is null",
      "toParameters": (v) => [v.revoked_at_ms, v.id]
    },
    "grants.rotateChain": {
      "text": "update \"grants\" set \"generation\" = $1, \"salt\" = $2, \"derivation_key_id\" = $3, \"refresh_expires_at_ms\" = $4, \"rotated_at_ms\" = $5, \"expires_at_ms\" = $6 where \"id\" = $7 and \"generation\" = $8 and \"revoked_at_ms\" is null and (\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\"))",
      "toParameters": (v) => [v.generation, v.salt, v.derivation_key_id, v.refresh_expires_at_ms, v.rotated_at_ms, v.expires_at_ms, v.id, v.from_generation]
    },
    "keys.all": {
      "text": "select \"keys\".\"id\" as \"k_id\", \"keys\".\"use\" as \"k_use\", \"keys\".\"algorithm\" as \"k_algorithm\", \"keys\".\"public_jwk\" as \"k_public_jwk\", \"keys\".\"wrapped\" as \"k_wrapped\", \"keys\".\"created_at_ms\" as \"k_created_at_ms\", \"keys\".\"active_at_ms\" as \"k_active_at_ms\", \"keys\".\"expires_at_ms\" as \"k_expires_at_ms\", \"keys\".\"first_of\" as \"k_first_of\" from \"keys\" order by \"created_at_ms\", \"id\"",
      "toParameters": () => []
    },
    "keys.endKey": {
      "text": "update \"keys\" set \"expires_at_ms\" = $1 where \"id\" = $2 and \"expires_at_ms\" is not distinct from $3",
      "toParameters": (v) => [v.expires_at_ms, v.id, v.from_ms]
    },
    "keys.insertFirst": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\") select $1 as \"id\", $2 as \"use\", $3 as \"algorithm\", $4 as \"public_jwk\", $5 as \"wrapped\", $6 as \"created_at_ms\", $7 as \"active_at_ms\", $8 as \"expires_at_ms\", $9 as \"first_of\" where not exists (select \"id\" from \"keys\" where \"use\" = $10 and \"algorithm\" = $11) on conflict do nothing",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of, v.use, v.algorithm]
    },
    "keys.insertKey": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of]
    },
    "known-browsers.insert": {
      "text": "insert into \"known_browsers\" (\"id\", \"user_id\", \"created_at_ms\", \"last_used_at_ms\", \"expires_at_ms\", \"failed_attempts\", \"locked_until_ms\") values ($1, $2, $3, $4, $5, $6, $7)",
      "toParameters": (v) => [v.id, v.user_id, v.created_at_ms, v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms]
    },
    "known-browsers.removeAll": {
      "text": "delete from \"known_browsers\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "known-browsers.removeSurplus": {
      "text": "delete from \"known_browsers\" where \"user_id\" = $1 and \"id\" not in (select \"id\" from \"known_browsers\" where \"user_id\" = $2 order by \"last_used_at_ms\" desc, \"id\" desc limit $3)",
      "toParameters": (v) => [v.user_id, v.user_id, v.kept]
    },
    "known-browsers.update": {
      "text": "update \"known_browsers\" set \"last_used_at_ms\" = $1, \"expires_at_ms\" = $2, \"failed_attempts\" = $3, \"locked_until_ms\" = $4 where \"id\" = $5",
      "toParameters": (v) => [v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms, v.id]
    },
    "probe.takeBack": {
      "text": "delete from \"spent_values\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "probe.write": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values ($1, $2)",
      "toParameters": (v) => [v.id, 0]
    },
    "scopes.all": {
      "text": "select \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"scopes\"",
      "toParameters": () => []
    },
    "scopes.byNames": {
      "text": "select \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"scopes\" where \"name\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.names]
    },
    "scopes.deleteScope": {
      "text": "delete from \"scopes\" where \"name\" = $1",
      "toParameters": (v) => [v.name]
    },
    "scopes.insertScope": {
      "text": "insert into \"scopes\" (\"name\", \"display_name\", \"description\", \"resources\", \"created_at_ms\") values ($1, $2, $3, $4, $5) on conflict do nothing",
      "toParameters": (v) => [v.name, v.display_name, v.description, v.resources, v.created_at_ms]
    },
    "sessions.deleteSession": {
      "text": "delete from \"sessions\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "sessions.insert": {
      "text": "insert into \"sessions\" (\"id\", \"secret_hash\", \"user_id\", \"authenticated_at_ms\", \"method\", \"persistent\", \"created_at_ms\", \"expires_at_ms\", \"last_seen_at_ms\", \"client_address\", \"user_agent\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
      "toParameters": (v) => [v.id, v.secret_hash, v.user_id, v.authenticated_at_ms, v.method, v.persistent, v.created_at_ms, v.expires_at_ms, v.last_seen_at_ms, v.client_address, v.user_agent]
    },
    "sessions.insertAt": {
      "text": "insert into \"sessions\" (\"id\", \"secret_hash\", \"user_id\", \"authenticated_at_ms\", \"method\", \"persistent\", \"created_at_ms\", \"expires_at_ms\", \"last_seen_at_ms\", \"client_address\", \"user_agent\") select $1 as \"id\", $2 as \"secret_hash\", $3 as \"user_id\", $4 as \"authenticated_at_ms\", $5 as \"method\", $6 as \"persistent\", $7 as \"created_at_ms\", $8 as \"expires_at_ms\", $9 as \"last_seen_at_ms\", $10 as \"client_address\", $11 as \"user_agent\" from \"users\" where \"users\".\"id\" = $12 and \"users\".\"version\" = $13 and (select count(*) from sessions where sessions.user_id = $14) < $15 for share",
      "toParameters": (v) => [v.id, v.secret_hash, v.user_id, v.authenticated_at_ms, v.method, v.persistent, v.created_at_ms, v.expires_at_ms, v.last_seen_at_ms, v.client_address, v.user_agent, v.user_id, v.user_version, v.user_id, v.fewer_than]
    },
    "sessions.lockUser": {
      "text": "update \"users\" set \"version\" = $1 where \"id\" = $2 and \"version\" = $3",
      "toParameters": (v) => [v.user_version, v.user_id, v.user_version]
    },
    "sessions.removeSurplus": {
      "text": "delete from \"sessions\" where \"user_id\" = $1 and \"id\" not in (select \"id\" from \"sessions\" where \"user_id\" = $2 order by \"last_seen_at_ms\" desc, \"id\" desc limit $3)",
      "toParameters": (v) => [v.user_id, v.user_id, v.kept]
    },
    "sessions.renewSession": {
      "text": "update \"sessions\" set \"expires_at_ms\" = $1, \"last_seen_at_ms\" = $2 where \"id\" = $3",
      "toParameters": (v) => [v.expires_at_ms, v.last_seen_at_ms, v.id]
    },
    "sessions.withUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"sessions\" inner join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" where \"sessions\".\"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "spent-values.insertSpent": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values ($1, $2) on conflict do nothing",
      "toParameters": (v) => [v.id, v.expires_at_ms]
    },
    "sweep-secrets.remove": {
      "text": "delete from \"keys\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"use\" = $2",
      "toParameters": (v) => [v.ids, "refresh"]
    },
    "sweep-secrets.replaced": {
      "text": "select \"old\".\"id\" from \"keys\" as \"old\" where \"old\".\"use\" = $1 and exists (select \"successor\".\"id\" from \"keys\" as \"successor\" where \"successor\".\"use\" = $2 and \"successor\".\"expires_at_ms\" is null and \"successor\".\"active_at_ms\" <= $3 and \"successor\".\"active_at_ms\" > \"old\".\"active_at_ms\")",
      "toParameters": (v) => ["refresh", "refresh", v.settled_ms]
    },
    "sweep.remove.grants": {
      "text": "delete from \"grants\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.known_browsers": {
      "text": "delete from \"known_browsers\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.revoked_access_tokens": {
      "text": "delete from \"revoked_access_tokens\" where \"jti\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.sessions": {
      "text": "delete from \"sessions\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.spent_values": {
      "text": "delete from \"spent_values\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.removeKeys": {
      "text": "delete from \"keys\" where \"id\" in (select \"id\" from \"keys\" where \"expires_at_ms\" <= $1 limit $2)",
      "toParameters": (v) => [v.now_ms, v.rows]
    },
    "sweep.window.grants": {
      "text": "select \"id\", \"expires_at_ms\", \"derivation_key_id\" from \"grants\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.known_browsers": {
      "text": "select \"id\", \"expires_at_ms\" from \"known_browsers\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.revoked_access_tokens": {
      "text": "select \"jti\" as \"id\", \"expires_at_ms\" from \"revoked_access_tokens\" where \"jti\" > $1 order by \"jti\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.sessions": {
      "text": "select \"id\", \"expires_at_ms\" from \"sessions\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.spent_values": {
      "text": "select \"id\", \"expires_at_ms\" from \"spent_values\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "users.all": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\"",
      "toParameters": () => []
    },
    "users.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" where \"provider\" = $1 and \"subject\" = $2",
      "toParameters": (v) => [v.provider, v.subject]
    },
    "users.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "users.byName": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\" where \"normalized_name\" = $1",
      "toParameters": (v) => [v.name]
    },
    "users.byNameOrEmail": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\" from \"users\" where (\"normalized_name\" = $1 or \"normalized_name\" = $2 or \"normalized_email\" = $3 or \"normalized_email\" = $4)",
      "toParameters": (v) => [v.name, v.email, v.name, v.email]
    },
    "users.deleteSessions": {
      "text": "delete from \"sessions\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "users.deleteUser": {
      "text": "delete from \"users\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "users.insertExternalLogin": {
      "text": "insert into \"external_logins\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") values ($1, $2, $3, $4) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms]
    },
    "users.insertUser": {
      "text": "insert into \"users\" (\"id\", \"name\", \"normalized_name\", \"email\", \"normalized_email\", \"email_confirmed\", \"password_hash\", \"roles\", \"disabled\", \"locked_until_ms\", \"failed_attempts\", \"lockout_began_at_ms\", \"sessions_ended_at_ms\", \"grants_ended_at_ms\", \"created_at_ms\", \"updated_at_ms\", \"version\") select $1 as \"id\", $2 as \"name\", $3 as \"normalized_name\", $4 as \"email\", $5 as \"normalized_email\", $6 as \"email_confirmed\", $7 as \"password_hash\", $8 as \"roles\", $9 as \"disabled\", $10 as \"locked_until_ms\", $11 as \"failed_attempts\", $12 as \"lockout_began_at_ms\", $13 as \"sessions_ended_at_ms\", $14 as \"grants_ended_at_ms\", $15 as \"created_at_ms\", $16 as \"updated_at_ms\", $17 as \"version\" where not exists (select \"id\" from \"users\" where (\"normalized_email\" = $18 or \"normalized_name\" = $19)) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.normalized_name, v.normalized_email]
    },
    "users.updateUser": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17 where \"id\" = $18 and \"version\" = $19",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.id, v.decided_on]
    }
  }
}
