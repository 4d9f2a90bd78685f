// Made by compile.ts from the statements in this folder.
import type { CompiledStatement, Dialect } from './statement.ts'

export const statements: Readonly<Record<Dialect, Readonly<Record<string, CompiledStatement>>>> = {
  "sqlite": {
    "access-pages.authorization": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"a_removed_scopes\" from \"authorizations\" where \"id\" = ?",
      "toParameters": (v) => ["\n", "scope", v.id],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5], a_removed_scopes: v[6] })
    },
    "access-pages.authorizations": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"a_removed_scopes\" from \"authorizations\" where \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.after],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5], a_removed_scopes: v[6] })
    },
    "access-pages.authorizationsOfUser": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"a_removed_scopes\" from \"authorizations\" where \"user_id\" = ? and \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.after],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5], a_removed_scopes: v[6] })
    },
    "access-pages.clientsThere": {
      "text": "select \"id\" from \"clients\" where \"deleted\" = 0 and \"id\" in (select value from json_each(?))",
      "toParameters": (v) => [v.ids],
      "toRow": (v) => ({ id: v[0] })
    },
    "access-pages.grant": {
      "text": "select \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\" from \"grants\" where \"id\" = ?",
      "toParameters": (v) => ["\n", "scope", v.id],
      "toRow": (v) => ({ g_id: v[0], g_client_id: v[1], g_user_id: v[2], g_authorization_id: v[3], g_scopes: v[4], g_resources: v[5], g_authenticated_at_ms: v[6], g_method: v[7], g_nonce: v[8], g_created_at_ms: v[9], g_revoked_at_ms: v[10], g_expires_at_ms: v[11], g_generation: v[12], g_salt: v[13], g_derivation_key_id: v[14], g_refresh_expires_at_ms: v[15], g_rotated_at_ms: v[16], g_derived_from: v[17], g_session_id: v[18], g_confirmation: v[19], g_claims: v[20], g_removed_scopes: v[21] })
    },
    "access-pages.grants": {
      "text": "select \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\" from \"grants\" where \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.after],
      "toRow": (v) => ({ g_id: v[0], g_client_id: v[1], g_user_id: v[2], g_authorization_id: v[3], g_scopes: v[4], g_resources: v[5], g_authenticated_at_ms: v[6], g_method: v[7], g_nonce: v[8], g_created_at_ms: v[9], g_revoked_at_ms: v[10], g_expires_at_ms: v[11], g_generation: v[12], g_salt: v[13], g_derivation_key_id: v[14], g_refresh_expires_at_ms: v[15], g_rotated_at_ms: v[16], g_derived_from: v[17], g_session_id: v[18], g_confirmation: v[19], g_claims: v[20], g_removed_scopes: v[21] })
    },
    "access-pages.grantsOfUser": {
      "text": "select \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\" from \"grants\" where \"user_id\" = ? and \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.after],
      "toRow": (v) => ({ g_id: v[0], g_client_id: v[1], g_user_id: v[2], g_authorization_id: v[3], g_scopes: v[4], g_resources: v[5], g_authenticated_at_ms: v[6], g_method: v[7], g_nonce: v[8], g_created_at_ms: v[9], g_revoked_at_ms: v[10], g_expires_at_ms: v[11], g_generation: v[12], g_salt: v[13], g_derivation_key_id: v[14], g_refresh_expires_at_ms: v[15], g_rotated_at_ms: v[16], g_derived_from: v[17], g_session_id: v[18], g_confirmation: v[19], g_claims: v[20], g_removed_scopes: v[21] })
    },
    "access-pages.people": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"id\" in (select value from json_each(?))",
      "toParameters": (v) => ["\n", "role", v.ids],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "access-pages.sessions": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\" from \"sessions\" where \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ s_id: v[0], s_secret_hash: v[1], s_user_id: v[2], s_authenticated_at_ms: v[3], s_method: v[4], s_persistent: v[5], s_created_at_ms: v[6], s_expires_at_ms: v[7], s_last_seen_at_ms: v[8], s_client_address: v[9], s_user_agent: v[10] })
    },
    "access-pages.sessionsOfUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\" from \"sessions\" where \"user_id\" = ? and \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => [v.user_id, v.after],
      "toRow": (v) => ({ s_id: v[0], s_secret_hash: v[1], s_user_id: v[2], s_authenticated_at_ms: v[3], s_method: v[4], s_persistent: v[5], s_created_at_ms: v[6], s_expires_at_ms: v[7], s_last_seen_at_ms: v[8], s_client_address: v[9], s_user_agent: v[10] })
    },
    "access-pages.standing": {
      "text": "select \"id\" from \"authorizations\" where \"id\" in (select value from json_each(?))",
      "toParameters": (v) => [v.ids],
      "toRow": (v) => ({ id: v[0] })
    },
    "access-tokens.forIntrospection": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"users\".\"name\" as \"u_name\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"authorizations\".\"id\" as \"consent_id\", \"holders\".\"created_at_ms\" as \"holder_since_ms\", \"owners\".\"id\" as \"owner_id\", \"revoked_access_tokens\".\"jti\" as \"revoked_jti\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 left join \"clients\" as \"holders\" on \"holders\".\"id\" = ? and \"holders\".\"deleted\" = 0 left join \"revoked_access_tokens\" on \"revoked_access_tokens\".\"jti\" = ? left join \"grants\" on \"grants\".\"id\" = ? left join \"clients\" as \"owners\" on \"owners\".\"id\" = \"grants\".\"client_id\" and \"owners\".\"deleted\" = 0 left join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"grants\".\"authorization_id\" left join \"sessions\" on \"sessions\".\"id\" = \"grants\".\"session_id\" and \"grants\".\"client_id\" = 'latchkey-console' and sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1)",
      "toParameters": (v) => ["\n", "scope", v.asking_client_id, v.token_client_id, v.jti, v.grant_id],
      "toRow": (v) => ({ c_id: v[0], c_type: v[1], c_secret_hash: v[2], c_require_pkce: v[3], c_scopes: v[4], c_created_at_ms: v[5], c_previous_secret_hash: v[6], c_previous_secret_ends_at_ms: v[7], c_grant_types: v[8], c_metadata: v[9], g_id: v[10], g_client_id: v[11], g_user_id: v[12], g_authorization_id: v[13], g_scopes: v[14], g_authenticated_at_ms: v[15], g_method: v[16], g_confirmation: v[17], g_claims: v[18], g_created_at_ms: v[19], g_revoked_at_ms: v[20], g_generation: v[21], g_salt: v[22], g_derivation_key_id: v[23], g_derived_from: v[24], g_refresh_expires_at_ms: v[25], g_rotated_at_ms: v[26], g_removed_scopes: v[27], s_created_at_ms: v[28], s_expires_at_ms: v[29], u_name: v[30], u_email_confirmed: v[31], u_disabled: v[32], u_locked_until_ms: v[33], u_lockout_began_at_ms: v[34], u_grants_ended_at_ms: v[35], consent_id: v[36], holder_since_ms: v[37], owner_id: v[38], revoked_jti: v[39] })
    },
    "access-tokens.holder": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"grants\".\"authenticated_at_ms\", \"grants\".\"method\" as \"method\", \"grants\".\"created_at_ms\" as \"granted_at_ms\", \"grants\".\"client_id\" as \"grant_client_id\", \"grants\".\"session_id\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"grants\".\"claims\" as \"requested_claims\", \"clients\".\"metadata\" from \"grants\" inner join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" inner join \"clients\" on \"clients\".\"id\" = \"grants\".\"client_id\" and \"clients\".\"deleted\" = 0 left join \"sessions\" on \"sessions\".\"id\" = \"grants\".\"session_id\" and \"grants\".\"client_id\" = 'latchkey-console' and sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1) where \"grants\".\"id\" = ? and \"grants\".\"revoked_at_ms\" is null and (\"grants\".\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = ?)",
      "toParameters": (v) => ["\n", "role", v.grant_id, v.jti],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20], authenticated_at_ms: v[21], method: v[22], granted_at_ms: v[23], grant_client_id: v[24], session_id: v[25], s_created_at_ms: v[26], s_expires_at_ms: v[27], requested_claims: v[28], metadata: v[29] })
    },
    "access-tokens.insertRevoked": {
      "text": "insert into \"revoked_access_tokens\" (\"jti\", \"expires_at_ms\") values (?, ?) on conflict do nothing",
      "toParameters": (v) => [v.jti, v.expires_at_ms]
    },
    "access-tokens.standing": {
      "text": "select \"grants\".\"id\" from \"grants\" inner join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" inner join \"clients\" on \"clients\".\"id\" = \"grants\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"grants\".\"id\" = ? and \"grants\".\"revoked_at_ms\" is null and (\"grants\".\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = ?)",
      "toParameters": (v) => [v.grant_id, v.jti],
      "toRow": (v) => ({ id: v[0] })
    },
    "access-tokens.standingOfClient": {
      "text": "select \"clients\".\"id\" from \"clients\" where \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 and \"clients\".\"created_at_ms\" < ? and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" in (select value from json_each(?)))",
      "toParameters": (v) => [v.client_id, v.issued_before_ms, v.jtis],
      "toRow": (v) => ({ id: v[0] })
    },
    "added-since.consents": {
      "text": "delete from \"authorizations\" where \"user_id\" = ? and \"created_at_ms\" >= ?",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.logins": {
      "text": "delete from \"external_logins\" where \"user_id\" = ? and \"created_at_ms\" >= ?",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.passkeys": {
      "text": "delete from \"passkeys\" where \"user_id\" = ? and \"created_at_ms\" >= ?",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.recoveryCodes": {
      "text": "update \"second_factors\" set \"recovery_hashes\" = '[]', \"recovery_since_ms\" = ?, \"version\" = \"version\" + ? where \"user_id\" = ? and coalesce(recovery_since_ms, 0) >= ?",
      "toParameters": (v) => [null, 1, v.user_id, v.since_ms]
    },
    "added-since.registrations": {
      "text": "delete from \"external_registrations\" where \"user_id\" = ? and \"created_at_ms\" >= ?",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.totp": {
      "text": "update \"second_factors\" set \"totp_secret\" = ?, \"totp_since_ms\" = ?, \"totp_last_step\" = ?, \"version\" = \"version\" + ? where \"user_id\" = ? and coalesce(totp_since_ms, 0) >= ?",
      "toParameters": (v) => [null, null, null, 1, v.user_id, v.since_ms]
    },
    "added-since.waiting": {
      "text": "update \"second_factors\" set \"pending_secret\" = ?, \"pending_until_ms\" = ?, \"mail_code\" = ?, \"version\" = \"version\" + ? where \"user_id\" = ?",
      "toParameters": (v) => [null, null, null, 1, v.user_id]
    },
    "administrators.all": {
      "text": "select \"other\".\"id\" as \"id\" from \"users\" as \"other\" where ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null))",
      "toParameters": (v) => [v.confirmed_only, 0],
      "toRow": (v) => ({ id: v[0] })
    },
    "administrators.delete": {
      "text": "delete from \"users\" where \"id\" = ? and (not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" = ? and ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null))) or exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null))))",
      "toParameters": (v) => [v.id, v.id, v.confirmed_only, 0, v.id, v.confirmed_only, 0]
    },
    "administrators.others": {
      "text": "select \"other\".\"id\" as \"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) limit 1",
      "toParameters": (v) => [v.id, v.confirmed_only, 0],
      "toRow": (v) => ({ id: v[0] })
    },
    "administrators.requireOne": {
      "text": "update \"users\" set \"version\" = version where \"id\" = (select \"other\".\"id\" from \"users\" as \"other\" where ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) order by \"other\".\"id\" limit 1)",
      "toParameters": (v) => [v.confirmed_only, 0]
    },
    "administrators.update": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ?, \"claims\" = ?, \"deletion_due_at_ms\" = ?, \"unclaimed\" = ? where \"id\" = ? and \"version\" = ? and exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)))",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on, v.id, v.confirmed_only, 0]
    },
    "applications.consents": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"authorizations\".\"scopes\" as \"scopes\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"removed\", \"authorizations\".\"created_at_ms\" as \"created_at_ms\" from \"authorizations\" inner join \"clients\" on \"clients\".\"id\" = \"authorizations\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"authorizations\".\"user_id\" = ?",
      "toParameters": (v) => ["\n", "scope", v.user_id],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14], scopes: v[15], removed: v[16], created_at_ms: v[17] })
    },
    "applications.deleteConsents": {
      "text": "delete from \"authorizations\" where \"user_id\" = ? and \"client_id\" = ?",
      "toParameters": (v) => [v.user_id, v.client_id]
    },
    "applications.grants": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"open\".\"scopes\" as \"scopes\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"removed\", \"open\".\"created_at_ms\" as \"created_at_ms\", \"open\".\"last_created_at_ms\" as \"last_created_at_ms\", \"open\".\"rotated_at_ms\" as \"rotated_at_ms\" from (select \"client_id\", \"scopes\", min(\"created_at_ms\") as \"created_at_ms\", max(\"created_at_ms\") as \"last_created_at_ms\", max(\"rotated_at_ms\") as \"rotated_at_ms\" from \"grants\" where \"user_id\" = ? and \"revoked_at_ms\" is null and \"expires_at_ms\" > ? and \"created_at_ms\" > ? and (\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) group by \"client_id\", \"scopes\") as \"open\" inner join \"clients\" on \"clients\".\"id\" = \"open\".\"client_id\" and \"clients\".\"deleted\" = 0",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.now_ms, v.ended_at_ms],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14], scopes: v[15], removed: v[16], created_at_ms: v[17], last_created_at_ms: v[18], rotated_at_ms: v[19] })
    },
    "applications.revokeGrants": {
      "text": "update \"grants\" set \"revoked_at_ms\" = ? where \"user_id\" = ? and \"client_id\" = ? and \"revoked_at_ms\" is null and \"expires_at_ms\" > ?",
      "toParameters": (v) => [v.revoked_at_ms, v.user_id, v.client_id, v.revoked_at_ms]
    },
    "audit.activity": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"user_id\" = ? and kind <> 'tokens_issued' and kind <> 'refusal' and (at_ms, writer, seq) < (?, ?, ?) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 50",
      "toParameters": (v) => [v.user_id, v.at_ms, v.writer, v.seq],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.checkpoints": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" where \"number\" > ? order by \"number\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ number: v[0], at_ms: v[1], statement: v[2] })
    },
    "audit.countRefusals": {
      "text": "select count(*) as \"entries\" from \"audit_entries\" where writer >= 'r'",
      "toParameters": () => [],
      "toRow": (v) => ({ entries: v[0] })
    },
    "audit.filtered": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast(? as bigint), cast(? as text), cast(? as bigint)) and at_ms <= ? and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\", \"writer\", \"seq\" limit ?",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.horizon": {
      "text": "select \"at_ms\", \"writer\", \"seq\" from \"audit_entries\" where (at_ms, writer, seq) >= (cast(? as bigint), cast(? as text), cast(? as bigint))\n    and (at_ms, writer, seq) < (cast(? as bigint), cast(? as text), cast(? as bigint)) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 1 offset 19999",
      "toParameters": (v) => [v.from_ms, v.from_writer, v.from_seq, v.at_ms, v.writer, v.seq],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2] })
    },
    "audit.insertCheckpoint": {
      "text": "insert into \"audit_checkpoints\" (\"number\", \"at_ms\", \"statement\") values (?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.number, v.at_ms, v.statement]
    },
    "audit.largeLatest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) < (cast(? as bigint), cast(? as text), cast(? as bigint)) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 501",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.largePage": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) >= (cast(? as bigint), cast(? as text), cast(? as bigint))\n    and (at_ms, writer, seq) < (cast(? as bigint), cast(? as text), cast(? as bigint)) and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 501",
      "toParameters": (v) => [v.from_ms, v.from_writer, v.from_seq, v.at_ms, v.writer, v.seq, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.lastCheckpoint": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" order by \"number\" desc limit ?",
      "toParameters": (v) => [v.rows],
      "toRow": (v) => ({ number: v[0], at_ms: v[1], statement: v[2] })
    },
    "audit.latest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) < (cast(? as bigint), cast(? as text), cast(? as bigint)) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 51",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.newest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"at_ms\" >= ? and true and at_ms <= ? and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit ?",
      "toParameters": (v) => [v.since_ms, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.newestRefusals": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"at_ms\" >= ? and writer >= 'r' and at_ms <= ? and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit ?",
      "toParameters": (v) => [v.since_ms, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.page": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) >= (cast(? as bigint), cast(? as text), cast(? as bigint))\n    and (at_ms, writer, seq) < (cast(? as bigint), cast(? as text), cast(? as bigint)) and (cast(? as text) is null or \"kind\" = ?) and (cast(? as text) is null or \"user_id\" = ?) and (cast(? as text) is null or \"client_id\" = ?) and (cast(? as text) is null or \"trace_id\" = ?) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 51",
      "toParameters": (v) => [v.from_ms, v.from_writer, v.from_seq, v.at_ms, v.writer, v.seq, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.refusalsOfTrace": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where kind = 'refusal' and \"trace_id\" = ? order by \"at_ms\", \"writer\", \"seq\"",
      "toParameters": (v) => [v.trace_id],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.removeBefore": {
      "text": "delete from \"audit_entries\" where \"at_ms\" >= ? and \"at_ms\" < ? and true",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.removeCheckpoints": {
      "text": "delete from \"audit_checkpoints\" where \"number\" >= ? and \"number\" <= ?",
      "toParameters": (v) => [v.from, v.to]
    },
    "audit.removeRefusalsBefore": {
      "text": "delete from \"audit_entries\" where \"at_ms\" >= ? and \"at_ms\" < ? and writer >= 'r'",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.stored": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast(? as bigint), cast(? as text), cast(? as bigint)) and true order by \"at_ms\", \"writer\", \"seq\" limit ?",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.storedRefusals": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where (at_ms, writer, seq) > (cast(? as bigint), cast(? as text), cast(? as bigint)) and writer >= 'r' order by \"at_ms\", \"writer\", \"seq\" limit ?",
      "toParameters": (v) => [v.at_ms, v.writer, v.seq, v.rows],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], kind: v[3], user_id: v[4], client_id: v[5], trace_id: v[6], address: v[7], details: v[8], hash: v[9] })
    },
    "audit.tails": {
      "text": "select \"e\".\"at_ms\", \"e\".\"writer\", \"e\".\"seq\", \"e\".\"hash\" from (select \"at_ms\", \"writer\", \"seq\", \"hash\", row_number() over(partition by \"writer\" order by \"seq\" desc, \"at_ms\" desc) as \"place\" from \"audit_entries\" where \"at_ms\" >= ? and \"at_ms\" < ?) as \"e\" where \"e\".\"place\" = 1",
      "toParameters": (v) => [v.from_ms, v.before_ms],
      "toRow": (v) => ({ at_ms: v[0], writer: v[1], seq: v[2], hash: v[3] })
    },
    "audit.timeOf": {
      "text": "select \"at_ms\" from \"audit_entries\" where \"at_ms\" >= ? and true order by \"at_ms\", \"writer\", \"seq\" limit ? offset ?",
      "toParameters": (v) => [v.from_ms, v.rows, v.skip],
      "toRow": (v) => ({ at_ms: v[0] })
    },
    "audit.timeOfRefusal": {
      "text": "select \"at_ms\" from \"audit_entries\" where \"at_ms\" >= ? and writer >= 'r' order by \"at_ms\", \"writer\", \"seq\" limit ? offset ?",
      "toParameters": (v) => [v.from_ms, v.rows, v.skip],
      "toRow": (v) => ({ at_ms: v[0] })
    },
    "authorizations.deleteAuthorization": {
      "text": "delete from \"authorizations\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "authorizations.forRequest": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"a_removed_scopes\", \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 left join \"sessions\" on \"sessions\".\"id\" = ? left join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"user_id\" = \"users\".\"id\" and \"authorizations\".\"client_id\" = \"clients\".\"id\" and \"authorizations\".\"scope_set\" = ? left join \"scopes\" on \"scopes\".\"name\" in (select value from json_each(?))",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.client_id, v.session_id, v.scope_set, v.scopes],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14], s_id: v[15], s_secret_hash: v[16], s_user_id: v[17], s_authenticated_at_ms: v[18], s_method: v[19], s_persistent: v[20], s_created_at_ms: v[21], s_expires_at_ms: v[22], s_last_seen_at_ms: v[23], s_client_address: v[24], s_user_agent: v[25], u_id: v[26], u_name: v[27], u_normalized_name: v[28], u_email: v[29], u_normalized_email: v[30], u_email_confirmed: v[31], u_password_hash: v[32], u_roles: v[33], u_disabled: v[34], u_locked_until_ms: v[35], u_failed_attempts: v[36], u_lockout_began_at_ms: v[37], u_sessions_ended_at_ms: v[38], u_grants_ended_at_ms: v[39], u_created_at_ms: v[40], u_updated_at_ms: v[41], u_version: v[42], u_claims: v[43], u_deletion_due_at_ms: v[44], u_unclaimed: v[45], u_removed_roles: v[46], a_id: v[47], a_user_id: v[48], a_client_id: v[49], a_scopes: v[50], a_scope_set: v[51], a_created_at_ms: v[52], a_removed_scopes: v[53], sc_name: v[54], sc_display_name: v[55], sc_description: v[56], sc_resources: v[57], sc_created_at_ms: v[58] })
    },
    "authorizations.insertAuthorization": {
      "text": "insert into \"authorizations\" (\"id\", \"user_id\", \"client_id\", \"scopes\", \"scope_set\", \"created_at_ms\") select ? as \"id\", ? as \"user_id\", ? as \"client_id\", ? as \"scopes\", ? as \"scope_set\", ? as \"created_at_ms\" where exists (select \"id\" from \"users\" where \"id\" = ?) and exists (select \"id\" from \"clients\" where \"id\" = ? and \"deleted\" = 0) on conflict do nothing",
      "toParameters": (v) => [v.id, v.user_id, v.client_id, v.scopes, v.scope_set, v.created_at_ms, v.user_id, v.client_id]
    },
    "authorizations.ofUser": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"a_removed_scopes\" from \"authorizations\" inner join \"clients\" on \"clients\".\"id\" = \"authorizations\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"authorizations\".\"user_id\" = ? order by \"authorizations\".\"created_at_ms\", \"authorizations\".\"id\"",
      "toParameters": (v) => ["\n", "scope", v.user_id],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5], a_removed_scopes: v[6] })
    },
    "authorizations.parties": {
      "text": "select \"users\".\"id\" from \"users\" inner join \"clients\" on \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 where \"users\".\"id\" = ?",
      "toParameters": (v) => [v.client_id, v.user_id],
      "toRow": (v) => ({ id: v[0] })
    },
    "authorizations.standing": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"a_removed_scopes\" from \"authorizations\" where \"user_id\" = ? and \"client_id\" = ? and \"scope_set\" = ?",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.client_id, v.scope_set],
      "toRow": (v) => ({ a_id: v[0], a_user_id: v[1], a_client_id: v[2], a_scopes: v[3], a_scope_set: v[4], a_created_at_ms: v[5], a_removed_scopes: v[6] })
    },
    "begun.denyOfOthers": {
      "text": "update \"device_codes\" set \"answer\" = 'denied', \"user_id\" = ?, \"authorization_id\" = ?, \"session_id\" = ?, \"authenticated_at_ms\" = ?, \"method\" = ?, \"answered_at_ms\" = ? where \"user_id\" = ? and \"session_id\" <> ?",
      "toParameters": (v) => [null, null, null, null, null, null, v.user_id, v.session_id]
    },
    "begun.denyOfSession": {
      "text": "update \"device_codes\" set \"answer\" = 'denied', \"user_id\" = ?, \"authorization_id\" = ?, \"session_id\" = ?, \"authenticated_at_ms\" = ?, \"method\" = ?, \"answered_at_ms\" = ? where \"user_id\" = ? and \"session_id\" = ?",
      "toParameters": (v) => [null, null, null, null, null, null, v.user_id, v.session_id]
    },
    "begun.denyOfUser": {
      "text": "update \"device_codes\" set \"answer\" = 'denied', \"user_id\" = ?, \"authorization_id\" = ?, \"session_id\" = ?, \"authenticated_at_ms\" = ?, \"method\" = ?, \"answered_at_ms\" = ? where \"user_id\" = ?",
      "toParameters": (v) => [null, null, null, null, null, null, v.user_id]
    },
    "begun.move": {
      "text": "update \"confirmations\" set \"session_id\" = ? where \"begun_by\" = ? and \"session_id\" = ?",
      "toParameters": (v) => [v.next_id, v.user_id, v.session_id]
    },
    "begun.moveDevices": {
      "text": "update \"device_codes\" set \"session_id\" = ? where \"user_id\" = ? and \"session_id\" = ?",
      "toParameters": (v) => [v.next_id, v.user_id, v.session_id]
    },
    "begun.ofOthers": {
      "text": "delete from \"confirmations\" where \"begun_by\" = ? and \"session_id\" <> ?",
      "toParameters": (v) => [v.user_id, v.session_id]
    },
    "begun.ofSession": {
      "text": "delete from \"confirmations\" where \"begun_by\" = ? and \"session_id\" = ?",
      "toParameters": (v) => [v.user_id, v.session_id]
    },
    "begun.ofSignOut": {
      "text": "delete from \"confirmations\" where \"begun_by\" = (select \"sessions\".\"user_id\" from \"sessions\" where \"sessions\".\"id\" = ?) and \"session_id\" = ? and \"purpose\" <> 'invite'",
      "toParameters": (v) => [v.session_id, v.session_id]
    },
    "begun.ofUser": {
      "text": "delete from \"confirmations\" where \"begun_by\" = ?",
      "toParameters": (v) => [v.user_id]
    },
    "begun.orphaned": {
      "text": "delete from \"confirmations\" where \"begun_by\" = ? and \"session_id\" is not null and \"purpose\" <> 'invite' and not exists (select \"sessions\".\"id\" from \"sessions\" where \"sessions\".\"id\" = \"confirmations\".\"session_id\")",
      "toParameters": (v) => [v.user_id]
    },
    "candidates.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" in (select value from json_each(?)) left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where \"provider\" = ? and \"subject\" = ?",
      "toParameters": (v) => ["\n", "role", v.browsers, v.provider, v.subject],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20], k_id: v[21], k_user_id: v[22], k_created_at_ms: v[23], k_last_used_at_ms: v[24], k_expires_at_ms: v[25], k_failed_attempts: v[26], k_locked_until_ms: v[27], k_user_agent: v[28], k_second_factor_until_ms: v[29], f_user_id: v[30], f_totp_secret: v[31], f_totp_since_ms: v[32], f_totp_last_step: v[33], f_pending_secret: v[34], f_pending_until_ms: v[35], f_recovery_hashes: v[36], f_recovery_since_ms: v[37], f_mail_code: v[38], f_mail_barred: v[39], f_failed_attempts: v[40], f_paused_until_ms: v[41], f_wrong_codes: v[42], f_version: v[43], passkeys: v[44] })
    },
    "candidates.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\", (select count(*) as \"count\" from \"sessions\" where \"sessions\".\"user_id\" = \"users\".\"id\") as \"sessions\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = ? left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where \"users\".\"id\" = ?",
      "toParameters": (v) => ["\n", "role", v.browser_id, v.id],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20], k_id: v[21], k_user_id: v[22], k_created_at_ms: v[23], k_last_used_at_ms: v[24], k_expires_at_ms: v[25], k_failed_attempts: v[26], k_locked_until_ms: v[27], k_user_agent: v[28], k_second_factor_until_ms: v[29], f_user_id: v[30], f_totp_secret: v[31], f_totp_since_ms: v[32], f_totp_last_step: v[33], f_pending_secret: v[34], f_pending_until_ms: v[35], f_recovery_hashes: v[36], f_recovery_since_ms: v[37], f_mail_code: v[38], f_mail_barred: v[39], f_failed_attempts: v[40], f_paused_until_ms: v[41], f_wrong_codes: v[42], f_version: v[43], passkeys: v[44], sessions: v[45] })
    },
    "candidates.byNameOrEmail": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" in (select value from json_each(?)) left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where (\"normalized_name\" = ? or \"normalized_email\" = ?) order by \"normalized_name\" = ? desc limit 1",
      "toParameters": (v) => ["\n", "role", v.browsers, v.text, v.text, v.text],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20], k_id: v[21], k_user_id: v[22], k_created_at_ms: v[23], k_last_used_at_ms: v[24], k_expires_at_ms: v[25], k_failed_attempts: v[26], k_locked_until_ms: v[27], k_user_agent: v[28], k_second_factor_until_ms: v[29], f_user_id: v[30], f_totp_secret: v[31], f_totp_since_ms: v[32], f_totp_last_step: v[33], f_pending_secret: v[34], f_pending_until_ms: v[35], f_recovery_hashes: v[36], f_recovery_since_ms: v[37], f_mail_code: v[38], f_mail_barred: v[39], f_failed_attempts: v[40], f_paused_until_ms: v[41], f_wrong_codes: v[42], f_version: v[43], passkeys: v[44] })
    },
    "candidates.byUser": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\" and \"passkeys\".\"synced\" = ?) as \"bound_passkeys\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\" and \"passkeys\".\"synced\" = ? and \"passkeys\".\"attested\" = ?) as \"attested_passkeys\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" in (select value from json_each(?)) left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where \"users\".\"id\" = ?",
      "toParameters": (v) => ["\n", "role", 0, 0, 1, v.browsers, v.id],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20], k_id: v[21], k_user_id: v[22], k_created_at_ms: v[23], k_last_used_at_ms: v[24], k_expires_at_ms: v[25], k_failed_attempts: v[26], k_locked_until_ms: v[27], k_user_agent: v[28], k_second_factor_until_ms: v[29], f_user_id: v[30], f_totp_secret: v[31], f_totp_since_ms: v[32], f_totp_last_step: v[33], f_pending_secret: v[34], f_pending_until_ms: v[35], f_recovery_hashes: v[36], f_recovery_since_ms: v[37], f_mail_code: v[38], f_mail_barred: v[39], f_failed_attempts: v[40], f_paused_until_ms: v[41], f_wrong_codes: v[42], f_version: v[43], passkeys: v[44], bound_passkeys: v[45], attested_passkeys: v[46] })
    },
    "client-deletion.mark": {
      "text": "update \"clients\" set \"deleted\" = 1, \"name\" = '', \"type\" = 'confidential', \"secret_hash\" = null, \"previous_secret_hash\" = null, \"previous_secret_ends_at_ms\" = null, \"redirect_uris\" = '[]', \"post_logout_redirect_uris\" = '[]', \"scopes\" = '[]', \"grant_types\" = '[]', \"metadata\" = null, \"version\" = version + 1 where \"id\" = ? and \"deleted\" = 0 and version = coalesce(cast(? as integer), version)",
      "toParameters": (v) => [v.id, v.version]
    },
    "client-deletion.registration": {
      "text": "delete from \"client_registrations\" where \"client_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "client-deletion.unused": {
      "text": "delete from \"clients\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "clients.all": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0",
      "toParameters": () => [],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.byId": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"id\" = ? and \"deleted\" = 0",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.byLogoutUri": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and replace(replace(coalesce(metadata, ''), '\"registration\":\"open\"', ''), '\"registration\":\"document\"', '') = coalesce(metadata, '') and replace(post_logout_redirect_uris, ?, '') <> post_logout_redirect_uris order by \"id\" limit 10",
      "toParameters": (v) => [v.uri],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.insertClient": {
      "text": "insert into \"clients\" (\"id\", \"name\", \"type\", \"secret_hash\", \"consent\", \"require_pkce\", \"redirect_uris\", \"post_logout_redirect_uris\", \"scopes\", \"created_at_ms\", \"previous_secret_hash\", \"previous_secret_ends_at_ms\", \"grant_types\", \"metadata\", \"version\") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.type, v.secret_hash, v.consent, v.require_pkce, v.redirect_uris, v.post_logout_redirect_uris, v.scopes, v.created_at_ms, v.previous_secret_hash, v.previous_secret_ends_at_ms, v.grant_types, v.metadata, v.version]
    },
    "clients.page500": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > ? order by \"id\" limit 500",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.page64": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > ? order by \"id\" limit 64",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.pageAmong500": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > ? and (? = '' or replace(lower(\"id\"), ?, '') <> lower(\"id\")\n        or replace(lower(\"name\"), ?, '') <> lower(\"name\")) and (? = '' or replace(scopes, ?, '') <> scopes) and (? = '' or replace(metadata, ?, '') <> metadata) order by \"id\" limit 500",
      "toParameters": (v) => [v.after, v.text, v.text, v.text, v.named, v.named, v.algorithm, v.algorithm],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.pageAmong64": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > ? and (? = '' or replace(lower(\"id\"), ?, '') <> lower(\"id\")\n        or replace(lower(\"name\"), ?, '') <> lower(\"name\")) and (? = '' or replace(scopes, ?, '') <> scopes) and (? = '' or replace(metadata, ?, '') <> metadata) order by \"id\" limit 64",
      "toParameters": (v) => [v.after, v.text, v.text, v.text, v.named, v.named, v.algorithm, v.algorithm],
      "toRow": (v) => ({ c_id: v[0], c_name: v[1], c_type: v[2], c_secret_hash: v[3], c_consent: v[4], c_require_pkce: v[5], c_redirect_uris: v[6], c_post_logout_redirect_uris: v[7], c_scopes: v[8], c_created_at_ms: v[9], c_previous_secret_hash: v[10], c_previous_secret_ends_at_ms: v[11], c_grant_types: v[12], c_metadata: v[13], c_version: v[14] })
    },
    "clients.updateClient": {
      "text": "update \"clients\" set \"id\" = ?, \"name\" = ?, \"type\" = ?, \"secret_hash\" = ?, \"consent\" = ?, \"require_pkce\" = ?, \"redirect_uris\" = ?, \"post_logout_redirect_uris\" = ?, \"scopes\" = ?, \"created_at_ms\" = ?, \"previous_secret_hash\" = ?, \"previous_secret_ends_at_ms\" = ?, \"grant_types\" = ?, \"metadata\" = ?, \"version\" = ? where \"id\" = ? and \"version\" = ?",
      "toParameters": (v) => [v.id, v.name, v.type, v.secret_hash, v.consent, v.require_pkce, v.redirect_uris, v.post_logout_redirect_uris, v.scopes, v.created_at_ms, v.previous_secret_hash, v.previous_secret_ends_at_ms, v.grant_types, v.metadata, v.version, v.id, v.decided_on]
    },
    "configuration.consentsOfClient": {
      "text": "select \"id\", \"user_id\", \"scopes\" from \"authorizations\" where \"client_id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ id: v[0], user_id: v[1], scopes: v[2] })
    },
    "configuration.consentsOfUser": {
      "text": "select \"id\", \"user_id\" from \"authorizations\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.consentsWith": {
      "text": "select \"id\", \"user_id\" from \"authorizations\" where replace(scopes, ?, '') <> scopes",
      "toParameters": (v) => [v.named],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.grantsOfClient": {
      "text": "select \"id\", \"user_id\" from \"grants\" where \"client_id\" = ? and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > ?)",
      "toParameters": (v) => [v.id, v.now_ms],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.grantsOfUser": {
      "text": "select \"id\", \"user_id\" from \"grants\" where \"user_id\" = ? and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > ?)",
      "toParameters": (v) => [v.id, v.now_ms],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.grantsWith": {
      "text": "select \"id\", \"user_id\" from \"grants\" where replace(scopes, ?, '') <> scopes and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > ?)",
      "toParameters": (v) => [v.named, v.now_ms],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.holders": {
      "text": "select \"id\", \"id\" as \"user_id\" from \"users\" where replace(roles, ?, '') <> roles",
      "toParameters": (v) => [v.named],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.sessionsOfUser": {
      "text": "select \"id\", \"user_id\" from \"sessions\" where \"user_id\" = ? and \"expires_at_ms\" > ?",
      "toParameters": (v) => [v.id, v.now_ms],
      "toRow": (v) => ({ id: v[0], user_id: v[1] })
    },
    "configuration.vacate": {
      "text": "update \"users\" set \"normalized_email\" = ? where \"id\" = ? and \"version\" = ?",
      "toParameters": (v) => [v.vacant, v.id, v.version]
    },
    "confirmations.byId": {
      "text": "select \"confirmations\".\"id\" as \"cf_id\", \"confirmations\".\"purpose\" as \"cf_purpose\", \"confirmations\".\"subject\" as \"cf_subject\", \"confirmations\".\"user_id\" as \"cf_user_id\", \"confirmations\".\"token_hash\" as \"cf_token_hash\", \"confirmations\".\"code_hash\" as \"cf_code_hash\", \"confirmations\".\"browser_hash\" as \"cf_browser_hash\", \"confirmations\".\"attempts\" as \"cf_attempts\", \"confirmations\".\"confirmed_at_ms\" as \"cf_confirmed_at_ms\", \"confirmations\".\"details\" as \"cf_details\", \"confirmations\".\"created_at_ms\" as \"cf_created_at_ms\", \"confirmations\".\"expires_at_ms\" as \"cf_expires_at_ms\", \"confirmations\".\"begun_by\" as \"cf_begun_by\", \"confirmations\".\"session_id\" as \"cf_session_id\", \"confirmations\".\"held_name\" as \"cf_held_name\", \"confirmations\".\"held_skeleton\" as \"cf_held_skeleton\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"confirmations\" left join \"users\" on \"users\".\"id\" = \"confirmations\".\"user_id\" where \"confirmations\".\"id\" = ?",
      "toParameters": (v) => ["\n", "role", v.id],
      "toRow": (v) => ({ cf_id: v[0], cf_purpose: v[1], cf_subject: v[2], cf_user_id: v[3], cf_token_hash: v[4], cf_code_hash: v[5], cf_browser_hash: v[6], cf_attempts: v[7], cf_confirmed_at_ms: v[8], cf_details: v[9], cf_created_at_ms: v[10], cf_expires_at_ms: v[11], cf_begun_by: v[12], cf_session_id: v[13], cf_held_name: v[14], cf_held_skeleton: v[15], u_id: v[16], u_name: v[17], u_normalized_name: v[18], u_email: v[19], u_normalized_email: v[20], u_email_confirmed: v[21], u_password_hash: v[22], u_roles: v[23], u_disabled: v[24], u_locked_until_ms: v[25], u_failed_attempts: v[26], u_lockout_began_at_ms: v[27], u_sessions_ended_at_ms: v[28], u_grants_ended_at_ms: v[29], u_created_at_ms: v[30], u_updated_at_ms: v[31], u_version: v[32], u_claims: v[33], u_deletion_due_at_ms: v[34], u_unclaimed: v[35], u_removed_roles: v[36] })
    },
    "confirmations.confirm": {
      "text": "update \"confirmations\" set \"browser_hash\" = ?, \"confirmed_at_ms\" = ?, \"expires_at_ms\" = ?, \"details\" = coalesce(cast(? as text), details) where \"id\" = ? and \"confirmed_at_ms\" is null",
      "toParameters": (v) => [v.browser_hash, v.confirmed_at_ms, v.expires_at_ms, v.details, v.id]
    },
    "confirmations.countAttempt": {
      "text": "update \"confirmations\" set \"attempts\" = \"attempts\" + ? where \"id\" = ? and \"attempts\" < 5 and \"confirmed_at_ms\" is null",
      "toParameters": (v) => [1, v.id]
    },
    "confirmations.invitations": {
      "text": "select \"confirmations\".\"id\" as \"cf_id\", \"confirmations\".\"purpose\" as \"cf_purpose\", \"confirmations\".\"subject\" as \"cf_subject\", \"confirmations\".\"user_id\" as \"cf_user_id\", \"confirmations\".\"token_hash\" as \"cf_token_hash\", \"confirmations\".\"code_hash\" as \"cf_code_hash\", \"confirmations\".\"browser_hash\" as \"cf_browser_hash\", \"confirmations\".\"attempts\" as \"cf_attempts\", \"confirmations\".\"confirmed_at_ms\" as \"cf_confirmed_at_ms\", \"confirmations\".\"details\" as \"cf_details\", \"confirmations\".\"created_at_ms\" as \"cf_created_at_ms\", \"confirmations\".\"expires_at_ms\" as \"cf_expires_at_ms\", \"confirmations\".\"begun_by\" as \"cf_begun_by\", \"confirmations\".\"session_id\" as \"cf_session_id\", \"confirmations\".\"held_name\" as \"cf_held_name\", \"confirmations\".\"held_skeleton\" as \"cf_held_skeleton\" from \"confirmations\" where \"purpose\" = 'invite' and \"expires_at_ms\" > ? order by \"id\" desc limit 1000",
      "toParameters": (v) => [v.now_ms],
      "toRow": (v) => ({ cf_id: v[0], cf_purpose: v[1], cf_subject: v[2], cf_user_id: v[3], cf_token_hash: v[4], cf_code_hash: v[5], cf_browser_hash: v[6], cf_attempts: v[7], cf_confirmed_at_ms: v[8], cf_details: v[9], cf_created_at_ms: v[10], cf_expires_at_ms: v[11], cf_begun_by: v[12], cf_session_id: v[13], cf_held_name: v[14], cf_held_skeleton: v[15] })
    },
    "confirmations.put": {
      "text": "insert into \"confirmations\" (\"id\", \"purpose\", \"subject\", \"user_id\", \"token_hash\", \"code_hash\", \"browser_hash\", \"attempts\", \"confirmed_at_ms\", \"details\", \"created_at_ms\", \"expires_at_ms\", \"begun_by\", \"session_id\", \"held_name\", \"held_skeleton\") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (\"purpose\", \"subject\") do update set \"id\" = \"excluded\".\"id\", \"user_id\" = \"excluded\".\"user_id\", \"token_hash\" = \"excluded\".\"token_hash\", \"code_hash\" = \"excluded\".\"code_hash\", \"browser_hash\" = \"excluded\".\"browser_hash\", \"attempts\" = \"excluded\".\"attempts\", \"confirmed_at_ms\" = \"excluded\".\"confirmed_at_ms\", \"details\" = \"excluded\".\"details\", \"created_at_ms\" = \"excluded\".\"created_at_ms\", \"expires_at_ms\" = \"excluded\".\"expires_at_ms\", \"begun_by\" = \"excluded\".\"begun_by\", \"session_id\" = \"excluded\".\"session_id\", \"held_name\" = \"excluded\".\"held_name\", \"held_skeleton\" = \"excluded\".\"held_skeleton\"",
      "toParameters": (v) => [v.id, v.purpose, v.subject, v.user_id, v.token_hash, v.code_hash, v.browser_hash, v.attempts, v.confirmed_at_ms, v.details, v.created_at_ms, v.expires_at_ms, v.begun_by, v.session_id, v.held_name, v.held_skeleton]
    },
    "confirmations.remove": {
      "text": "delete from \"confirmations\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "confirmations.removeSubject": {
      "text": "delete from \"confirmations\" where \"purpose\" = ? and \"subject\" = ?",
      "toParameters": (v) => [v.purpose, v.subject]
    },
    "confirmations.removeUndos": {
      "text": "delete from \"confirmations\" where \"user_id\" = ? and \"purpose\" = 'undo'",
      "toParameters": (v) => [v.user_id]
    },
    "confirmations.undosOf": {
      "text": "select \"confirmations\".\"id\" as \"cf_id\", \"confirmations\".\"purpose\" as \"cf_purpose\", \"confirmations\".\"subject\" as \"cf_subject\", \"confirmations\".\"user_id\" as \"cf_user_id\", \"confirmations\".\"token_hash\" as \"cf_token_hash\", \"confirmations\".\"code_hash\" as \"cf_code_hash\", \"confirmations\".\"browser_hash\" as \"cf_browser_hash\", \"confirmations\".\"attempts\" as \"cf_attempts\", \"confirmations\".\"confirmed_at_ms\" as \"cf_confirmed_at_ms\", \"confirmations\".\"details\" as \"cf_details\", \"confirmations\".\"created_at_ms\" as \"cf_created_at_ms\", \"confirmations\".\"expires_at_ms\" as \"cf_expires_at_ms\", \"confirmations\".\"begun_by\" as \"cf_begun_by\", \"confirmations\".\"session_id\" as \"cf_session_id\", \"confirmations\".\"held_name\" as \"cf_held_name\", \"confirmations\".\"held_skeleton\" as \"cf_held_skeleton\" from \"confirmations\" where \"user_id\" = ? and \"purpose\" = 'undo'",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ cf_id: v[0], cf_purpose: v[1], cf_subject: v[2], cf_user_id: v[3], cf_token_hash: v[4], cf_code_hash: v[5], cf_browser_hash: v[6], cf_attempts: v[7], cf_confirmed_at_ms: v[8], cf_details: v[9], cf_created_at_ms: v[10], cf_expires_at_ms: v[11], cf_begun_by: v[12], cf_session_id: v[13], cf_held_name: v[14], cf_held_skeleton: v[15] })
    },
    "deletions.confirmations": {
      "text": "delete from \"confirmations\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "deletions.due": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"deletion_due_at_ms\" <= ? order by \"deletion_due_at_ms\" limit 100",
      "toParameters": (v) => ["\n", "role", v.now_ms],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "deletions.dueUser": {
      "text": "delete from \"users\" where \"id\" = ? and \"deletion_due_at_ms\" <= ?",
      "toParameters": (v) => [v.id, v.now_ms]
    },
    "deletions.mails": {
      "text": "delete from \"mails\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "deletions.sessions": {
      "text": "delete from \"sessions\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "deletions.user": {
      "text": "delete from \"users\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "dependents.clientsWith": {
      "text": "select \"clients\".\"id\" from \"clients\" where replace(scopes, ?, '') <> scopes",
      "toParameters": (v) => [v.named],
      "toRow": (v) => ({ id: v[0] })
    },
    "dependents.consents": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when ((? = '' or client_id = ?) and (? = '' or replace(scopes, ?, '') <> scopes)) and true then 1 else 0 end as \"counted\" from \"authorizations\" where \"id\" > ? order by \"id\" limit 2000) as \"w\"",
      "toParameters": (v) => [v.client_id, v.client_id, v.named, v.named, v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
    },
    "dependents.fewConsentsOf": {
      "text": "select count(*) as \"rows\" from (select \"id\" from \"authorizations\" where \"client_id\" = ? limit 5000) as \"few\"",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ rows: v[0] })
    },
    "dependents.fewGrantsOf": {
      "text": "select count(*) as \"rows\", sum(\"few\".\"counted\") as \"counted\" from (select case when (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > ?) then 1 else 0 end as \"counted\" from \"grants\" where \"client_id\" = ? limit 5000) as \"few\"",
      "toParameters": (v) => [v.now_ms, v.id],
      "toRow": (v) => ({ rows: v[0], counted: v[1] })
    },
    "dependents.grants": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when ((? = '' or client_id = ?) and (? = '' or replace(scopes, ?, '') <> scopes)) and revoked_at_ms is null and refresh_expires_at_ms > ? then 1 else 0 end as \"counted\" from \"grants\" where \"id\" > ? order by \"id\" limit 2000) as \"w\"",
      "toParameters": (v) => [v.client_id, v.client_id, v.named, v.named, v.now_ms, v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
    },
    "dependents.namesOfHolders": {
      "text": "select \"name\" from \"users\" where \"id\" > ? and \"id\" <= ? and replace(roles, ?, '') <> roles limit 100",
      "toParameters": (v) => [v.after, v.last, v.named],
      "toRow": (v) => ({ name: v[0] })
    },
    "dependents.ofUser": {
      "text": "select (select cast(count(*) as integer) as \"n\" from \"sessions\" where \"user_id\" = ? and \"expires_at_ms\" > ?) as \"sessions\", (select cast(count(*) as integer) as \"n\" from \"grants\" where \"user_id\" = ? and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > ?)) as \"grants\", (select cast(count(*) as integer) as \"n\" from \"authorizations\" where \"user_id\" = ?) as \"consents\", (select cast(count(*) as integer) as \"n\" from \"external_logins\" where \"user_id\" = ?) as \"external_logins\"",
      "toParameters": (v) => [v.id, v.now_ms, v.id, v.now_ms, v.id, v.id],
      "toRow": (v) => ({ sessions: v[0], grants: v[1], consents: v[2], external_logins: v[3] })
    },
    "dependents.people": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when replace(roles, ?, '') <> roles then 1 else 0 end as \"counted\" from \"users\" where \"id\" > ? order by \"id\" limit 2000) as \"w\"",
      "toParameters": (v) => [v.named, v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
    },
    "device-codes.answerCode": {
      "text": "update \"device_codes\" set \"answer\" = ?, \"user_id\" = ?, \"authorization_id\" = ?, \"session_id\" = ?, \"authenticated_at_ms\" = ?, \"method\" = ?, \"answered_at_ms\" = ? where \"id\" = ? and \"answer\" is null and \"ends_at_ms\" > ?",
      "toParameters": (v) => [v.answer, v.user_id, v.authorization_id, v.session_id, v.authenticated_at_ms, v.method, v.answered_at_ms, v.id, v.now_ms]
    },
    "device-codes.byUserCode": {
      "text": "select \"device_codes\".\"id\" as \"d_id\", \"device_codes\".\"secret_hash\" as \"d_secret_hash\", \"device_codes\".\"user_code_hash\" as \"d_user_code_hash\", \"device_codes\".\"client_id\" as \"d_client_id\", \"device_codes\".\"scopes\" as \"d_scopes\", \"device_codes\".\"resources\" as \"d_resources\", \"device_codes\".\"created_at_ms\" as \"d_created_at_ms\", \"device_codes\".\"ends_at_ms\" as \"d_ends_at_ms\", \"device_codes\".\"expires_at_ms\" as \"d_expires_at_ms\", \"device_codes\".\"answer\" as \"d_answer\", \"device_codes\".\"user_id\" as \"d_user_id\", \"device_codes\".\"authorization_id\" as \"d_authorization_id\", \"device_codes\".\"session_id\" as \"d_session_id\", \"device_codes\".\"authenticated_at_ms\" as \"d_authenticated_at_ms\", \"device_codes\".\"method\" as \"d_method\", \"device_codes\".\"answered_at_ms\" as \"d_answered_at_ms\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"device_codes\" inner join \"clients\" on \"clients\".\"id\" = \"device_codes\".\"client_id\" and \"clients\".\"deleted\" = 0 left join \"scopes\" on \"scopes\".\"name\" in (select value from json_each(\"device_codes\".\"scopes\")) where \"device_codes\".\"user_code_hash\" in (select value from json_each(?))",
      "toParameters": (v) => [v.hashes],
      "toRow": (v) => ({ d_id: v[0], d_secret_hash: v[1], d_user_code_hash: v[2], d_client_id: v[3], d_scopes: v[4], d_resources: v[5], d_created_at_ms: v[6], d_ends_at_ms: v[7], d_expires_at_ms: v[8], d_answer: v[9], d_user_id: v[10], d_authorization_id: v[11], d_session_id: v[12], d_authenticated_at_ms: v[13], d_method: v[14], d_answered_at_ms: v[15], c_id: v[16], c_name: v[17], c_type: v[18], c_secret_hash: v[19], c_consent: v[20], c_require_pkce: v[21], c_redirect_uris: v[22], c_post_logout_redirect_uris: v[23], c_scopes: v[24], c_created_at_ms: v[25], c_previous_secret_hash: v[26], c_previous_secret_ends_at_ms: v[27], c_grant_types: v[28], c_metadata: v[29], c_version: v[30], sc_name: v[31], sc_display_name: v[32], sc_description: v[33], sc_resources: v[34], sc_created_at_ms: v[35] })
    },
    "device-codes.forPoll": {
      "text": "select \"device_codes\".\"id\" as \"d_id\", \"device_codes\".\"secret_hash\" as \"d_secret_hash\", \"device_codes\".\"user_code_hash\" as \"d_user_code_hash\", \"device_codes\".\"client_id\" as \"d_client_id\", \"device_codes\".\"scopes\" as \"d_scopes\", \"device_codes\".\"resources\" as \"d_resources\", \"device_codes\".\"created_at_ms\" as \"d_created_at_ms\", \"device_codes\".\"ends_at_ms\" as \"d_ends_at_ms\", \"device_codes\".\"expires_at_ms\" as \"d_expires_at_ms\", \"device_codes\".\"answer\" as \"d_answer\", \"device_codes\".\"user_id\" as \"d_user_id\", \"device_codes\".\"authorization_id\" as \"d_authorization_id\", \"device_codes\".\"session_id\" as \"d_session_id\", \"device_codes\".\"authenticated_at_ms\" as \"d_authenticated_at_ms\", \"device_codes\".\"method\" as \"d_method\", \"device_codes\".\"answered_at_ms\" as \"d_answered_at_ms\", \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"email\" as \"u_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"claims\" as \"u_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"device_codes\" on \"device_codes\".\"id\" = ? left join \"clients\" on \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 left join \"users\" on \"users\".\"id\" = \"device_codes\".\"user_id\" left join \"grants\" on \"grants\".\"id\" = \"device_codes\".\"id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"device_codes\".\"authorization_id\"",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.id, v.client_id],
      "toRow": (v) => ({ d_id: v[0], d_secret_hash: v[1], d_user_code_hash: v[2], d_client_id: v[3], d_scopes: v[4], d_resources: v[5], d_created_at_ms: v[6], d_ends_at_ms: v[7], d_expires_at_ms: v[8], d_answer: v[9], d_user_id: v[10], d_authorization_id: v[11], d_session_id: v[12], d_authenticated_at_ms: v[13], d_method: v[14], d_answered_at_ms: v[15], c_id: v[16], c_type: v[17], c_secret_hash: v[18], c_require_pkce: v[19], c_scopes: v[20], c_created_at_ms: v[21], c_previous_secret_hash: v[22], c_previous_secret_ends_at_ms: v[23], c_grant_types: v[24], c_metadata: v[25], u_id: v[26], u_name: v[27], u_email: v[28], u_email_confirmed: v[29], u_roles: v[30], u_disabled: v[31], u_locked_until_ms: v[32], u_lockout_began_at_ms: v[33], u_grants_ended_at_ms: v[34], u_created_at_ms: v[35], u_claims: v[36], u_removed_roles: v[37], g_id: v[38], g_client_id: v[39], g_user_id: v[40], g_authorization_id: v[41], g_scopes: v[42], g_resources: v[43], g_authenticated_at_ms: v[44], g_method: v[45], g_nonce: v[46], g_created_at_ms: v[47], g_revoked_at_ms: v[48], g_expires_at_ms: v[49], g_generation: v[50], g_salt: v[51], g_derivation_key_id: v[52], g_refresh_expires_at_ms: v[53], g_rotated_at_ms: v[54], g_derived_from: v[55], g_session_id: v[56], g_confirmation: v[57], g_claims: v[58], g_removed_scopes: v[59], consent_id: v[60] })
    },
    "device-codes.insertCode": {
      "text": "insert into \"device_codes\" (\"id\", \"secret_hash\", \"user_code_hash\", \"client_id\", \"scopes\", \"resources\", \"created_at_ms\", \"ends_at_ms\", \"expires_at_ms\", \"answer\", \"user_id\", \"authorization_id\", \"session_id\", \"authenticated_at_ms\", \"method\", \"answered_at_ms\") select ? as \"id\", ? as \"secret_hash\", ? as \"user_code_hash\", ? as \"client_id\", ? as \"scopes\", ? as \"resources\", ? as \"created_at_ms\", ? as \"ends_at_ms\", ? as \"expires_at_ms\", ? as \"answer\", ? as \"user_id\", ? as \"authorization_id\", ? as \"session_id\", ? as \"authenticated_at_ms\", ? as \"method\", ? as \"answered_at_ms\" where exists (select \"id\" from \"clients\" where \"id\" = ? and \"deleted\" = 0) on conflict do nothing",
      "toParameters": (v) => [v.id, v.secret_hash, v.user_code_hash, v.client_id, v.scopes, v.resources, v.created_at_ms, v.ends_at_ms, v.expires_at_ms, v.answer, v.user_id, v.authorization_id, v.session_id, v.authenticated_at_ms, v.method, v.answered_at_ms, v.client_id]
    },
    "external-logins.holder": {
      "text": "select \"user_id\" from \"external_logins\" where \"provider\" = ? and \"subject\" = ?",
      "toParameters": (v) => [v.provider, v.subject],
      "toRow": (v) => ({ user_id: v[0] })
    },
    "external-logins.insert": {
      "text": "insert into \"external_logins\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") values (?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms]
    },
    "external-logins.insertOnly": {
      "text": "insert into \"external_logins\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") select ? as \"provider\", ? as \"subject\", ? as \"user_id\", ? as \"created_at_ms\" where not exists (select \"others\".\"user_id\" from \"external_logins\" as \"others\" where \"others\".\"user_id\" = ? and \"others\".\"provider\" = ?) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms, v.user_id, v.provider]
    },
    "external-logins.insertRegistration": {
      "text": "insert into \"external_registrations\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") values (?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms]
    },
    "external-logins.ofUser": {
      "text": "select \"provider\", \"subject\", \"user_id\", \"created_at_ms\" from \"external_logins\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ provider: v[0], subject: v[1], user_id: v[2], created_at_ms: v[3] })
    },
    "external-logins.registration": {
      "text": "select \"user_id\" from \"external_registrations\" where \"provider\" = ? and \"subject\" = ?",
      "toParameters": (v) => [v.provider, v.subject],
      "toRow": (v) => ({ user_id: v[0] })
    },
    "external-logins.registrationsOf": {
      "text": "select \"provider\", \"subject\", \"user_id\", \"created_at_ms\" from \"external_registrations\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ provider: v[0], subject: v[1], user_id: v[2], created_at_ms: v[3] })
    },
    "external-logins.remove": {
      "text": "delete from \"external_logins\" where \"user_id\" = ? and \"provider\" = ? and (exists (select \"id\" from \"users\" where \"id\" = ? and \"password_hash\" is not null) or exists (select \"id\" from \"passkeys\" where \"passkeys\".\"user_id\" = ?) or exists (select \"others\".\"user_id\" from \"external_logins\" as \"others\" where \"others\".\"user_id\" = ? and \"others\".\"provider\" != ? and \"others\".\"provider\" in (select value from json_each(?))))",
      "toParameters": (v) => [v.user_id, v.provider, v.user_id, v.user_id, v.user_id, v.provider, v.providers]
    },
    "external-logins.removeWithoutPasskeys": {
      "text": "delete from \"external_logins\" where \"user_id\" = ? and \"provider\" = ? and (exists (select \"id\" from \"users\" where \"id\" = ? and \"password_hash\" is not null) or exists (select \"others\".\"user_id\" from \"external_logins\" as \"others\" where \"others\".\"user_id\" = ? and \"others\".\"provider\" != ? and \"others\".\"provider\" in (select value from json_each(?))))",
      "toParameters": (v) => [v.user_id, v.provider, v.user_id, v.user_id, v.provider, v.providers]
    },
    "grants.forExchange": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"email\" as \"u_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"claims\" as \"u_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 left join \"users\" on \"users\".\"id\" = ? left join \"grants\" on \"grants\".\"id\" = ? left join \"authorizations\" on \"authorizations\".\"id\" = ?",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.client_id, v.user_id, v.grant_id, v.authorization_id],
      "toRow": (v) => ({ c_id: v[0], c_type: v[1], c_secret_hash: v[2], c_require_pkce: v[3], c_scopes: v[4], c_created_at_ms: v[5], c_previous_secret_hash: v[6], c_previous_secret_ends_at_ms: v[7], c_grant_types: v[8], c_metadata: v[9], u_id: v[10], u_name: v[11], u_email: v[12], u_email_confirmed: v[13], u_roles: v[14], u_disabled: v[15], u_locked_until_ms: v[16], u_lockout_began_at_ms: v[17], u_grants_ended_at_ms: v[18], u_created_at_ms: v[19], u_claims: v[20], u_removed_roles: v[21], g_id: v[22], g_client_id: v[23], g_user_id: v[24], g_authorization_id: v[25], g_scopes: v[26], g_resources: v[27], g_authenticated_at_ms: v[28], g_method: v[29], g_nonce: v[30], g_created_at_ms: v[31], g_revoked_at_ms: v[32], g_expires_at_ms: v[33], g_generation: v[34], g_salt: v[35], g_derivation_key_id: v[36], g_refresh_expires_at_ms: v[37], g_rotated_at_ms: v[38], g_derived_from: v[39], g_session_id: v[40], g_confirmation: v[41], g_claims: v[42], g_removed_scopes: v[43], consent_id: v[44] })
    },
    "grants.forRefresh": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"email\" as \"u_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"claims\" as \"u_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"g_removed_scopes\", \"authorizations\".\"id\" as \"consent_id\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = ? and \"clients\".\"deleted\" = 0 left join \"grants\" on \"grants\".\"id\" = ? left join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"grants\".\"authorization_id\" left join \"sessions\" on \"sessions\".\"id\" = \"grants\".\"session_id\" and \"grants\".\"client_id\" = 'latchkey-console' and sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1)",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.client_id, v.grant_id],
      "toRow": (v) => ({ c_id: v[0], c_type: v[1], c_secret_hash: v[2], c_require_pkce: v[3], c_scopes: v[4], c_created_at_ms: v[5], c_previous_secret_hash: v[6], c_previous_secret_ends_at_ms: v[7], c_grant_types: v[8], c_metadata: v[9], u_id: v[10], u_name: v[11], u_email: v[12], u_email_confirmed: v[13], u_roles: v[14], u_disabled: v[15], u_locked_until_ms: v[16], u_lockout_began_at_ms: v[17], u_grants_ended_at_ms: v[18], u_created_at_ms: v[19], u_claims: v[20], u_removed_roles: v[21], g_id: v[22], g_client_id: v[23], g_user_id: v[24], g_authorization_id: v[25], g_scopes: v[26], g_resources: v[27], g_authenticated_at_ms: v[28], g_method: v[29], g_nonce: v[30], g_created_at_ms: v[31], g_revoked_at_ms: v[32], g_expires_at_ms: v[33], g_generation: v[34], g_salt: v[35], g_derivation_key_id: v[36], g_refresh_expires_at_ms: v[37], g_rotated_at_ms: v[38], g_derived_from: v[39], g_session_id: v[40], g_confirmation: v[41], g_claims: v[42], g_removed_scopes: v[43], consent_id: v[44], s_created_at_ms: v[45], s_expires_at_ms: v[46] })
    },
    "grants.insertGrant": {
      "text": "insert into \"grants\" (\"id\", \"client_id\", \"user_id\", \"authorization_id\", \"scopes\", \"resources\", \"authenticated_at_ms\", \"method\", \"nonce\", \"created_at_ms\", \"revoked_at_ms\", \"expires_at_ms\", \"generation\", \"salt\", \"derivation_key_id\", \"refresh_expires_at_ms\", \"rotated_at_ms\", \"derived_from\", \"session_id\", \"confirmation\", \"claims\") select ? as \"id\", ? as \"client_id\", ? as \"user_id\", ? as \"authorization_id\", ? as \"scopes\", ? as \"resources\", ? as \"authenticated_at_ms\", ? as \"method\", ? as \"nonce\", ? as \"created_at_ms\", ? as \"revoked_at_ms\", ? as \"expires_at_ms\", ? as \"generation\", ? as \"salt\", ? as \"derivation_key_id\", ? as \"refresh_expires_at_ms\", ? as \"rotated_at_ms\", ? as \"derived_from\", ? as \"session_id\", ? as \"confirmation\", ? as \"claims\" where (cast(? as text) is null or exists (select \"id\" from \"authorizations\" where \"id\" = ?)) and exists (select \"id\" from \"users\" where \"id\" = ?) and exists (select \"id\" from \"clients\" where \"id\" = ? and \"deleted\" = 0) on conflict do nothing",
      "toParameters": (v) => [v.id, v.client_id, v.user_id, v.authorization_id, v.scopes, v.resources, v.authenticated_at_ms, v.method, v.nonce, v.created_at_ms, v.revoked_at_ms, v.expires_at_ms, v.generation, v.salt, v.derivation_key_id, v.refresh_expires_at_ms, v.rotated_at_ms, v.derived_from, v.session_id, v.confirmation, v.claims, v.authorization_id, v.authorization_id, v.user_id, v.client_id]
    },
    "grants.revokeGrant": {
      "text": "update \"grants\" set \"revoked_at_ms\" = ? where \"id\" = ? and \"revoked_at_ms\" is null",
      "toParameters": (v) => [v.revoked_at_ms, v.id]
    },
    "grants.rotateChain": {
      "text": "update \"grants\" set \"generation\" = ?, \"salt\" = ?, \"derivation_key_id\" = ?, \"derived_from\" = ?, \"refresh_expires_at_ms\" = ?, \"rotated_at_ms\" = ?, \"expires_at_ms\" = ? where \"id\" = ? and \"generation\" = ? and \"revoked_at_ms\" is null and exists (select \"clients\".\"id\" from \"clients\" where \"clients\".\"id\" = \"grants\".\"client_id\" and \"clients\".\"deleted\" = 0) and (\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\"))",
      "toParameters": (v) => [v.generation, v.salt, v.derivation_key_id, v.derived_from, v.refresh_expires_at_ms, v.rotated_at_ms, v.expires_at_ms, v.id, v.from_generation]
    },
    "held-roles.removed": {
      "text": "select \"name\" from \"removals\" where \"kind\" = 'role'",
      "toParameters": () => [],
      "toRow": (v) => ({ name: v[0] })
    },
    "idempotency.byId": {
      "text": "select \"id\", \"body_hash\", \"status\", \"answer\", \"expires_at_ms\" from \"idempotency_keys\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ id: v[0], body_hash: v[1], status: v[2], answer: v[3], expires_at_ms: v[4] })
    },
    "idempotency.insertKey": {
      "text": "insert into \"idempotency_keys\" (\"id\", \"body_hash\", \"status\", \"answer\", \"expires_at_ms\") values (?, ?, ?, ?, ?) on conflict (\"id\") do update set \"body_hash\" = ?, \"status\" = ?, \"answer\" = ?, \"expires_at_ms\" = ? where \"idempotency_keys\".\"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.id, v.body_hash, v.status, v.answer, v.expires_at_ms, v.body_hash, v.status, v.answer, v.expires_at_ms, v.now_ms]
    },
    "idempotency.putAnswer": {
      "text": "insert into \"idempotency_keys\" (\"id\", \"body_hash\", \"status\", \"answer\", \"expires_at_ms\") values (?, ?, ?, ?, ?) on conflict (\"id\") do update set \"status\" = ?, \"answer\" = ?",
      "toParameters": (v) => [v.id, v.body_hash, v.status, v.answer, v.expires_at_ms, v.status, v.answer]
    },
    "imports.addFailure": {
      "text": "insert into \"import_failures\" (\"import_id\", \"record\", \"line\", \"reason\") values (?, ?, ?, ?)",
      "toParameters": (v) => [v.import_id, v.record, v.line, v.reason]
    },
    "imports.begin": {
      "text": "insert into \"imports\" (\"id\", \"kind\", \"records_read\", \"counts\", \"started_at_ms\") values (?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.kind, v.records_read, v.counts, v.started_at_ms]
    },
    "imports.byId": {
      "text": "select \"id\", \"kind\", \"records_read\", \"counts\", \"started_at_ms\" from \"imports\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ id: v[0], kind: v[1], records_read: v[2], counts: v[3], started_at_ms: v[4] })
    },
    "imports.failuresOf": {
      "text": "select \"import_id\", \"record\", \"line\", \"reason\" from \"import_failures\" where \"import_id\" = ? order by \"record\"",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ import_id: v[0], record: v[1], line: v[2], reason: v[3] })
    },
    "imports.forget": {
      "text": "delete from \"imports\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "imports.forgetFailures": {
      "text": "delete from \"import_failures\" where \"import_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "imports.goOn": {
      "text": "update \"imports\" set \"records_read\" = ?, \"counts\" = ? where \"id\" = ? and \"started_at_ms\" = ? and \"records_read\" = ?",
      "toParameters": (v) => [v.records_read, v.counts, v.id, v.started_at_ms, v.decided_on]
    },
    "imports.markOf": {
      "text": "select \"mark\" from \"imported_passwords\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ mark: v[0] })
    },
    "imports.storeMark": {
      "text": "insert into \"imported_passwords\" (\"user_id\", \"mark\") values (?, ?) on conflict (\"user_id\") do update set \"mark\" = ?",
      "toParameters": (v) => [v.user_id, v.mark, v.mark]
    },
    "keys.all": {
      "text": "select \"keys\".\"id\" as \"k_id\", \"keys\".\"use\" as \"k_use\", \"keys\".\"algorithm\" as \"k_algorithm\", \"keys\".\"public_jwk\" as \"k_public_jwk\", \"keys\".\"wrapped\" as \"k_wrapped\", \"keys\".\"created_at_ms\" as \"k_created_at_ms\", \"keys\".\"active_at_ms\" as \"k_active_at_ms\", \"keys\".\"expires_at_ms\" as \"k_expires_at_ms\", \"keys\".\"first_of\" as \"k_first_of\", \"keys\".\"for_clients\" as \"k_for_clients\" from \"keys\" where \"wrapped\" <> ? order by \"created_at_ms\", \"id\"",
      "toParameters": () => [""],
      "toRow": (v) => ({ k_id: v[0], k_use: v[1], k_algorithm: v[2], k_public_jwk: v[3], k_wrapped: v[4], k_created_at_ms: v[5], k_active_at_ms: v[6], k_expires_at_ms: v[7], k_first_of: v[8], k_for_clients: v[9] })
    },
    "keys.endKey": {
      "text": "update \"keys\" set \"expires_at_ms\" = ? where \"id\" = ? and \"expires_at_ms\" is not distinct from ?",
      "toParameters": (v) => [v.expires_at_ms, v.id, v.from_ms]
    },
    "keys.insertFirst": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\", \"for_clients\") select ? as \"id\", ? as \"use\", ? as \"algorithm\", ? as \"public_jwk\", ? as \"wrapped\", ? as \"created_at_ms\", ? as \"active_at_ms\", ? as \"expires_at_ms\", ? as \"first_of\", ? as \"for_clients\" where not exists (select \"id\" from \"keys\" where \"use\" = ? and \"algorithm\" = ? and \"wrapped\" <> ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of, v.for_clients, v.use, v.algorithm, ""]
    },
    "keys.insertKey": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\", \"for_clients\") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of, v.for_clients]
    },
    "keys.retired": {
      "text": "select \"id\", \"algorithm\", \"public_jwk\" from \"keys\" where \"id\" = ? and \"use\" = ?",
      "toParameters": (v) => [v.id, "sign"],
      "toRow": (v) => ({ id: v[0], algorithm: v[1], public_jwk: v[2] })
    },
    "keys.useForSettings": {
      "text": "update \"keys\" set \"for_clients\" = ? where \"id\" in (select value from json_each(?))",
      "toParameters": (v) => [null, v.ids]
    },
    "known-browsers.insert": {
      "text": "insert into \"known_browsers\" (\"id\", \"user_id\", \"created_at_ms\", \"last_used_at_ms\", \"expires_at_ms\", \"failed_attempts\", \"locked_until_ms\", \"user_agent\", \"second_factor_until_ms\") values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.user_id, v.created_at_ms, v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms, v.user_agent, v.second_factor_until_ms]
    },
    "known-browsers.ofUser": {
      "text": "select \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\" from \"known_browsers\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ k_id: v[0], k_user_id: v[1], k_created_at_ms: v[2], k_last_used_at_ms: v[3], k_expires_at_ms: v[4], k_failed_attempts: v[5], k_locked_until_ms: v[6], k_user_agent: v[7], k_second_factor_until_ms: v[8] })
    },
    "known-browsers.remember": {
      "text": "update \"known_browsers\" set \"second_factor_until_ms\" = ? where \"id\" = ?",
      "toParameters": (v) => [v.second_factor_until_ms, v.id]
    },
    "known-browsers.removeAll": {
      "text": "delete from \"known_browsers\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id]
    },
    "known-browsers.removeOne": {
      "text": "delete from \"known_browsers\" where \"id\" = ? and \"user_id\" = ?",
      "toParameters": (v) => [v.id, v.user_id]
    },
    "known-browsers.removeSurplus": {
      "text": "delete from \"known_browsers\" where \"user_id\" = ? and \"id\" not in (select \"id\" from \"known_browsers\" where \"user_id\" = ? order by \"last_used_at_ms\" desc, \"id\" desc limit 20)",
      "toParameters": (v) => [v.user_id, v.user_id]
    },
    "known-browsers.update": {
      "text": "update \"known_browsers\" set \"last_used_at_ms\" = ?, \"expires_at_ms\" = ?, \"failed_attempts\" = ?, \"locked_until_ms\" = ?, \"user_agent\" = ? where \"id\" = ?",
      "toParameters": (v) => [v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms, v.user_agent, v.id]
    },
    "last-factor.endRecoveryCodes": {
      "text": "update \"second_factors\" set \"recovery_hashes\" = '[]', \"recovery_since_ms\" = ?, \"version\" = \"version\" + ? where \"user_id\" = ? and \"totp_secret\" is null and \"recovery_hashes\" <> '[]' and not exists (select \"id\" from \"passkeys\" where \"passkeys\".\"user_id\" = ?)",
      "toParameters": (v) => [null, 1, v.user_id, v.user_id]
    },
    "last-factor.stopRemembering": {
      "text": "update \"known_browsers\" set \"second_factor_until_ms\" = ? where \"user_id\" = ? and \"second_factor_until_ms\" is not null",
      "toParameters": (v) => [null, v.user_id]
    },
    "last-factor.stopRememberingNone": {
      "text": "update \"known_browsers\" set \"second_factor_until_ms\" = ? where \"user_id\" = ? and \"second_factor_until_ms\" is not null and not exists (select \"second_factors\".\"user_id\" from \"second_factors\" where \"second_factors\".\"user_id\" = ? and \"totp_secret\" is not null) and not exists (select \"id\" from \"passkeys\" where \"passkeys\".\"user_id\" = ?)",
      "toParameters": (v) => [null, v.user_id, v.user_id, v.user_id]
    },
    "leases.ofOthers": {
      "text": "select \"holder\" from \"leases\" where \"name\" = ? and \"holder\" <> ? and \"until_ms\" > cast(unixepoch('subsec') * 1000 as integer)",
      "toParameters": (v) => [v.name, v.holder],
      "toRow": (v) => ({ holder: v[0] })
    },
    "leases.release": {
      "text": "delete from \"leases\" where \"name\" = ? and \"holder\" = ?",
      "toParameters": (v) => [v.name, v.holder]
    },
    "leases.take": {
      "text": "insert into \"leases\" (\"name\", \"holder\", \"until_ms\") values (?, ?, cast(unixepoch('subsec') * 1000 as integer) + ?) on conflict (\"name\") do update set \"holder\" = ?, \"until_ms\" = cast(unixepoch('subsec') * 1000 as integer) + ? where (\"leases\".\"holder\" = ? or \"leases\".\"until_ms\" <= cast(unixepoch('subsec') * 1000 as integer))",
      "toParameters": (v) => [v.name, v.holder, v.for_ms, v.holder, v.for_ms, v.holder]
    },
    "logout-notices.claim": {
      "text": "update \"logout_notices\" set \"attempts\" = ?, \"due_at_ms\" = ? where \"id\" = ? and \"attempts\" = ?",
      "toParameters": (v) => [v.next_attempts, v.due_at_ms, v.id, v.attempts]
    },
    "logout-notices.due": {
      "text": "select \"logout_notices\".\"id\" as \"n_id\", \"logout_notices\".\"client_id\" as \"n_client_id\", \"logout_notices\".\"user_id\" as \"n_user_id\", \"logout_notices\".\"sid\" as \"n_sid\", \"logout_notices\".\"attempts\" as \"n_attempts\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"logout_notices\" left join \"clients\" on \"clients\".\"id\" = \"logout_notices\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"logout_notices\".\"due_at_ms\" <= ? and not \"logout_notices\".\"client_id\" in (select value from json_each(?)) order by \"logout_notices\".\"due_at_ms\", \"logout_notices\".\"id\" limit 64",
      "toParameters": (v) => [v.now_ms, v.except],
      "toRow": (v) => ({ n_id: v[0], n_client_id: v[1], n_user_id: v[2], n_sid: v[3], n_attempts: v[4], c_id: v[5], c_name: v[6], c_type: v[7], c_secret_hash: v[8], c_consent: v[9], c_require_pkce: v[10], c_redirect_uris: v[11], c_post_logout_redirect_uris: v[12], c_scopes: v[13], c_created_at_ms: v[14], c_previous_secret_hash: v[15], c_previous_secret_ends_at_ms: v[16], c_grant_types: v[17], c_metadata: v[18], c_version: v[19] })
    },
    "logout-notices.postpone": {
      "text": "update \"logout_notices\" set \"attempts\" = ?, \"due_at_ms\" = ? where \"client_id\" = ? and \"attempts\" = ? and \"due_at_ms\" <= ?",
      "toParameters": (v) => [v.next_attempts, v.due_at_ms, v.client_id, v.attempts, v.now_ms]
    },
    "logout-notices.remove": {
      "text": "delete from \"logout_notices\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "mails.byId": {
      "text": "select \"id\", \"recipient\", \"user_id\", \"purpose\", \"state\", \"attempts\", \"next_at_ms\", \"error\", \"created_at_ms\", \"ends_at_ms\" from \"mails\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ id: v[0], recipient: v[1], user_id: v[2], purpose: v[3], state: v[4], attempts: v[5], next_at_ms: v[6], error: v[7], created_at_ms: v[8], ends_at_ms: v[9] })
    },
    "mails.claim": {
      "text": "update \"mails\" set \"attempts\" = ?, \"next_at_ms\" = ? where \"id\" = ? and \"attempts\" = ? and \"state\" = ?",
      "toParameters": (v) => [v.next_attempts, v.next_at_ms, v.id, v.attempts, "queued"]
    },
    "mails.countQueued": {
      "text": "select cast(count(*) as integer) as \"n\" from \"mails\" where \"next_at_ms\" is not null",
      "toParameters": () => [],
      "toRow": (v) => ({ n: v[0] })
    },
    "mails.due": {
      "text": "select \"id\", \"recipient\", \"user_id\", \"purpose\", \"content\", \"attempts\", \"ends_at_ms\", \"gathered\" from \"mails\" where \"next_at_ms\" <= ? order by \"next_at_ms\" limit 64",
      "toParameters": (v) => [v.now_ms],
      "toRow": (v) => ({ id: v[0], recipient: v[1], user_id: v[2], purpose: v[3], content: v[4], attempts: v[5], ends_at_ms: v[6], gathered: v[7] })
    },
    "mails.fail": {
      "text": "update \"mails\" set \"state\" = ?, \"next_at_ms\" = ?, \"error\" = ?, \"content\" = case when ends_at_ms > ? then content end where \"id\" = ? and \"state\" = ?",
      "toParameters": (v) => ["failed", null, v.error, v.now_ms, v.id, "queued"]
    },
    "mails.finishSent": {
      "text": "update \"mails\" set \"state\" = ?, \"next_at_ms\" = ?, \"error\" = ?, \"content\" = ? where \"id\" = ? and \"state\" = ?",
      "toParameters": (v) => ["sent", null, null, null, v.id, "queued"]
    },
    "mails.newest": {
      "text": "select \"id\", \"recipient\", \"user_id\", \"purpose\", \"state\", \"attempts\", \"next_at_ms\", \"error\", \"created_at_ms\", \"ends_at_ms\" from \"mails\" order by \"id\" desc limit 1000",
      "toParameters": () => [],
      "toRow": (v) => ({ id: v[0], recipient: v[1], user_id: v[2], purpose: v[3], state: v[4], attempts: v[5], next_at_ms: v[6], error: v[7], created_at_ms: v[8], ends_at_ms: v[9] })
    },
    "mails.postpone": {
      "text": "update \"mails\" set \"next_at_ms\" = ?, \"error\" = ? where \"id\" = ? and \"state\" = ?",
      "toParameters": (v) => [v.next_at_ms, v.error, v.id, "queued"]
    },
    "mails.retry": {
      "text": "update \"mails\" set \"state\" = ?, \"attempts\" = 0, \"next_at_ms\" = ?, \"error\" = ? where \"id\" = ? and \"state\" = ? and \"content\" is not null and \"ends_at_ms\" > ?",
      "toParameters": (v) => ["queued", v.now_ms, null, v.id, "failed", v.now_ms]
    },
    "passkeys.candidate": {
      "text": "select \"passkeys\".\"id\" as \"p_id\", \"passkeys\".\"user_id\" as \"p_user_id\", \"passkeys\".\"credential_id\" as \"p_credential_id\", \"passkeys\".\"public_key\" as \"p_public_key\", \"passkeys\".\"counter\" as \"p_counter\", \"passkeys\".\"name\" as \"p_name\", \"passkeys\".\"synced\" as \"p_synced\", \"passkeys\".\"attested\" as \"p_attested\", \"passkeys\".\"transports\" as \"p_transports\", \"passkeys\".\"created_at_ms\" as \"p_created_at_ms\", \"passkeys\".\"last_used_at_ms\" as \"p_last_used_at_ms\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\" from \"passkeys\" inner join \"users\" on \"users\".\"id\" = \"passkeys\".\"user_id\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" in (select value from json_each(?)) where \"passkeys\".\"credential_id\" = ?",
      "toParameters": (v) => ["\n", "role", v.browsers, v.credential_id],
      "toRow": (v) => ({ p_id: v[0], p_user_id: v[1], p_credential_id: v[2], p_public_key: v[3], p_counter: v[4], p_name: v[5], p_synced: v[6], p_attested: v[7], p_transports: v[8], p_created_at_ms: v[9], p_last_used_at_ms: v[10], u_id: v[11], u_name: v[12], u_normalized_name: v[13], u_email: v[14], u_normalized_email: v[15], u_email_confirmed: v[16], u_password_hash: v[17], u_roles: v[18], u_disabled: v[19], u_locked_until_ms: v[20], u_failed_attempts: v[21], u_lockout_began_at_ms: v[22], u_sessions_ended_at_ms: v[23], u_grants_ended_at_ms: v[24], u_created_at_ms: v[25], u_updated_at_ms: v[26], u_version: v[27], u_claims: v[28], u_deletion_due_at_ms: v[29], u_unclaimed: v[30], u_removed_roles: v[31], k_id: v[32], k_user_id: v[33], k_created_at_ms: v[34], k_last_used_at_ms: v[35], k_expires_at_ms: v[36], k_failed_attempts: v[37], k_locked_until_ms: v[38], k_user_agent: v[39], k_second_factor_until_ms: v[40] })
    },
    "passkeys.insert": {
      "text": "insert into \"passkeys\" (\"id\", \"user_id\", \"credential_id\", \"public_key\", \"counter\", \"name\", \"synced\", \"attested\", \"transports\", \"created_at_ms\", \"last_used_at_ms\") select ? as \"id\", ? as \"user_id\", ? as \"credential_id\", ? as \"public_key\", ? as \"counter\", ? as \"name\", ? as \"synced\", ? as \"attested\", ? as \"transports\", ? as \"created_at_ms\", ? as \"last_used_at_ms\" where (select count(*) from passkeys where passkeys.user_id = ?) < 20 on conflict do nothing",
      "toParameters": (v) => [v.id, v.user_id, v.credential_id, v.public_key, v.counter, v.name, v.synced, v.attested, v.transports, v.created_at_ms, v.last_used_at_ms, v.user_id]
    },
    "passkeys.ofUser": {
      "text": "select \"passkeys\".\"id\" as \"p_id\", \"passkeys\".\"user_id\" as \"p_user_id\", \"passkeys\".\"credential_id\" as \"p_credential_id\", \"passkeys\".\"public_key\" as \"p_public_key\", \"passkeys\".\"counter\" as \"p_counter\", \"passkeys\".\"name\" as \"p_name\", \"passkeys\".\"synced\" as \"p_synced\", \"passkeys\".\"attested\" as \"p_attested\", \"passkeys\".\"transports\" as \"p_transports\", \"passkeys\".\"created_at_ms\" as \"p_created_at_ms\", \"passkeys\".\"last_used_at_ms\" as \"p_last_used_at_ms\" from \"passkeys\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ p_id: v[0], p_user_id: v[1], p_credential_id: v[2], p_public_key: v[3], p_counter: v[4], p_name: v[5], p_synced: v[6], p_attested: v[7], p_transports: v[8], p_created_at_ms: v[9], p_last_used_at_ms: v[10] })
    },
    "passkeys.remove": {
      "text": "delete from \"passkeys\" where \"id\" = ? and \"user_id\" = ? and (exists (select \"id\" from \"users\" where \"id\" = ? and \"password_hash\" is not null) or exists (select \"user_id\" from \"external_logins\" where \"user_id\" = ? and \"external_logins\".\"provider\" in (select value from json_each(?))) or exists (select \"id\" from \"passkeys\" as \"others\" where \"others\".\"user_id\" = ? and \"others\".\"id\" != ?))",
      "toParameters": (v) => [v.id, v.user_id, v.user_id, v.user_id, v.providers, v.user_id, v.id]
    },
    "passkeys.rename": {
      "text": "update \"passkeys\" set \"name\" = ? where \"id\" = ? and \"user_id\" = ?",
      "toParameters": (v) => [v.name, v.id, v.user_id]
    },
    "passkeys.use": {
      "text": "update \"passkeys\" set \"counter\" = ?, \"synced\" = ?, \"last_used_at_ms\" = ? where \"id\" = ? and \"counter\" = ?",
      "toParameters": (v) => [v.counter, v.synced, v.last_used_at_ms, v.id, v.decided_on]
    },
    "password-kinds.after": {
      "text": "select \"password_hash\" from \"users\" where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%' and \"password_hash\" > ? order by \"password_hash\" limit 1",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ password_hash: v[0] })
    },
    "password-kinds.count": {
      "text": "select count(*) as \"rows\" from (select \"users\".\"id\" from \"users\" where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%' and \"password_hash\" >= ? and \"password_hash\" < ? limit 10001) as \"some\"",
      "toParameters": (v) => [v.beginning, v.end],
      "toRow": (v) => ({ rows: v[0] })
    },
    "personal-data.clientNames": {
      "text": "select \"id\", \"name\" from \"clients\" where \"deleted\" = 0 and \"id\" in (select value from json_each(?))",
      "toParameters": (v) => [v.ids],
      "toRow": (v) => ({ id: v[0], name: v[1] })
    },
    "personal-data.confirmations": {
      "text": "select \"purpose\", \"created_at_ms\", \"expires_at_ms\" from \"confirmations\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ purpose: v[0], created_at_ms: v[1], expires_at_ms: v[2] })
    },
    "personal-data.grants": {
      "text": "select \"client_id\", \"scopes\", \"method\", \"created_at_ms\", \"expires_at_ms\", \"revoked_at_ms\" from \"grants\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ client_id: v[0], scopes: v[1], method: v[2], created_at_ms: v[3], expires_at_ms: v[4], revoked_at_ms: v[5] })
    },
    "personal-data.mails": {
      "text": "select \"recipient\", \"purpose\", \"state\", \"created_at_ms\" from \"mails\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ recipient: v[0], purpose: v[1], state: v[2], created_at_ms: v[3] })
    },
    "places.free": {
      "text": "delete from \"spent_values\" where \"id\" = ? and \"expires_at_ms\" = ?",
      "toParameters": (v) => [v.id, v.expires_at_ms]
    },
    "places.take": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values (?, ?) on conflict (\"id\") do update set \"expires_at_ms\" = ? where \"spent_values\".\"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.id, v.expires_at_ms, v.expires_at_ms, v.now_ms]
    },
    "places.taken": {
      "text": "select \"id\" from \"spent_values\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" > ?",
      "toParameters": (v) => [v.ids, v.now_ms],
      "toRow": (v) => ({ id: v[0] })
    },
    "probe.takeBack": {
      "text": "delete from \"spent_values\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "probe.write": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values (?, ?)",
      "toParameters": (v) => [v.id, 0]
    },
    "pushed-requests.byId": {
      "text": "select \"pushed_requests\".\"id\" as \"pr_id\", \"pushed_requests\".\"secret_hash\" as \"pr_secret_hash\", \"pushed_requests\".\"client_id\" as \"pr_client_id\", \"pushed_requests\".\"parameters\" as \"pr_parameters\", \"pushed_requests\".\"signed\" as \"pr_signed\", \"pushed_requests\".\"created_at_ms\" as \"pr_created_at_ms\", \"pushed_requests\".\"opens_until_ms\" as \"pr_opens_until_ms\", \"pushed_requests\".\"completed_at_ms\" as \"pr_completed_at_ms\", \"pushed_requests\".\"expires_at_ms\" as \"pr_expires_at_ms\" from \"pushed_requests\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ pr_id: v[0], pr_secret_hash: v[1], pr_client_id: v[2], pr_parameters: v[3], pr_signed: v[4], pr_created_at_ms: v[5], pr_opens_until_ms: v[6], pr_completed_at_ms: v[7], pr_expires_at_ms: v[8] })
    },
    "pushed-requests.complete": {
      "text": "update \"pushed_requests\" set \"completed_at_ms\" = ? where \"id\" = ? and \"completed_at_ms\" is null",
      "toParameters": (v) => [v.completed_at_ms, v.id]
    },
    "pushed-requests.insert": {
      "text": "insert into \"pushed_requests\" (\"id\", \"secret_hash\", \"client_id\", \"parameters\", \"signed\", \"created_at_ms\", \"opens_until_ms\", \"completed_at_ms\", \"expires_at_ms\") values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.secret_hash, v.client_id, v.parameters, v.signed, v.created_at_ms, v.opens_until_ms, v.completed_at_ms, v.expires_at_ms]
    },
    "registrations.byId": {
      "text": "select \"client_registrations\".\"id\" as \"cr_id\", \"client_registrations\".\"client_id\" as \"cr_client_id\", \"client_registrations\".\"secret_hash\" as \"cr_secret_hash\", \"client_registrations\".\"created_at_ms\" as \"cr_created_at_ms\", \"client_registrations\".\"expires_at_ms\" as \"cr_expires_at_ms\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"client_registrations\" inner join \"clients\" on \"clients\".\"id\" = \"client_registrations\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"client_registrations\".\"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ cr_id: v[0], cr_client_id: v[1], cr_secret_hash: v[2], cr_created_at_ms: v[3], cr_expires_at_ms: v[4], c_id: v[5], c_name: v[6], c_type: v[7], c_secret_hash: v[8], c_consent: v[9], c_require_pkce: v[10], c_redirect_uris: v[11], c_post_logout_redirect_uris: v[12], c_scopes: v[13], c_created_at_ms: v[14], c_previous_secret_hash: v[15], c_previous_secret_ends_at_ms: v[16], c_grant_types: v[17], c_metadata: v[18], c_version: v[19] })
    },
    "registrations.insert": {
      "text": "insert into \"client_registrations\" (\"id\", \"client_id\", \"secret_hash\", \"created_at_ms\", \"expires_at_ms\") values (?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.client_id, v.secret_hash, v.created_at_ms, v.expires_at_ms]
    },
    "registrations.insertToken": {
      "text": "insert into \"registration_tokens\" (\"id\", \"secret_hash\", \"uses_left\", \"created_at_ms\", \"expires_at_ms\", \"permits\") values (?, ?, ?, ?, ?, ?)",
      "toParameters": (v) => [v.id, v.secret_hash, v.uses_left, v.created_at_ms, v.expires_at_ms, v.permits]
    },
    "registrations.keep": {
      "text": "update \"client_registrations\" set \"expires_at_ms\" = ? where \"client_id\" = ? and \"expires_at_ms\" < ?",
      "toParameters": (v) => [v.expires_at_ms, v.client_id, v.expires_at_ms]
    },
    "registrations.remove": {
      "text": "delete from \"client_registrations\" where \"id\" = ? and \"secret_hash\" = ?",
      "toParameters": (v) => [v.id, v.secret_hash]
    },
    "registrations.rotate": {
      "text": "update \"client_registrations\" set \"secret_hash\" = ? where \"id\" = ? and \"secret_hash\" = ?",
      "toParameters": (v) => [v.secret_hash, v.id, v.decided_on]
    },
    "registrations.tokenById": {
      "text": "select \"registration_tokens\".\"id\" as \"rt_id\", \"registration_tokens\".\"secret_hash\" as \"rt_secret_hash\", \"registration_tokens\".\"uses_left\" as \"rt_uses_left\", \"registration_tokens\".\"created_at_ms\" as \"rt_created_at_ms\", \"registration_tokens\".\"expires_at_ms\" as \"rt_expires_at_ms\", \"registration_tokens\".\"permits\" as \"rt_permits\" from \"registration_tokens\" where \"id\" = ?",
      "toParameters": (v) => [v.id],
      "toRow": (v) => ({ rt_id: v[0], rt_secret_hash: v[1], rt_uses_left: v[2], rt_created_at_ms: v[3], rt_expires_at_ms: v[4], rt_permits: v[5] })
    },
    "registrations.useToken": {
      "text": "update \"registration_tokens\" set \"uses_left\" = \"uses_left\" - ? where \"id\" = ? and \"uses_left\" > ? and \"expires_at_ms\" > ?",
      "toParameters": (v) => [1, v.id, 0, v.now_ms]
    },
    "removals.all": {
      "text": "select \"kind\", \"name\", \"at_ms\", \"part\", \"after_id\" from \"removals\"",
      "toParameters": () => [],
      "toRow": (v) => ({ kind: v[0], name: v[1], at_ms: v[2], part: v[3], after_id: v[4] })
    },
    "removals.consentsOfClient": {
      "text": "delete from \"authorizations\" where \"id\" in (select \"id\" from \"authorizations\" where \"client_id\" = ? limit 1000)",
      "toParameters": (v) => [v.client_id]
    },
    "removals.end": {
      "text": "delete from \"removals\" where \"kind\" = ? and \"name\" = ?",
      "toParameters": (v) => [v.kind, v.name]
    },
    "removals.fromConsents": {
      "text": "update \"authorizations\" set \"scopes\" = replace(replace(replace(\"scopes\", ?, ''), ?, ''), ?, ''), \"scope_set\" = id where \"id\" > ? and \"id\" <= ? and replace(\"scopes\", ?, '') <> \"scopes\"",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.after, v.last, v.named]
    },
    "removals.fromGrants": {
      "text": "update \"grants\" set \"scopes\" = replace(replace(replace(\"scopes\", ?, ''), ?, ''), ?, '') where \"id\" > ? and \"id\" <= ? and replace(\"scopes\", ?, '') <> \"scopes\"",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.after, v.last, v.named]
    },
    "removals.fromUsers": {
      "text": "update \"users\" set \"roles\" = replace(replace(replace(\"roles\", ?, ''), ?, ''), ?, ''), \"updated_at_ms\" = ?, \"version\" = version + 1 where \"id\" > ? and \"id\" <= ? and replace(\"roles\", ?, '') <> \"roles\"",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.now_ms, v.after, v.last, v.named]
    },
    "removals.grantsOfClient": {
      "text": "delete from \"grants\" where \"id\" in (select \"id\" from \"grants\" where \"client_id\" = ? limit 1000)",
      "toParameters": (v) => [v.client_id]
    },
    "removals.insert": {
      "text": "insert into \"removals\" (\"kind\", \"name\", \"at_ms\", \"part\", \"after_id\") values (?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.kind, v.name, v.at_ms, v.part, v.after_id]
    },
    "removals.keysOfRole": {
      "text": "delete from \"user_search_keys\" where \"key\" = ? and \"user_id\" > ? and \"user_id\" <= ?",
      "toParameters": (v) => [v.key, v.after, v.last]
    },
    "removals.lastConsent": {
      "text": "select count(*) as \"rows\", max(\"w\".\"id\") as \"last\" from (select \"id\" from \"authorizations\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ rows: v[0], last: v[1] })
    },
    "removals.lastGrant": {
      "text": "select count(*) as \"rows\", max(\"w\".\"id\") as \"last\" from (select \"id\" from \"grants\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ rows: v[0], last: v[1] })
    },
    "removals.lastUser": {
      "text": "select count(*) as \"rows\", max(\"w\".\"id\") as \"last\" from (select \"id\" from \"users\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ rows: v[0], last: v[1] })
    },
    "removals.markedClient": {
      "text": "delete from \"clients\" where \"id\" = ? and \"deleted\" = 1",
      "toParameters": (v) => [v.id]
    },
    "removals.move": {
      "text": "update \"removals\" set \"part\" = ?, \"after_id\" = ? where \"kind\" = ? and \"name\" = ?",
      "toParameters": (v) => [v.part, v.after_id, v.kind, v.name]
    },
    "removals.one": {
      "text": "select \"kind\", \"name\", \"at_ms\", \"part\", \"after_id\" from \"removals\" where \"kind\" = ? and \"name\" = ?",
      "toParameters": (v) => [v.kind, v.name],
      "toRow": (v) => ({ kind: v[0], name: v[1], at_ms: v[2], part: v[3], after_id: v[4] })
    },
    "roles.all": {
      "text": "select \"name\", \"description\", \"created_at_ms\" from \"roles\"",
      "toParameters": () => [],
      "toRow": (v) => ({ name: v[0], description: v[1], created_at_ms: v[2] })
    },
    "roles.byName": {
      "text": "select \"name\", \"description\", \"created_at_ms\" from \"roles\" where \"name\" = ?",
      "toParameters": (v) => [v.name],
      "toRow": (v) => ({ name: v[0], description: v[1], created_at_ms: v[2] })
    },
    "roles.deleteRole": {
      "text": "delete from \"roles\" where \"name\" = ?",
      "toParameters": (v) => [v.name]
    },
    "roles.insertRole": {
      "text": "insert into \"roles\" (\"name\", \"description\", \"created_at_ms\") select ? as \"name\", ? as \"description\", ? as \"created_at_ms\" where not exists (select 1 from removals where removals.kind = 'role' and removals.name = ?) on conflict do nothing",
      "toParameters": (v) => [v.name, v.description, v.created_at_ms, v.name]
    },
    "roles.setDescription": {
      "text": "update \"roles\" set \"description\" = ? where \"name\" = ? and \"description\" is not distinct from ? and \"created_at_ms\" = ?",
      "toParameters": (v) => [v.description, v.name, v.was_description, v.was_created_at_ms]
    },
    "roles.takeFromUsers": {
      "text": "update \"users\" set \"roles\" = replace(replace(replace(roles, ?, ''), ?, ''), ?, ''), \"updated_at_ms\" = ?, \"version\" = version + 1 where replace(roles, ?, '') <> roles",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.now_ms, v.named]
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
    "scopes.deleteAs": {
      "text": "delete from \"scopes\" where \"name\" = ? and \"display_name\" is not distinct from ? and \"description\" is not distinct from ? and \"resources\" = ?",
      "toParameters": (v) => [v.name, v.display_name, v.description, v.resources]
    },
    "scopes.deleteScope": {
      "text": "delete from \"scopes\" where \"name\" = ?",
      "toParameters": (v) => [v.name]
    },
    "scopes.insertScope": {
      "text": "insert into \"scopes\" (\"name\", \"display_name\", \"description\", \"resources\", \"created_at_ms\") select ? as \"name\", ? as \"display_name\", ? as \"description\", ? as \"resources\", ? as \"created_at_ms\" where not exists (select 1 from removals where removals.kind = 'scope' and removals.name = ?) on conflict do nothing",
      "toParameters": (v) => [v.name, v.display_name, v.description, v.resources, v.created_at_ms, v.name]
    },
    "scopes.takeFromClients": {
      "text": "update \"clients\" set \"scopes\" = replace(replace(replace(scopes, ?, ''), ?, ''), ?, ''), \"version\" = version + 1 where replace(scopes, ?, '') <> scopes",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.named]
    },
    "scopes.updateScope": {
      "text": "update \"scopes\" set \"display_name\" = ?, \"description\" = ?, \"resources\" = ? where \"name\" = ? and \"display_name\" is not distinct from ? and \"description\" is not distinct from ? and \"resources\" = ? and \"created_at_ms\" = ?",
      "toParameters": (v) => [v.display_name, v.description, v.resources, v.name, v.was_display_name, v.was_description, v.was_resources, v.was_created_at_ms]
    },
    "second-factors.insert": {
      "text": "insert into \"second_factors\" (\"user_id\", \"totp_secret\", \"totp_since_ms\", \"totp_last_step\", \"pending_secret\", \"pending_until_ms\", \"recovery_hashes\", \"recovery_since_ms\", \"mail_code\", \"mail_barred\", \"failed_attempts\", \"paused_until_ms\", \"wrong_codes\", \"version\") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.user_id, v.totp_secret, v.totp_since_ms, v.totp_last_step, v.pending_secret, v.pending_until_ms, v.recovery_hashes, v.recovery_since_ms, v.mail_code, v.mail_barred, v.failed_attempts, v.paused_until_ms, v.wrong_codes, v.version]
    },
    "second-factors.touchUser": {
      "text": "update \"users\" set \"version\" = \"version\" + ? where \"id\" = ? and \"version\" = ?",
      "toParameters": (v) => [1, v.id, v.decided_on]
    },
    "second-factors.update": {
      "text": "update \"second_factors\" set \"user_id\" = ?, \"totp_secret\" = ?, \"totp_since_ms\" = ?, \"totp_last_step\" = ?, \"pending_secret\" = ?, \"pending_until_ms\" = ?, \"recovery_hashes\" = ?, \"recovery_since_ms\" = ?, \"mail_code\" = ?, \"mail_barred\" = ?, \"failed_attempts\" = ?, \"paused_until_ms\" = ?, \"wrong_codes\" = ?, \"version\" = ? where \"user_id\" = ? and \"version\" = ?",
      "toParameters": (v) => [v.user_id, v.totp_secret, v.totp_since_ms, v.totp_last_step, v.pending_secret, v.pending_until_ms, v.recovery_hashes, v.recovery_since_ms, v.mail_code, v.mail_barred, v.failed_attempts, v.paused_until_ms, v.wrong_codes, v.version, v.user_id, v.decided_on]
    },
    "servers.all": {
      "text": "select \"id\", \"host\", \"pid\", \"started_at_ms\", \"seen_at_ms\" from \"servers\" order by \"started_at_ms\", \"id\"",
      "toParameters": () => [],
      "toRow": (v) => ({ id: v[0], host: v[1], pid: v[2], started_at_ms: v[3], seen_at_ms: v[4] })
    },
    "servers.insertMark": {
      "text": "insert into \"moves\" (\"name\", \"moved_to\", \"at_ms\", \"settled\") values (?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => [v.name, v.moved_to, v.at_ms, 0]
    },
    "servers.marks": {
      "text": "select \"name\", \"moved_to\", \"at_ms\", \"settled\" from \"moves\"",
      "toParameters": () => [],
      "toRow": (v) => ({ name: v[0], moved_to: v[1], at_ms: v[2], settled: v[3] })
    },
    "servers.remove": {
      "text": "delete from \"servers\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "servers.removeArrival": {
      "text": "delete from \"moves\" where \"name\" = ? and \"moved_to\" = ? and \"at_ms\" = ?",
      "toParameters": (v) => ["arriving", v.moved_to, v.at_ms]
    },
    "servers.removeBefore": {
      "text": "delete from \"servers\" where \"seen_at_ms\" < ?",
      "toParameters": (v) => [v.seen_at_ms]
    },
    "servers.removeMark": {
      "text": "delete from \"moves\" where \"name\" = ?",
      "toParameters": (v) => [v.name]
    },
    "servers.settleMove": {
      "text": "update \"moves\" set \"settled\" = ? where \"name\" = ?",
      "toParameters": () => [1, "moved"]
    },
    "servers.upsert": {
      "text": "insert into \"servers\" (\"id\", \"host\", \"pid\", \"started_at_ms\", \"seen_at_ms\") values (?, ?, ?, ?, ?) on conflict (\"id\") do update set \"seen_at_ms\" = ?",
      "toParameters": (v) => [v.id, v.host, v.pid, v.started_at_ms, v.seen_at_ms, v.seen_at_ms]
    },
    "session-clients.dropOfClient": {
      "text": "delete from \"logout_notices\" where \"client_id\" = ?",
      "toParameters": (v) => [v.client_id]
    },
    "session-clients.forgetExpired": {
      "text": "delete from \"session_clients\" where \"session_id\" in (select value from json_each(?)) and exists (select \"sessions\".\"id\" from \"sessions\" where \"sessions\".\"id\" = \"session_clients\".\"session_id\" and \"sessions\".\"expires_at_ms\" <= ?)",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "session-clients.forgetOfClient": {
      "text": "delete from \"session_clients\" where \"client_id\" = ? and \"session_id\" in (select \"session_id\" from \"session_clients\" where \"client_id\" = ? limit 1000)",
      "toParameters": (v) => [v.client_id, v.client_id]
    },
    "session-clients.forgetOfSessions": {
      "text": "delete from \"session_clients\" where \"session_id\" in (select value from json_each(?)) and not exists (select 1 from sessions where sessions.id = session_clients.session_id)",
      "toParameters": (v) => [v.ids]
    },
    "session-clients.forgetOfUser": {
      "text": "delete from \"session_clients\" where \"user_id\" = ? and not exists (select 1 from sessions where sessions.id = session_clients.session_id)",
      "toParameters": (v) => [v.user_id]
    },
    "session-clients.join": {
      "text": "insert into \"session_clients\" (\"session_id\", \"client_id\", \"sid\", \"user_id\") select ? as \"session_id\", ? as \"client_id\", ? as \"sid\", \"sessions\".\"user_id\" from \"sessions\" where \"sessions\".\"id\" = ? and (select count(*) from session_clients where session_clients.session_id = ?) < 200 on conflict do nothing",
      "toParameters": (v) => [v.session_id, v.client_id, v.sid, v.session_id, v.session_id]
    },
    "session-clients.move": {
      "text": "update \"session_clients\" set \"session_id\" = ? where \"session_id\" = ?",
      "toParameters": (v) => [v.next_id, v.session_id]
    },
    "session-clients.queueOfSessions": {
      "text": "insert into \"logout_notices\" (\"id\", \"client_id\", \"user_id\", \"sid\", \"attempts\", \"due_at_ms\") select session_clients.sid || '.' || session_clients.client_id as \"id\", \"session_clients\".\"client_id\", \"session_clients\".\"user_id\", \"session_clients\".\"sid\", 0 as \"attempts\", 0 as \"due_at_ms\" from \"session_clients\" inner join \"clients\" on \"clients\".\"id\" = \"session_clients\".\"client_id\" where \"clients\".\"metadata\" like '%\"backchannel_logout_uri\":\"%' and not exists (select 1 from sessions where sessions.id = session_clients.session_id) and \"session_clients\".\"session_id\" in (select value from json_each(?)) on conflict do nothing",
      "toParameters": (v) => [v.ids]
    },
    "session-clients.queueOfUser": {
      "text": "insert into \"logout_notices\" (\"id\", \"client_id\", \"user_id\", \"sid\", \"attempts\", \"due_at_ms\") select session_clients.sid || '.' || session_clients.client_id as \"id\", \"session_clients\".\"client_id\", \"session_clients\".\"user_id\", \"session_clients\".\"sid\", 0 as \"attempts\", 0 as \"due_at_ms\" from \"session_clients\" inner join \"clients\" on \"clients\".\"id\" = \"session_clients\".\"client_id\" where \"clients\".\"metadata\" like '%\"backchannel_logout_uri\":\"%' and not exists (select 1 from sessions where sessions.id = session_clients.session_id) and \"session_clients\".\"user_id\" = ? on conflict do nothing",
      "toParameters": (v) => [v.user_id]
    },
    "session-clients.tellLate": {
      "text": "insert into \"logout_notices\" (\"id\", \"client_id\", \"user_id\", \"sid\", \"attempts\", \"due_at_ms\") select ? as \"id\", ? as \"client_id\", ? as \"user_id\", ? as \"sid\", 0 as \"attempts\", 0 as \"due_at_ms\" from \"clients\" where \"clients\".\"id\" = ? and \"clients\".\"metadata\" like '%\"backchannel_logout_uri\":\"%' and not exists (select \"id\" from \"sessions\" where \"id\" = ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.client_id, v.user_id, v.sid, v.client_id, v.session_id]
    },
    "sessions.deleteOthers": {
      "text": "delete from \"sessions\" where \"user_id\" = ? and \"id\" <> ?",
      "toParameters": (v) => [v.user_id, v.kept_id]
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
    "sessions.ofUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\" from \"sessions\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id],
      "toRow": (v) => ({ s_id: v[0], s_secret_hash: v[1], s_user_id: v[2], s_authenticated_at_ms: v[3], s_method: v[4], s_persistent: v[5], s_created_at_ms: v[6], s_expires_at_ms: v[7], s_last_seen_at_ms: v[8], s_client_address: v[9], s_user_agent: v[10] })
    },
    "sessions.removeSurplus": {
      "text": "delete from \"sessions\" where \"user_id\" = ? and \"id\" not in (select \"id\" from \"sessions\" where \"user_id\" = ? order by \"last_seen_at_ms\" desc, \"id\" desc limit 99)",
      "toParameters": (v) => [v.user_id, v.user_id]
    },
    "sessions.renewSession": {
      "text": "update \"sessions\" set \"expires_at_ms\" = ?, \"last_seen_at_ms\" = ? where \"id\" = ?",
      "toParameters": (v) => [v.expires_at_ms, v.last_seen_at_ms, v.id]
    },
    "sessions.withClients": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"session_clients\".\"sid\" as \"sid\" from \"sessions\" inner join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" left join \"session_clients\" on \"session_clients\".\"session_id\" = \"sessions\".\"id\" left join \"clients\" on \"clients\".\"id\" = \"session_clients\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"sessions\".\"id\" = ?",
      "toParameters": (v) => ["\n", "role", v.id],
      "toRow": (v) => ({ s_id: v[0], s_secret_hash: v[1], s_user_id: v[2], s_authenticated_at_ms: v[3], s_method: v[4], s_persistent: v[5], s_created_at_ms: v[6], s_expires_at_ms: v[7], s_last_seen_at_ms: v[8], s_client_address: v[9], s_user_agent: v[10], u_id: v[11], u_name: v[12], u_normalized_name: v[13], u_email: v[14], u_normalized_email: v[15], u_email_confirmed: v[16], u_password_hash: v[17], u_roles: v[18], u_disabled: v[19], u_locked_until_ms: v[20], u_failed_attempts: v[21], u_lockout_began_at_ms: v[22], u_sessions_ended_at_ms: v[23], u_grants_ended_at_ms: v[24], u_created_at_ms: v[25], u_updated_at_ms: v[26], u_version: v[27], u_claims: v[28], u_deletion_due_at_ms: v[29], u_unclaimed: v[30], u_removed_roles: v[31], c_id: v[32], c_name: v[33], c_type: v[34], c_secret_hash: v[35], c_consent: v[36], c_require_pkce: v[37], c_redirect_uris: v[38], c_post_logout_redirect_uris: v[39], c_scopes: v[40], c_created_at_ms: v[41], c_previous_secret_hash: v[42], c_previous_secret_ends_at_ms: v[43], c_grant_types: v[44], c_metadata: v[45], c_version: v[46], sid: v[47] })
    },
    "sessions.withUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"sessions\" inner join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" where \"sessions\".\"id\" = ?",
      "toParameters": (v) => ["\n", "role", v.id],
      "toRow": (v) => ({ s_id: v[0], s_secret_hash: v[1], s_user_id: v[2], s_authenticated_at_ms: v[3], s_method: v[4], s_persistent: v[5], s_created_at_ms: v[6], s_expires_at_ms: v[7], s_last_seen_at_ms: v[8], s_client_address: v[9], s_user_agent: v[10], u_id: v[11], u_name: v[12], u_normalized_name: v[13], u_email: v[14], u_normalized_email: v[15], u_email_confirmed: v[16], u_password_hash: v[17], u_roles: v[18], u_disabled: v[19], u_locked_until_ms: v[20], u_failed_attempts: v[21], u_lockout_began_at_ms: v[22], u_sessions_ended_at_ms: v[23], u_grants_ended_at_ms: v[24], u_created_at_ms: v[25], u_updated_at_ms: v[26], u_version: v[27], u_claims: v[28], u_deletion_due_at_ms: v[29], u_unclaimed: v[30], u_removed_roles: v[31] })
    },
    "sign-in-ways.lock": {
      "text": "update \"users\" set \"version\" = \"users\".\"version\" where \"id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "sign-in-ways.lockUnended": {
      "text": "update \"users\" set \"version\" = \"users\".\"version\" where \"id\" = ? and coalesce(sessions_ended_at_ms, -1) = ?",
      "toParameters": (v) => [v.id, v.ended_ms]
    },
    "spent-values.insertSpent": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values (?, ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.expires_at_ms]
    },
    "statistics.add": {
      "text": "insert into \"activity_hours\" (\"hour_ms\", \"sign_in\", \"sign_in_failed\", \"tokens_issued\", \"refusal\", \"error\") values (?, ?, ?, ?, ?, ?) on conflict (\"hour_ms\") do update set \"sign_in\" = \"activity_hours\".\"sign_in\" + \"excluded\".\"sign_in\", \"sign_in_failed\" = \"activity_hours\".\"sign_in_failed\" + \"excluded\".\"sign_in_failed\", \"tokens_issued\" = \"activity_hours\".\"tokens_issued\" + \"excluded\".\"tokens_issued\", \"refusal\" = \"activity_hours\".\"refusal\" + \"excluded\".\"refusal\", \"error\" = \"activity_hours\".\"error\" + \"excluded\".\"error\"",
      "toParameters": (v) => [v.hour_ms, v.sign_in, v.sign_in_failed, v.tokens_issued, v.refusal, v.error]
    },
    "statistics.byDay": {
      "text": "select hour_ms - hour_ms % 86400000 as \"starts_at_ms\", cast(sum(\"sign_in\") as bigint) as \"sign_in\", cast(sum(\"sign_in_failed\") as bigint) as \"sign_in_failed\", cast(sum(\"tokens_issued\") as bigint) as \"tokens_issued\", cast(sum(\"refusal\") as bigint) as \"refusal\", cast(sum(\"error\") as bigint) as \"error\" from \"activity_hours\" where \"hour_ms\" >= ? and \"hour_ms\" < ? group by hour_ms - hour_ms % 86400000 order by \"starts_at_ms\"",
      "toParameters": (v) => [v.from_ms, v.before_ms],
      "toRow": (v) => ({ starts_at_ms: v[0], sign_in: v[1], sign_in_failed: v[2], tokens_issued: v[3], refusal: v[4], error: v[5] })
    },
    "statistics.byHour": {
      "text": "select hour_ms - hour_ms % 3600000 as \"starts_at_ms\", cast(sum(\"sign_in\") as bigint) as \"sign_in\", cast(sum(\"sign_in_failed\") as bigint) as \"sign_in_failed\", cast(sum(\"tokens_issued\") as bigint) as \"tokens_issued\", cast(sum(\"refusal\") as bigint) as \"refusal\", cast(sum(\"error\") as bigint) as \"error\" from \"activity_hours\" where \"hour_ms\" >= ? and \"hour_ms\" < ? group by hour_ms - hour_ms % 3600000 order by \"starts_at_ms\"",
      "toParameters": (v) => [v.from_ms, v.before_ms],
      "toRow": (v) => ({ starts_at_ms: v[0], sign_in: v[1], sign_in_failed: v[2], tokens_issued: v[3], refusal: v[4], error: v[5] })
    },
    "statistics.clients": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when deleted = 0 then 1 else 0 end as \"counted\" from \"clients\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
    },
    "statistics.grants": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when expires_at_ms > ? and revoked_at_ms is null then 1 else 0 end as \"counted\" from \"grants\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.now_ms, v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
    },
    "statistics.people": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when true then 1 else 0 end as \"counted\" from \"users\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
    },
    "statistics.sessions": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when expires_at_ms > ? then 1 else 0 end as \"counted\" from \"sessions\" where \"id\" > ? order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.now_ms, v.after],
      "toRow": (v) => ({ rows: v[0], counted: v[1], last: v[2] })
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
    "sweep.remove.client_registrations": {
      "text": "delete from \"client_registrations\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.confirmations": {
      "text": "delete from \"confirmations\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.device_codes": {
      "text": "delete from \"device_codes\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.grants": {
      "text": "delete from \"grants\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.idempotency_keys": {
      "text": "delete from \"idempotency_keys\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.import_failures": {
      "text": "delete from \"import_failures\" where (\"import_id\", \"record\") in (select \"import_failures\".\"import_id\", \"import_failures\".\"record\" from \"imports\" inner join \"import_failures\" on \"import_failures\".\"import_id\" = \"imports\".\"id\" where \"started_at_ms\" <= ? limit ?)",
      "toParameters": (v) => [v.began_ms, v.rows]
    },
    "sweep.remove.imports": {
      "text": "delete from \"imports\" where \"started_at_ms\" <= ? and \"id\" not in (select \"import_id\" from \"import_failures\")",
      "toParameters": (v) => [v.began_ms]
    },
    "sweep.remove.known_browsers": {
      "text": "delete from \"known_browsers\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.mails": {
      "text": "delete from \"mails\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.pushed_requests": {
      "text": "delete from \"pushed_requests\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.registration_tokens": {
      "text": "delete from \"registration_tokens\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
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
    "sweep.remove.unused_clients": {
      "text": "delete from \"clients\" where \"consent\" = ? and \"id\" in (select \"client_id\" from \"client_registrations\" where \"client_registrations\".\"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?)",
      "toParameters": (v) => ["explicit", v.ids, v.now_ms]
    },
    "sweep.remove.uptimes": {
      "text": "delete from \"uptimes\" where \"id\" in (select value from json_each(?)) and \"expires_at_ms\" <= ?",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.removeActivity": {
      "text": "delete from \"activity_hours\" where \"hour_ms\" < ?",
      "toParameters": (v) => [v.before_ms]
    },
    "sweep.removeKeys": {
      "text": "delete from \"keys\" where \"id\" in (select \"id\" from \"keys\" where \"expires_at_ms\" <= ? and (\"use\" <> ? or \"expires_at_ms\" <= ?) limit ?)",
      "toParameters": (v) => [v.now_ms, "sign", v.kept_since_ms, v.rows]
    },
    "sweep.removePrivateHalves": {
      "text": "update \"keys\" set \"wrapped\" = ?, \"first_of\" = ? where \"use\" = ? and \"expires_at_ms\" <= ? and \"wrapped\" <> ?",
      "toParameters": (v) => ["", null, "sign", v.now_ms, ""]
    },
    "sweep.window.client_registrations": {
      "text": "select \"id\", \"expires_at_ms\" from \"client_registrations\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.confirmations": {
      "text": "select \"id\", \"expires_at_ms\" from \"confirmations\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.device_codes": {
      "text": "select \"id\", \"expires_at_ms\" from \"device_codes\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.grants": {
      "text": "select \"id\", \"expires_at_ms\", \"derivation_key_id\" from \"grants\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1], derivation_key_id: v[2] })
    },
    "sweep.window.idempotency_keys": {
      "text": "select \"id\", \"expires_at_ms\" from \"idempotency_keys\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.known_browsers": {
      "text": "select \"id\", \"expires_at_ms\" from \"known_browsers\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.mails": {
      "text": "select \"id\", \"expires_at_ms\" from \"mails\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.pushed_requests": {
      "text": "select \"id\", \"expires_at_ms\" from \"pushed_requests\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.registration_tokens": {
      "text": "select \"id\", \"expires_at_ms\" from \"registration_tokens\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.revoked_access_tokens": {
      "text": "select \"jti\" as \"id\", \"expires_at_ms\" from \"revoked_access_tokens\" where \"jti\" > ? order by \"jti\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "sweep.window.session_clients": {
      "text": "select \"session_clients\".\"session_id\" as \"id\", max(case when sessions.id is null then 0 else 9007199254740991 end) as \"expires_at_ms\" from \"session_clients\" left join \"sessions\" on \"sessions\".\"id\" = \"session_clients\".\"session_id\" where \"session_clients\".\"session_id\" > ? group by \"session_clients\".\"session_id\" order by \"session_clients\".\"session_id\" limit ?",
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
    "sweep.window.uptimes": {
      "text": "select \"id\", \"expires_at_ms\" from \"uptimes\" where \"id\" > ? order by \"id\" limit ?",
      "toParameters": (v) => [v.after, v.rows],
      "toRow": (v) => ({ id: v[0], expires_at_ms: v[1] })
    },
    "uptimes.lasting": {
      "text": "select \"uptimes\".\"id\" as \"t_id\", \"uptimes\".\"from_ms\" as \"t_from_ms\", \"uptimes\".\"through_ms\" as \"t_through_ms\", \"uptimes\".\"expires_at_ms\" as \"t_expires_at_ms\" from \"uptimes\" where \"through_ms\" > ?",
      "toParameters": (v) => [v.after_ms],
      "toRow": (v) => ({ t_id: v[0], t_from_ms: v[1], t_through_ms: v[2], t_expires_at_ms: v[3] })
    },
    "uptimes.store": {
      "text": "insert into \"uptimes\" (\"id\", \"from_ms\", \"through_ms\", \"expires_at_ms\") values (?, ?, ?, ?) on conflict (\"id\") do update set \"through_ms\" = ?, \"expires_at_ms\" = ?",
      "toParameters": (v) => [v.id, v.from_ms, v.through_ms, v.expires_at_ms, v.through_ms, v.expires_at_ms]
    },
    "user-ends.deleteConfirmations": {
      "text": "delete from \"confirmations\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "user-ends.deletePending": {
      "text": "delete from \"confirmations\" where \"user_id\" = ? and \"purpose\" in ('email', 'reset', 'signin')",
      "toParameters": (v) => [v.id]
    },
    "user-ends.deleteSessions": {
      "text": "delete from \"sessions\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    },
    "user-names.holders": {
      "text": "select (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) as \"same_name\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) as \"same_email\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) as \"email_as_name\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) as \"name_as_email\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"name_skeleton\" = ?) as \"same_look\", (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ? limit 1) as \"name_held\", (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ? limit 1) as \"email_held\", (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_skeleton\" = ? limit 1) as \"look_held\"",
      "toParameters": (v) => [v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.name_skeleton, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton],
      "toRow": (v) => ({ same_name: v[0], same_email: v[1], email_as_name: v[2], name_as_email: v[3], same_look: v[4], name_held: v[5], email_held: v[6], look_held: v[7] })
    },
    "user-names.insertUser": {
      "text": "insert into \"users\" (\"id\", \"name\", \"normalized_name\", \"email\", \"normalized_email\", \"email_confirmed\", \"password_hash\", \"roles\", \"disabled\", \"locked_until_ms\", \"failed_attempts\", \"lockout_began_at_ms\", \"sessions_ended_at_ms\", \"grants_ended_at_ms\", \"created_at_ms\", \"updated_at_ms\", \"version\", \"claims\", \"deletion_due_at_ms\", \"unclaimed\", \"name_skeleton\") select ? as \"id\", ? as \"name\", ? as \"normalized_name\", ? as \"email\", ? as \"normalized_email\", ? as \"email_confirmed\", ? as \"password_hash\", ? as \"roles\", ? as \"disabled\", ? as \"locked_until_ms\", ? as \"failed_attempts\", ? as \"lockout_began_at_ms\", ? as \"sessions_ended_at_ms\", ? as \"grants_ended_at_ms\", ? as \"created_at_ms\", ? as \"updated_at_ms\", ? as \"version\", ? as \"claims\", ? as \"deletion_due_at_ms\", ? as \"unclaimed\", ? as \"name_skeleton\" where not exists (select \"id\" from \"users\" where (\"normalized_email\" = ? or \"normalized_name\" = ?)) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_skeleton\" = ?) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.name_skeleton, v.normalized_name, v.normalized_email, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton]
    },
    "user-names.rename": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ?, \"claims\" = ?, \"deletion_due_at_ms\" = ?, \"unclaimed\" = ?, \"name_skeleton\" = ? where \"id\" = ? and \"version\" = ? and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"name_skeleton\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_skeleton\" = ?)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.name_skeleton, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.name_skeleton, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton]
    },
    "user-names.renameKeeping": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ?, \"claims\" = ?, \"deletion_due_at_ms\" = ?, \"unclaimed\" = ?, \"name_skeleton\" = ? where \"id\" = ? and \"version\" = ? and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"name_skeleton\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_skeleton\" = ?) and exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)))",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.name_skeleton, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.name_skeleton, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton, v.id, v.confirmed_only, 0]
    },
    "user-names.respell": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ?, \"claims\" = ?, \"deletion_due_at_ms\" = ?, \"unclaimed\" = ? where \"id\" = ? and \"version\" = ? and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email]
    },
    "user-names.respellKeeping": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ?, \"claims\" = ?, \"deletion_due_at_ms\" = ?, \"unclaimed\" = ? where \"id\" = ? and \"version\" = ? and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_email\" = ?) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and \"other\".\"normalized_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> ? and \"confirmations\".\"expires_at_ms\" > ? and \"confirmations\".\"held_name\" = ?) and exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> ? and ((? = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = ? and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)))",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.confirmed_only, 0]
    },
    "user-pages.keys500": {
      "text": "select \"key\", \"user_id\" from \"user_search_keys\" where (\"key\", \"user_id\") > (?, ?) and \"key\" < ? order by \"key\", \"user_id\" limit 500",
      "toParameters": (v) => [v.after_key, v.after_id, v.end],
      "toRow": (v) => ({ key: v[0], user_id: v[1] })
    },
    "user-pages.keys64": {
      "text": "select \"key\", \"user_id\" from \"user_search_keys\" where (\"key\", \"user_id\") > (?, ?) and \"key\" < ? order by \"key\", \"user_id\" limit 64",
      "toParameters": (v) => [v.after_key, v.after_id, v.end],
      "toRow": (v) => ({ key: v[0], user_id: v[1] })
    },
    "user-pages.normalized_email500": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"normalized_email\" >= ? and \"normalized_email\" < ? and \"normalized_email\" > ? order by \"normalized_email\" limit 500",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-pages.normalized_email64": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"normalized_email\" >= ? and \"normalized_email\" < ? and \"normalized_email\" > ? order by \"normalized_email\" limit 64",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-pages.normalized_name500": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"normalized_name\" >= ? and \"normalized_name\" < ? and \"normalized_name\" > ? order by \"normalized_name\" limit 500",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-pages.normalized_name64": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"normalized_name\" >= ? and \"normalized_name\" < ? and \"normalized_name\" > ? order by \"normalized_name\" limit 64",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-search.add": {
      "text": "insert into \"user_search_keys\" (\"key\", \"user_id\") select \"each\".\"value\", ? as \"user_id\" from json_each(?) as \"each\" where true on conflict do nothing",
      "toParameters": (v) => [v.user_id, v.keys]
    },
    "user-search.addAsRead": {
      "text": "insert into \"user_search_keys\" (\"key\", \"user_id\") select \"each\".\"value\", \"kept\".\"id\" from json_each(?) as \"each\" inner join (select \"id\" from \"users\" where \"id\" = ? and \"version\" = ?) as \"kept\" on true where true on conflict do nothing",
      "toParameters": (v) => [v.keys, v.user_id, v.decided_on]
    },
    "user-search.anyHolder": {
      "text": "select \"id\" from \"users\" where replace(roles, ?, '') <> roles and not exists (select 1 from removals where removals.kind = 'role' and removals.name = ?) limit 1",
      "toParameters": (v) => [v.named, v.name],
      "toRow": (v) => ({ id: v[0] })
    },
    "user-search.begin": {
      "text": "insert into \"user_search_fills\" (\"name\", \"after_id\", \"people\", \"began_at_ms\", \"done\") values (?, ?, ?, ?, ?) on conflict do nothing",
      "toParameters": (v) => ["all", "", 0, v.began_at_ms, 0]
    },
    "user-search.end": {
      "text": "update \"user_search_fills\" set \"done\" = ? where \"name\" = ? and \"after_id\" = ?",
      "toParameters": (v) => [1, "all", v.before]
    },
    "user-search.fill": {
      "text": "select \"after_id\", \"people\", \"began_at_ms\", \"done\" from \"user_search_fills\" where \"name\" = ?",
      "toParameters": () => ["all"],
      "toRow": (v) => ({ after_id: v[0], people: v[1], began_at_ms: v[2], done: v[3] })
    },
    "user-search.firstUnder": {
      "text": "select \"user_id\" from \"user_search_keys\" where \"key\" = ? and not exists (select 1 from removals where removals.kind = 'role' and removals.name = ?) limit 1",
      "toParameters": (v) => [v.key, v.name],
      "toRow": (v) => ({ user_id: v[0] })
    },
    "user-search.goOn": {
      "text": "update \"user_search_fills\" set \"after_id\" = ?, \"people\" = ? where \"name\" = ? and \"after_id\" = ?",
      "toParameters": (v) => [v.after, v.people, "all", v.before]
    },
    "user-search.keysOf": {
      "text": "select \"key\", \"user_id\" from \"user_search_keys\" where \"user_id\" in (select value from json_each(?))",
      "toParameters": (v) => [v.ids],
      "toRow": (v) => ({ key: v[0], user_id: v[1] })
    },
    "user-search.keysOfRoles": {
      "text": "with recursive \"held\" as (select min(\"key\") as \"key\" from \"user_search_keys\" where \"key\" >= 'r' and \"key\" < 's' union all select (select min(\"user_search_keys\".\"key\") as \"key\" from \"user_search_keys\" where \"user_search_keys\".\"key\" > \"held\".\"key\" and \"user_search_keys\".\"key\" < 's') as \"key\" from \"held\" where \"held\".\"key\" is not null) select \"key\" from \"held\" where \"key\" is not null limit 5000",
      "toParameters": () => [],
      "toRow": (v) => ({ key: v[0] })
    },
    "user-search.nextPeople": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"id\" > ? order by \"id\" limit 100",
      "toParameters": (v) => ["\n", "role", v.after],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-search.people": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"id\" in (select value from json_each(?))",
      "toParameters": (v) => ["\n", "role", v.ids],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-search.removeAll": {
      "text": "delete from \"user_search_keys\" where \"user_id\" = ?",
      "toParameters": (v) => [v.user_id]
    },
    "user-search.removeAsRead": {
      "text": "delete from \"user_search_keys\" where \"user_id\" = ? and exists (select \"id\" from \"users\" where \"id\" = ? and \"version\" = ?)",
      "toParameters": (v) => [v.user_id, v.user_id, v.decided_on]
    },
    "user-search.removeUnder": {
      "text": "delete from \"user_search_keys\" where \"key\" = ? and not exists (select \"users\".\"id\" from \"users\" where \"users\".\"id\" = user_search_keys.user_id and replace(users.roles, ?, '') <> users.roles)",
      "toParameters": (v) => [v.key, v.named]
    },
    "user-search.roleListsOfAll": {
      "text": "select distinct \"roles\" from \"users\" where \"roles\" <> ?",
      "toParameters": () => ["[]"],
      "toRow": (v) => ({ roles: v[0] })
    },
    "user-search.under": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"user_search_keys\" inner join \"users\" on \"users\".\"id\" = \"user_search_keys\".\"user_id\" where \"user_search_keys\".\"key\" = ? limit 5001",
      "toParameters": (v) => ["\n", "role", v.key],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "user-search.withApp": {
      "text": "select \"user_id\" from \"second_factors\" where \"user_id\" in (select value from json_each(?)) and \"totp_secret\" is not null",
      "toParameters": (v) => [v.ids],
      "toRow": (v) => ({ user_id: v[0] })
    },
    "user-search.withPasskey": {
      "text": "select \"user_id\" from \"passkeys\" where \"user_id\" in (select value from json_each(?))",
      "toParameters": (v) => [v.ids],
      "toRow": (v) => ({ user_id: v[0] })
    },
    "users.all": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\"",
      "toParameters": () => ["\n", "role"],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "users.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" where \"provider\" = ? and \"subject\" = ?",
      "toParameters": (v) => ["\n", "role", v.provider, v.subject],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "users.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"id\" = ?",
      "toParameters": (v) => ["\n", "role", v.id],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "users.byName": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", ?) as \"names\" from \"removals\" where \"removals\".\"kind\" = ?) as \"u_removed_roles\" from \"users\" where \"normalized_name\" = ?",
      "toParameters": (v) => ["\n", "role", v.name],
      "toRow": (v) => ({ u_id: v[0], u_name: v[1], u_normalized_name: v[2], u_email: v[3], u_normalized_email: v[4], u_email_confirmed: v[5], u_password_hash: v[6], u_roles: v[7], u_disabled: v[8], u_locked_until_ms: v[9], u_failed_attempts: v[10], u_lockout_began_at_ms: v[11], u_sessions_ended_at_ms: v[12], u_grants_ended_at_ms: v[13], u_created_at_ms: v[14], u_updated_at_ms: v[15], u_version: v[16], u_claims: v[17], u_deletion_due_at_ms: v[18], u_unclaimed: v[19], u_removed_roles: v[20] })
    },
    "users.updateUser": {
      "text": "update \"users\" set \"id\" = ?, \"name\" = ?, \"normalized_name\" = ?, \"email\" = ?, \"normalized_email\" = ?, \"email_confirmed\" = ?, \"password_hash\" = ?, \"roles\" = ?, \"disabled\" = ?, \"locked_until_ms\" = ?, \"failed_attempts\" = ?, \"lockout_began_at_ms\" = ?, \"sessions_ended_at_ms\" = ?, \"grants_ended_at_ms\" = ?, \"created_at_ms\" = ?, \"updated_at_ms\" = ?, \"version\" = ?, \"claims\" = ?, \"deletion_due_at_ms\" = ?, \"unclaimed\" = ? where \"id\" = ? and \"version\" = ?",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on]
    },
    "weak-passwords.count": {
      "text": "select count(*) as \"rows\" from \"weak_passwords\"",
      "toParameters": () => [],
      "toRow": (v) => ({ rows: v[0] })
    },
    "weak-passwords.dismiss": {
      "text": "delete from \"weak_passwords\" where \"user_id\" = ? and exists (select \"users\".\"id\" from \"users\" where \"users\".\"id\" = ? and coalesce(\"users\".\"password_hash\", '') = ?)",
      "toParameters": (v) => [v.id, v.id, v.hash]
    },
    "weak-passwords.enqueue": {
      "text": "insert into \"weak_passwords\" (\"user_id\") values (?) on conflict do nothing",
      "toParameters": (v) => [v.user_id]
    },
    "weak-passwords.next": {
      "text": "select \"weak_passwords\".\"user_id\", \"users\".\"password_hash\" from \"weak_passwords\" inner join \"users\" on \"users\".\"id\" = \"weak_passwords\".\"user_id\" order by \"weak_passwords\".\"user_id\" limit 50",
      "toParameters": () => [],
      "toRow": (v) => ({ user_id: v[0], password_hash: v[1] })
    },
    "weak-passwords.rehash": {
      "text": "update \"users\" set \"password_hash\" = ?, \"version\" = \"version\" + ? where \"id\" = ? and \"password_hash\" = ?",
      "toParameters": (v) => [v.new_hash, 1, v.id, v.former_hash]
    },
    "weak-passwords.remove": {
      "text": "delete from \"weak_passwords\" where \"user_id\" = ?",
      "toParameters": (v) => [v.id]
    }
  },
  "postgres": {
    "access-pages.authorization": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"a_removed_scopes\" from \"authorizations\" where \"id\" = $3",
      "toParameters": (v) => ["\n", "scope", v.id]
    },
    "access-pages.authorizations": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"a_removed_scopes\" from \"authorizations\" where \"id\" > $3 order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.after]
    },
    "access-pages.authorizationsOfUser": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"a_removed_scopes\" from \"authorizations\" where \"user_id\" = $3 and \"id\" > $4 order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.after]
    },
    "access-pages.clientsThere": {
      "text": "select \"id\" from \"clients\" where \"deleted\" = 0 and \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.ids]
    },
    "access-pages.grant": {
      "text": "select \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"g_removed_scopes\" from \"grants\" where \"id\" = $3",
      "toParameters": (v) => ["\n", "scope", v.id]
    },
    "access-pages.grants": {
      "text": "select \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"g_removed_scopes\" from \"grants\" where \"id\" > $3 order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.after]
    },
    "access-pages.grantsOfUser": {
      "text": "select \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"g_removed_scopes\" from \"grants\" where \"user_id\" = $3 and \"id\" > $4 order by \"id\" limit 500",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.after]
    },
    "access-pages.people": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($3 as text) as jsonb))))",
      "toParameters": (v) => ["\n", "role", v.ids]
    },
    "access-pages.sessions": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\" from \"sessions\" where \"id\" > $1 order by \"id\" limit 500",
      "toParameters": (v) => [v.after]
    },
    "access-pages.sessionsOfUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\" from \"sessions\" where \"user_id\" = $1 and \"id\" > $2 order by \"id\" limit 500",
      "toParameters": (v) => [v.user_id, v.after]
    },
    "access-pages.standing": {
      "text": "select \"id\" from \"authorizations\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.ids]
    },
    "access-tokens.forIntrospection": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"g_removed_scopes\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"users\".\"name\" as \"u_name\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"authorizations\".\"id\" as \"consent_id\", \"holders\".\"created_at_ms\" as \"holder_since_ms\", \"owners\".\"id\" as \"owner_id\", \"revoked_access_tokens\".\"jti\" as \"revoked_jti\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $3 and \"clients\".\"deleted\" = 0 left join \"clients\" as \"holders\" on \"holders\".\"id\" = $4 and \"holders\".\"deleted\" = 0 left join \"revoked_access_tokens\" on \"revoked_access_tokens\".\"jti\" = $5 left join \"grants\" on \"grants\".\"id\" = $6 left join \"clients\" as \"owners\" on \"owners\".\"id\" = \"grants\".\"client_id\" and \"owners\".\"deleted\" = 0 left join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"grants\".\"authorization_id\" left join \"sessions\" on \"sessions\".\"id\" = \"grants\".\"session_id\" and \"grants\".\"client_id\" = 'latchkey-console' and sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1)",
      "toParameters": (v) => ["\n", "scope", v.asking_client_id, v.token_client_id, v.jti, v.grant_id]
    },
    "access-tokens.holder": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"grants\".\"authenticated_at_ms\", \"grants\".\"method\" as \"method\", \"grants\".\"created_at_ms\" as \"granted_at_ms\", \"grants\".\"client_id\" as \"grant_client_id\", \"grants\".\"session_id\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"grants\".\"claims\" as \"requested_claims\", \"clients\".\"metadata\" from \"grants\" inner join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" inner join \"clients\" on \"clients\".\"id\" = \"grants\".\"client_id\" and \"clients\".\"deleted\" = 0 left join \"sessions\" on \"sessions\".\"id\" = \"grants\".\"session_id\" and \"grants\".\"client_id\" = 'latchkey-console' and sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1) where \"grants\".\"id\" = $3 and \"grants\".\"revoked_at_ms\" is null and (\"grants\".\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = $4)",
      "toParameters": (v) => ["\n", "role", v.grant_id, v.jti]
    },
    "access-tokens.insertRevoked": {
      "text": "insert into \"revoked_access_tokens\" (\"jti\", \"expires_at_ms\") values ($1, $2) on conflict do nothing",
      "toParameters": (v) => [v.jti, v.expires_at_ms]
    },
    "access-tokens.standing": {
      "text": "select \"grants\".\"id\" from \"grants\" inner join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" inner join \"clients\" on \"clients\".\"id\" = \"grants\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"grants\".\"id\" = $1 and \"grants\".\"revoked_at_ms\" is null and (\"grants\".\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = $2)",
      "toParameters": (v) => [v.grant_id, v.jti]
    },
    "access-tokens.standingOfClient": {
      "text": "select \"clients\".\"id\" from \"clients\" where \"clients\".\"id\" = $1 and \"clients\".\"deleted\" = 0 and \"clients\".\"created_at_ms\" < $2 and not exists (select \"jti\" from \"revoked_access_tokens\" where \"jti\" = any(array(select jsonb_array_elements_text(cast(cast($3 as text) as jsonb)))))",
      "toParameters": (v) => [v.client_id, v.issued_before_ms, v.jtis]
    },
    "added-since.consents": {
      "text": "delete from \"authorizations\" where \"user_id\" = $1 and \"created_at_ms\" >= $2",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.logins": {
      "text": "delete from \"external_logins\" where \"user_id\" = $1 and \"created_at_ms\" >= $2",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.passkeys": {
      "text": "delete from \"passkeys\" where \"user_id\" = $1 and \"created_at_ms\" >= $2",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.recoveryCodes": {
      "text": "update \"second_factors\" set \"recovery_hashes\" = '[]', \"recovery_since_ms\" = $1, \"version\" = \"version\" + $2 where \"user_id\" = $3 and coalesce(recovery_since_ms, 0) >= $4",
      "toParameters": (v) => [null, 1, v.user_id, v.since_ms]
    },
    "added-since.registrations": {
      "text": "delete from \"external_registrations\" where \"user_id\" = $1 and \"created_at_ms\" >= $2",
      "toParameters": (v) => [v.user_id, v.since_ms]
    },
    "added-since.totp": {
      "text": "update \"second_factors\" set \"totp_secret\" = $1, \"totp_since_ms\" = $2, \"totp_last_step\" = $3, \"version\" = \"version\" + $4 where \"user_id\" = $5 and coalesce(totp_since_ms, 0) >= $6",
      "toParameters": (v) => [null, null, null, 1, v.user_id, v.since_ms]
    },
    "added-since.waiting": {
      "text": "update \"second_factors\" set \"pending_secret\" = $1, \"pending_until_ms\" = $2, \"mail_code\" = $3, \"version\" = \"version\" + $4 where \"user_id\" = $5",
      "toParameters": (v) => [null, null, null, 1, v.user_id]
    },
    "administrators.all": {
      "text": "select \"other\".\"id\" as \"id\" from \"users\" as \"other\" where (($1 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $2 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null))",
      "toParameters": (v) => [v.confirmed_only, 0]
    },
    "administrators.delete": {
      "text": "delete from \"users\" where \"id\" = $1 and (not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" = $2 and (($3 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $4 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null))) or exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $5 and (($6 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $7 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) for share))",
      "toParameters": (v) => [v.id, v.id, v.confirmed_only, 0, v.id, v.confirmed_only, 0]
    },
    "administrators.others": {
      "text": "select \"other\".\"id\" as \"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $1 and (($2 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $3 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) limit 1",
      "toParameters": (v) => [v.id, v.confirmed_only, 0]
    },
    "administrators.requireOne": {
      "text": "update \"users\" set \"version\" = version where \"id\" = (select \"other\".\"id\" from \"users\" as \"other\" where (($1 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $2 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) order by \"other\".\"id\" limit 1)",
      "toParameters": (v) => [v.confirmed_only, 0]
    },
    "administrators.update": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17, \"claims\" = $18, \"deletion_due_at_ms\" = $19, \"unclaimed\" = $20 where \"id\" = $21 and \"version\" = $22 and exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $23 and (($24 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $25 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) for share)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on, v.id, v.confirmed_only, 0]
    },
    "applications.consents": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"authorizations\".\"scopes\" as \"scopes\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"removed\", \"authorizations\".\"created_at_ms\" as \"created_at_ms\" from \"authorizations\" inner join \"clients\" on \"clients\".\"id\" = \"authorizations\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"authorizations\".\"user_id\" = $3",
      "toParameters": (v) => ["\n", "scope", v.user_id]
    },
    "applications.deleteConsents": {
      "text": "delete from \"authorizations\" where \"user_id\" = $1 and \"client_id\" = $2",
      "toParameters": (v) => [v.user_id, v.client_id]
    },
    "applications.grants": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"open\".\"scopes\" as \"scopes\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"removed\", \"open\".\"created_at_ms\" as \"created_at_ms\", \"open\".\"last_created_at_ms\" as \"last_created_at_ms\", \"open\".\"rotated_at_ms\" as \"rotated_at_ms\" from (select \"client_id\", \"scopes\", min(\"created_at_ms\") as \"created_at_ms\", max(\"created_at_ms\") as \"last_created_at_ms\", max(\"rotated_at_ms\") as \"rotated_at_ms\" from \"grants\" where \"user_id\" = $3 and \"revoked_at_ms\" is null and \"expires_at_ms\" > $4 and \"created_at_ms\" > $5 and (\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\")) group by \"client_id\", \"scopes\") as \"open\" inner join \"clients\" on \"clients\".\"id\" = \"open\".\"client_id\" and \"clients\".\"deleted\" = 0",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.now_ms, v.ended_at_ms]
    },
    "applications.revokeGrants": {
      "text": "update \"grants\" set \"revoked_at_ms\" = $1 where \"user_id\" = $2 and \"client_id\" = $3 and \"revoked_at_ms\" is null and \"expires_at_ms\" > $4",
      "toParameters": (v) => [v.revoked_at_ms, v.user_id, v.client_id, v.revoked_at_ms]
    },
    "audit.activity": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"user_id\" = $1 and kind <> 'tokens_issued' and kind <> 'refusal' and at_ms <= $2 and (at_ms, writer, seq) < ($3, $4, $5) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 50",
      "toParameters": (v) => [v.user_id, v.at_ms, v.at_ms, v.writer, v.seq]
    },
    "audit.checkpoints": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" where \"number\" > $1 order by \"number\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "audit.countRefusals": {
      "text": "select count(*) as \"entries\" from \"audit_entries\" where writer >= 'r'",
      "toParameters": () => []
    },
    "audit.filtered": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms >= cast($1 as bigint) and (at_ms, writer, seq) > (cast($2 as bigint), cast($3 as text), cast($4 as bigint)) and at_ms <= $5 and (cast($6 as text) is null or \"kind\" = $7) and (cast($8 as text) is null or \"user_id\" = $9) and (cast($10 as text) is null or \"client_id\" = $11) and (cast($12 as text) is null or \"trace_id\" = $13) order by \"at_ms\", \"writer\", \"seq\" limit $14",
      "toParameters": (v) => [v.at_ms, v.at_ms, v.writer, v.seq, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows]
    },
    "audit.horizon": {
      "text": "select \"at_ms\", \"writer\", \"seq\" from \"audit_entries\" where at_ms >= cast($1 as bigint) and at_ms <= cast($2 as bigint) and (at_ms, writer, seq) >= (cast($3 as bigint), cast($4 as text), cast($5 as bigint))\n    and (at_ms, writer, seq) < (cast($6 as bigint), cast($7 as text), cast($8 as bigint)) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 1 offset 19999",
      "toParameters": (v) => [v.from_ms, v.at_ms, v.from_ms, v.from_writer, v.from_seq, v.at_ms, v.writer, v.seq]
    },
    "audit.insertCheckpoint": {
      "text": "insert into \"audit_checkpoints\" (\"number\", \"at_ms\", \"statement\") values ($1, $2, $3) on conflict do nothing",
      "toParameters": (v) => [v.number, v.at_ms, v.statement]
    },
    "audit.largeLatest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms <= cast($1 as bigint) and (at_ms, writer, seq) < (cast($2 as bigint), cast($3 as text), cast($4 as bigint)) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 501",
      "toParameters": (v) => [v.at_ms, v.at_ms, v.writer, v.seq]
    },
    "audit.largePage": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms >= cast($1 as bigint) and at_ms <= cast($2 as bigint) and (at_ms, writer, seq) >= (cast($3 as bigint), cast($4 as text), cast($5 as bigint))\n    and (at_ms, writer, seq) < (cast($6 as bigint), cast($7 as text), cast($8 as bigint)) and (cast($9 as text) is null or \"kind\" = $10) and (cast($11 as text) is null or \"user_id\" = $12) and (cast($13 as text) is null or \"client_id\" = $14) and (cast($15 as text) is null or \"trace_id\" = $16) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 501",
      "toParameters": (v) => [v.from_ms, v.at_ms, v.from_ms, v.from_writer, v.from_seq, v.at_ms, v.writer, v.seq, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id]
    },
    "audit.lastCheckpoint": {
      "text": "select \"number\", \"at_ms\", \"statement\" from \"audit_checkpoints\" order by \"number\" desc limit $1",
      "toParameters": (v) => [v.rows]
    },
    "audit.latest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms <= cast($1 as bigint) and (at_ms, writer, seq) < (cast($2 as bigint), cast($3 as text), cast($4 as bigint)) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 51",
      "toParameters": (v) => [v.at_ms, v.at_ms, v.writer, v.seq]
    },
    "audit.newest": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"at_ms\" >= $1 and true and at_ms <= $2 and (cast($3 as text) is null or \"kind\" = $4) and (cast($5 as text) is null or \"user_id\" = $6) and (cast($7 as text) is null or \"client_id\" = $8) and (cast($9 as text) is null or \"trace_id\" = $10) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit $11",
      "toParameters": (v) => [v.since_ms, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows]
    },
    "audit.newestRefusals": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where \"at_ms\" >= $1 and writer >= 'r' and at_ms <= $2 and (cast($3 as text) is null or \"kind\" = $4) and (cast($5 as text) is null or \"user_id\" = $6) and (cast($7 as text) is null or \"client_id\" = $8) and (cast($9 as text) is null or \"trace_id\" = $10) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit $11",
      "toParameters": (v) => [v.since_ms, v.until_ms, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id, v.rows]
    },
    "audit.page": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms >= cast($1 as bigint) and at_ms <= cast($2 as bigint) and (at_ms, writer, seq) >= (cast($3 as bigint), cast($4 as text), cast($5 as bigint))\n    and (at_ms, writer, seq) < (cast($6 as bigint), cast($7 as text), cast($8 as bigint)) and (cast($9 as text) is null or \"kind\" = $10) and (cast($11 as text) is null or \"user_id\" = $12) and (cast($13 as text) is null or \"client_id\" = $14) and (cast($15 as text) is null or \"trace_id\" = $16) order by \"at_ms\" desc, \"writer\" desc, \"seq\" desc limit 51",
      "toParameters": (v) => [v.from_ms, v.at_ms, v.from_ms, v.from_writer, v.from_seq, v.at_ms, v.writer, v.seq, v.kind, v.kind, v.user_id, v.user_id, v.client_id, v.client_id, v.trace_id, v.trace_id]
    },
    "audit.refusalsOfTrace": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where kind = 'refusal' and \"trace_id\" = $1 order by \"at_ms\", \"writer\", \"seq\"",
      "toParameters": (v) => [v.trace_id]
    },
    "audit.removeBefore": {
      "text": "delete from \"audit_entries\" where \"at_ms\" >= $1 and \"at_ms\" < $2 and true",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.removeCheckpoints": {
      "text": "delete from \"audit_checkpoints\" where \"number\" >= $1 and \"number\" <= $2",
      "toParameters": (v) => [v.from, v.to]
    },
    "audit.removeRefusalsBefore": {
      "text": "delete from \"audit_entries\" where \"at_ms\" >= $1 and \"at_ms\" < $2 and writer >= 'r'",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.stored": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms >= cast($1 as bigint) and (at_ms, writer, seq) > (cast($2 as bigint), cast($3 as text), cast($4 as bigint)) and true order by \"at_ms\", \"writer\", \"seq\" limit $5",
      "toParameters": (v) => [v.at_ms, v.at_ms, v.writer, v.seq, v.rows]
    },
    "audit.storedRefusals": {
      "text": "select \"at_ms\", \"writer\", \"seq\", \"kind\", \"user_id\", \"client_id\", \"trace_id\", \"address\", \"details\", \"hash\" from \"audit_entries\" where at_ms >= cast($1 as bigint) and (at_ms, writer, seq) > (cast($2 as bigint), cast($3 as text), cast($4 as bigint)) and writer >= 'r' order by \"at_ms\", \"writer\", \"seq\" limit $5",
      "toParameters": (v) => [v.at_ms, v.at_ms, v.writer, v.seq, v.rows]
    },
    "audit.tails": {
      "text": "select \"e\".\"at_ms\", \"e\".\"writer\", \"e\".\"seq\", \"e\".\"hash\" from (select \"at_ms\", \"writer\", \"seq\", \"hash\", row_number() over(partition by \"writer\" order by \"seq\" desc, \"at_ms\" desc) as \"place\" from \"audit_entries\" where \"at_ms\" >= $1 and \"at_ms\" < $2) as \"e\" where \"e\".\"place\" = 1",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "audit.timeOf": {
      "text": "select \"at_ms\" from \"audit_entries\" where \"at_ms\" >= $1 and true order by \"at_ms\", \"writer\", \"seq\" limit $2 offset $3",
      "toParameters": (v) => [v.from_ms, v.rows, v.skip]
    },
    "audit.timeOfRefusal": {
      "text": "select \"at_ms\" from \"audit_entries\" where \"at_ms\" >= $1 and writer >= 'r' order by \"at_ms\", \"writer\", \"seq\" limit $2 offset $3",
      "toParameters": (v) => [v.from_ms, v.rows, v.skip]
    },
    "authorizations.deleteAuthorization": {
      "text": "delete from \"authorizations\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "authorizations.forRequest": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", $3) as \"names\" from \"removals\" where \"removals\".\"kind\" = $4) as \"a_removed_scopes\", \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $5 and \"clients\".\"deleted\" = 0 left join \"sessions\" on \"sessions\".\"id\" = $6 left join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"user_id\" = \"users\".\"id\" and \"authorizations\".\"client_id\" = \"clients\".\"id\" and \"authorizations\".\"scope_set\" = $7 left join \"scopes\" on \"scopes\".\"name\" = any(array(select jsonb_array_elements_text(cast(cast($8 as text) as jsonb))))",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.client_id, v.session_id, v.scope_set, v.scopes]
    },
    "authorizations.insertAuthorization": {
      "text": "insert into \"authorizations\" (\"id\", \"user_id\", \"client_id\", \"scopes\", \"scope_set\", \"created_at_ms\") select $1 as \"id\", $2 as \"user_id\", $3 as \"client_id\", $4 as \"scopes\", $5 as \"scope_set\", $6 as \"created_at_ms\" where exists (select \"id\" from \"users\" where \"id\" = $7) and exists (select \"id\" from \"clients\" where \"id\" = $8 and \"deleted\" = 0) on conflict do nothing",
      "toParameters": (v) => [v.id, v.user_id, v.client_id, v.scopes, v.scope_set, v.created_at_ms, v.user_id, v.client_id]
    },
    "authorizations.ofUser": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"a_removed_scopes\" from \"authorizations\" inner join \"clients\" on \"clients\".\"id\" = \"authorizations\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"authorizations\".\"user_id\" = $3 order by \"authorizations\".\"created_at_ms\", \"authorizations\".\"id\"",
      "toParameters": (v) => ["\n", "scope", v.user_id]
    },
    "authorizations.parties": {
      "text": "select \"users\".\"id\" from \"users\" inner join \"clients\" on \"clients\".\"id\" = $1 and \"clients\".\"deleted\" = 0 where \"users\".\"id\" = $2",
      "toParameters": (v) => [v.client_id, v.user_id]
    },
    "authorizations.standing": {
      "text": "select \"authorizations\".\"id\" as \"a_id\", \"authorizations\".\"user_id\" as \"a_user_id\", \"authorizations\".\"client_id\" as \"a_client_id\", \"authorizations\".\"scopes\" as \"a_scopes\", \"authorizations\".\"scope_set\" as \"a_scope_set\", \"authorizations\".\"created_at_ms\" as \"a_created_at_ms\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"a_removed_scopes\" from \"authorizations\" where \"user_id\" = $3 and \"client_id\" = $4 and \"scope_set\" = $5",
      "toParameters": (v) => ["\n", "scope", v.user_id, v.client_id, v.scope_set]
    },
    "begun.denyOfOthers": {
      "text": "update \"device_codes\" set \"answer\" = 'denied', \"user_id\" = $1, \"authorization_id\" = $2, \"session_id\" = $3, \"authenticated_at_ms\" = $4, \"method\" = $5, \"answered_at_ms\" = $6 where \"user_id\" = $7 and \"session_id\" <> $8",
      "toParameters": (v) => [null, null, null, null, null, null, v.user_id, v.session_id]
    },
    "begun.denyOfSession": {
      "text": "update \"device_codes\" set \"answer\" = 'denied', \"user_id\" = $1, \"authorization_id\" = $2, \"session_id\" = $3, \"authenticated_at_ms\" = $4, \"method\" = $5, \"answered_at_ms\" = $6 where \"user_id\" = $7 and \"session_id\" = $8",
      "toParameters": (v) => [null, null, null, null, null, null, v.user_id, v.session_id]
    },
    "begun.denyOfUser": {
      "text": "update \"device_codes\" set \"answer\" = 'denied', \"user_id\" = $1, \"authorization_id\" = $2, \"session_id\" = $3, \"authenticated_at_ms\" = $4, \"method\" = $5, \"answered_at_ms\" = $6 where \"user_id\" = $7",
      "toParameters": (v) => [null, null, null, null, null, null, v.user_id]
    },
    "begun.move": {
      "text": "update \"confirmations\" set \"session_id\" = $1 where \"begun_by\" = $2 and \"session_id\" = $3",
      "toParameters": (v) => [v.next_id, v.user_id, v.session_id]
    },
    "begun.moveDevices": {
      "text": "update \"device_codes\" set \"session_id\" = $1 where \"user_id\" = $2 and \"session_id\" = $3",
      "toParameters": (v) => [v.next_id, v.user_id, v.session_id]
    },
    "begun.ofOthers": {
      "text": "delete from \"confirmations\" where \"begun_by\" = $1 and \"session_id\" <> $2",
      "toParameters": (v) => [v.user_id, v.session_id]
    },
    "begun.ofSession": {
      "text": "delete from \"confirmations\" where \"begun_by\" = $1 and \"session_id\" = $2",
      "toParameters": (v) => [v.user_id, v.session_id]
    },
    "begun.ofSignOut": {
      "text": "delete from \"confirmations\" where \"begun_by\" = (select \"sessions\".\"user_id\" from \"sessions\" where \"sessions\".\"id\" = $1) and \"session_id\" = $2 and \"purpose\" <> 'invite'",
      "toParameters": (v) => [v.session_id, v.session_id]
    },
    "begun.ofUser": {
      "text": "delete from \"confirmations\" where \"begun_by\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "begun.orphaned": {
      "text": "delete from \"confirmations\" where \"begun_by\" = $1 and \"session_id\" is not null and \"purpose\" <> 'invite' and not exists (select \"sessions\".\"id\" from \"sessions\" where \"sessions\".\"id\" = \"confirmations\".\"session_id\")",
      "toParameters": (v) => [v.user_id]
    },
    "candidates.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($3 as text) as jsonb)))) left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where \"provider\" = $4 and \"subject\" = $5",
      "toParameters": (v) => ["\n", "role", v.browsers, v.provider, v.subject]
    },
    "candidates.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\", (select count(*) as \"count\" from \"sessions\" where \"sessions\".\"user_id\" = \"users\".\"id\") as \"sessions\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = $3 left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where \"users\".\"id\" = $4",
      "toParameters": (v) => ["\n", "role", v.browser_id, v.id]
    },
    "candidates.byNameOrEmail": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($3 as text) as jsonb)))) left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where (\"normalized_name\" = $4 or \"normalized_email\" = $5) order by \"normalized_name\" = $6 desc limit 1",
      "toParameters": (v) => ["\n", "role", v.browsers, v.text, v.text, v.text]
    },
    "candidates.byUser": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\", \"second_factors\".\"user_id\" as \"f_user_id\", \"second_factors\".\"totp_secret\" as \"f_totp_secret\", \"second_factors\".\"totp_since_ms\" as \"f_totp_since_ms\", \"second_factors\".\"totp_last_step\" as \"f_totp_last_step\", \"second_factors\".\"pending_secret\" as \"f_pending_secret\", \"second_factors\".\"pending_until_ms\" as \"f_pending_until_ms\", \"second_factors\".\"recovery_hashes\" as \"f_recovery_hashes\", \"second_factors\".\"recovery_since_ms\" as \"f_recovery_since_ms\", \"second_factors\".\"mail_code\" as \"f_mail_code\", \"second_factors\".\"mail_barred\" as \"f_mail_barred\", \"second_factors\".\"failed_attempts\" as \"f_failed_attempts\", \"second_factors\".\"paused_until_ms\" as \"f_paused_until_ms\", \"second_factors\".\"wrong_codes\" as \"f_wrong_codes\", \"second_factors\".\"version\" as \"f_version\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\") as \"passkeys\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\" and \"passkeys\".\"synced\" = $3) as \"bound_passkeys\", (select count(*) as \"count\" from \"passkeys\" where \"passkeys\".\"user_id\" = \"users\".\"id\" and \"passkeys\".\"synced\" = $4 and \"passkeys\".\"attested\" = $5) as \"attested_passkeys\" from \"users\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($6 as text) as jsonb)))) left join \"second_factors\" on \"second_factors\".\"user_id\" = \"users\".\"id\" where \"users\".\"id\" = $7",
      "toParameters": (v) => ["\n", "role", 0, 0, 1, v.browsers, v.id]
    },
    "client-deletion.mark": {
      "text": "update \"clients\" set \"deleted\" = 1, \"name\" = '', \"type\" = 'confidential', \"secret_hash\" = null, \"previous_secret_hash\" = null, \"previous_secret_ends_at_ms\" = null, \"redirect_uris\" = '[]', \"post_logout_redirect_uris\" = '[]', \"scopes\" = '[]', \"grant_types\" = '[]', \"metadata\" = null, \"version\" = version + 1 where \"id\" = $1 and \"deleted\" = 0 and version = coalesce(cast($2 as integer), version)",
      "toParameters": (v) => [v.id, v.version]
    },
    "client-deletion.registration": {
      "text": "delete from \"client_registrations\" where \"client_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "client-deletion.unused": {
      "text": "delete from \"clients\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "clients.all": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0",
      "toParameters": () => []
    },
    "clients.byId": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"id\" = $1 and \"deleted\" = 0",
      "toParameters": (v) => [v.id]
    },
    "clients.byLogoutUri": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and replace(replace(coalesce(metadata, ''), '\"registration\":\"open\"', ''), '\"registration\":\"document\"', '') = coalesce(metadata, '') and replace(post_logout_redirect_uris, $1, '') <> post_logout_redirect_uris order by \"id\" limit 10",
      "toParameters": (v) => [v.uri]
    },
    "clients.insertClient": {
      "text": "insert into \"clients\" (\"id\", \"name\", \"type\", \"secret_hash\", \"consent\", \"require_pkce\", \"redirect_uris\", \"post_logout_redirect_uris\", \"scopes\", \"created_at_ms\", \"previous_secret_hash\", \"previous_secret_ends_at_ms\", \"grant_types\", \"metadata\", \"version\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.type, v.secret_hash, v.consent, v.require_pkce, v.redirect_uris, v.post_logout_redirect_uris, v.scopes, v.created_at_ms, v.previous_secret_hash, v.previous_secret_ends_at_ms, v.grant_types, v.metadata, v.version]
    },
    "clients.page500": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > $1 order by \"id\" limit 500",
      "toParameters": (v) => [v.after]
    },
    "clients.page64": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > $1 order by \"id\" limit 64",
      "toParameters": (v) => [v.after]
    },
    "clients.pageAmong500": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > $1 and ($2 = '' or replace(lower(\"id\" collate \"C\"), $3, '') <> lower(\"id\" collate \"C\")\n        or replace(lower(\"name\" collate \"C\"), $4, '') <> lower(\"name\" collate \"C\")) and ($5 = '' or replace(scopes, $6, '') <> scopes) and ($7 = '' or replace(metadata, $8, '') <> metadata) order by \"id\" limit 500",
      "toParameters": (v) => [v.after, v.text, v.text, v.text, v.named, v.named, v.algorithm, v.algorithm]
    },
    "clients.pageAmong64": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"clients\" where \"deleted\" = 0 and \"id\" > $1 and ($2 = '' or replace(lower(\"id\" collate \"C\"), $3, '') <> lower(\"id\" collate \"C\")\n        or replace(lower(\"name\" collate \"C\"), $4, '') <> lower(\"name\" collate \"C\")) and ($5 = '' or replace(scopes, $6, '') <> scopes) and ($7 = '' or replace(metadata, $8, '') <> metadata) order by \"id\" limit 64",
      "toParameters": (v) => [v.after, v.text, v.text, v.text, v.named, v.named, v.algorithm, v.algorithm]
    },
    "clients.updateClient": {
      "text": "update \"clients\" set \"id\" = $1, \"name\" = $2, \"type\" = $3, \"secret_hash\" = $4, \"consent\" = $5, \"require_pkce\" = $6, \"redirect_uris\" = $7, \"post_logout_redirect_uris\" = $8, \"scopes\" = $9, \"created_at_ms\" = $10, \"previous_secret_hash\" = $11, \"previous_secret_ends_at_ms\" = $12, \"grant_types\" = $13, \"metadata\" = $14, \"version\" = $15 where \"id\" = $16 and \"version\" = $17",
      "toParameters": (v) => [v.id, v.name, v.type, v.secret_hash, v.consent, v.require_pkce, v.redirect_uris, v.post_logout_redirect_uris, v.scopes, v.created_at_ms, v.previous_secret_hash, v.previous_secret_ends_at_ms, v.grant_types, v.metadata, v.version, v.id, v.decided_on]
    },
    "configuration.consentsOfClient": {
      "text": "select \"id\", \"user_id\", \"scopes\" from \"authorizations\" where \"client_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "configuration.consentsOfUser": {
      "text": "select \"id\", \"user_id\" from \"authorizations\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "configuration.consentsWith": {
      "text": "select \"id\", \"user_id\" from \"authorizations\" where replace(scopes, $1, '') <> scopes",
      "toParameters": (v) => [v.named]
    },
    "configuration.grantsOfClient": {
      "text": "select \"id\", \"user_id\" from \"grants\" where \"client_id\" = $1 and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > $2)",
      "toParameters": (v) => [v.id, v.now_ms]
    },
    "configuration.grantsOfUser": {
      "text": "select \"id\", \"user_id\" from \"grants\" where \"user_id\" = $1 and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > $2)",
      "toParameters": (v) => [v.id, v.now_ms]
    },
    "configuration.grantsWith": {
      "text": "select \"id\", \"user_id\" from \"grants\" where replace(scopes, $1, '') <> scopes and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > $2)",
      "toParameters": (v) => [v.named, v.now_ms]
    },
    "configuration.holders": {
      "text": "select \"id\", \"id\" as \"user_id\" from \"users\" where replace(roles, $1, '') <> roles",
      "toParameters": (v) => [v.named]
    },
    "configuration.sessionsOfUser": {
      "text": "select \"id\", \"user_id\" from \"sessions\" where \"user_id\" = $1 and \"expires_at_ms\" > $2",
      "toParameters": (v) => [v.id, v.now_ms]
    },
    "configuration.vacate": {
      "text": "update \"users\" set \"normalized_email\" = $1 where \"id\" = $2 and \"version\" = $3",
      "toParameters": (v) => [v.vacant, v.id, v.version]
    },
    "confirmations.byId": {
      "text": "select \"confirmations\".\"id\" as \"cf_id\", \"confirmations\".\"purpose\" as \"cf_purpose\", \"confirmations\".\"subject\" as \"cf_subject\", \"confirmations\".\"user_id\" as \"cf_user_id\", \"confirmations\".\"token_hash\" as \"cf_token_hash\", \"confirmations\".\"code_hash\" as \"cf_code_hash\", \"confirmations\".\"browser_hash\" as \"cf_browser_hash\", \"confirmations\".\"attempts\" as \"cf_attempts\", \"confirmations\".\"confirmed_at_ms\" as \"cf_confirmed_at_ms\", \"confirmations\".\"details\" as \"cf_details\", \"confirmations\".\"created_at_ms\" as \"cf_created_at_ms\", \"confirmations\".\"expires_at_ms\" as \"cf_expires_at_ms\", \"confirmations\".\"begun_by\" as \"cf_begun_by\", \"confirmations\".\"session_id\" as \"cf_session_id\", \"confirmations\".\"held_name\" as \"cf_held_name\", \"confirmations\".\"held_skeleton\" as \"cf_held_skeleton\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"confirmations\" left join \"users\" on \"users\".\"id\" = \"confirmations\".\"user_id\" where \"confirmations\".\"id\" = $3",
      "toParameters": (v) => ["\n", "role", v.id]
    },
    "confirmations.confirm": {
      "text": "update \"confirmations\" set \"browser_hash\" = $1, \"confirmed_at_ms\" = $2, \"expires_at_ms\" = $3, \"details\" = coalesce(cast($4 as text), details) where \"id\" = $5 and \"confirmed_at_ms\" is null",
      "toParameters": (v) => [v.browser_hash, v.confirmed_at_ms, v.expires_at_ms, v.details, v.id]
    },
    "confirmations.countAttempt": {
      "text": "update \"confirmations\" set \"attempts\" = \"attempts\" + $1 where \"id\" = $2 and \"attempts\" < 5 and \"confirmed_at_ms\" is null",
      "toParameters": (v) => [1, v.id]
    },
    "confirmations.invitations": {
      "text": "select \"confirmations\".\"id\" as \"cf_id\", \"confirmations\".\"purpose\" as \"cf_purpose\", \"confirmations\".\"subject\" as \"cf_subject\", \"confirmations\".\"user_id\" as \"cf_user_id\", \"confirmations\".\"token_hash\" as \"cf_token_hash\", \"confirmations\".\"code_hash\" as \"cf_code_hash\", \"confirmations\".\"browser_hash\" as \"cf_browser_hash\", \"confirmations\".\"attempts\" as \"cf_attempts\", \"confirmations\".\"confirmed_at_ms\" as \"cf_confirmed_at_ms\", \"confirmations\".\"details\" as \"cf_details\", \"confirmations\".\"created_at_ms\" as \"cf_created_at_ms\", \"confirmations\".\"expires_at_ms\" as \"cf_expires_at_ms\", \"confirmations\".\"begun_by\" as \"cf_begun_by\", \"confirmations\".\"session_id\" as \"cf_session_id\", \"confirmations\".\"held_name\" as \"cf_held_name\", \"confirmations\".\"held_skeleton\" as \"cf_held_skeleton\" from \"confirmations\" where \"purpose\" = 'invite' and \"expires_at_ms\" > $1 order by \"id\" desc limit 1000",
      "toParameters": (v) => [v.now_ms]
    },
    "confirmations.put": {
      "text": "insert into \"confirmations\" (\"id\", \"purpose\", \"subject\", \"user_id\", \"token_hash\", \"code_hash\", \"browser_hash\", \"attempts\", \"confirmed_at_ms\", \"details\", \"created_at_ms\", \"expires_at_ms\", \"begun_by\", \"session_id\", \"held_name\", \"held_skeleton\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) on conflict (\"purpose\", \"subject\") do update set \"id\" = \"excluded\".\"id\", \"user_id\" = \"excluded\".\"user_id\", \"token_hash\" = \"excluded\".\"token_hash\", \"code_hash\" = \"excluded\".\"code_hash\", \"browser_hash\" = \"excluded\".\"browser_hash\", \"attempts\" = \"excluded\".\"attempts\", \"confirmed_at_ms\" = \"excluded\".\"confirmed_at_ms\", \"details\" = \"excluded\".\"details\", \"created_at_ms\" = \"excluded\".\"created_at_ms\", \"expires_at_ms\" = \"excluded\".\"expires_at_ms\", \"begun_by\" = \"excluded\".\"begun_by\", \"session_id\" = \"excluded\".\"session_id\", \"held_name\" = \"excluded\".\"held_name\", \"held_skeleton\" = \"excluded\".\"held_skeleton\"",
      "toParameters": (v) => [v.id, v.purpose, v.subject, v.user_id, v.token_hash, v.code_hash, v.browser_hash, v.attempts, v.confirmed_at_ms, v.details, v.created_at_ms, v.expires_at_ms, v.begun_by, v.session_id, v.held_name, v.held_skeleton]
    },
    "confirmations.remove": {
      "text": "delete from \"confirmations\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "confirmations.removeSubject": {
      "text": "delete from \"confirmations\" where \"purpose\" = $1 and \"subject\" = $2",
      "toParameters": (v) => [v.purpose, v.subject]
    },
    "confirmations.removeUndos": {
      "text": "delete from \"confirmations\" where \"user_id\" = $1 and \"purpose\" = 'undo'",
      "toParameters": (v) => [v.user_id]
    },
    "confirmations.undosOf": {
      "text": "select \"confirmations\".\"id\" as \"cf_id\", \"confirmations\".\"purpose\" as \"cf_purpose\", \"confirmations\".\"subject\" as \"cf_subject\", \"confirmations\".\"user_id\" as \"cf_user_id\", \"confirmations\".\"token_hash\" as \"cf_token_hash\", \"confirmations\".\"code_hash\" as \"cf_code_hash\", \"confirmations\".\"browser_hash\" as \"cf_browser_hash\", \"confirmations\".\"attempts\" as \"cf_attempts\", \"confirmations\".\"confirmed_at_ms\" as \"cf_confirmed_at_ms\", \"confirmations\".\"details\" as \"cf_details\", \"confirmations\".\"created_at_ms\" as \"cf_created_at_ms\", \"confirmations\".\"expires_at_ms\" as \"cf_expires_at_ms\", \"confirmations\".\"begun_by\" as \"cf_begun_by\", \"confirmations\".\"session_id\" as \"cf_session_id\", \"confirmations\".\"held_name\" as \"cf_held_name\", \"confirmations\".\"held_skeleton\" as \"cf_held_skeleton\" from \"confirmations\" where \"user_id\" = $1 and \"purpose\" = 'undo'",
      "toParameters": (v) => [v.user_id]
    },
    "deletions.confirmations": {
      "text": "delete from \"confirmations\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "deletions.due": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"deletion_due_at_ms\" <= $3 order by \"deletion_due_at_ms\" limit 100",
      "toParameters": (v) => ["\n", "role", v.now_ms]
    },
    "deletions.dueUser": {
      "text": "delete from \"users\" where \"id\" = $1 and \"deletion_due_at_ms\" <= $2",
      "toParameters": (v) => [v.id, v.now_ms]
    },
    "deletions.mails": {
      "text": "delete from \"mails\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "deletions.sessions": {
      "text": "delete from \"sessions\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "deletions.user": {
      "text": "delete from \"users\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "dependents.clientsWith": {
      "text": "select \"clients\".\"id\" from \"clients\" where replace(scopes, $1, '') <> scopes",
      "toParameters": (v) => [v.named]
    },
    "dependents.consents": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when (($1 = '' or client_id = $2) and ($3 = '' or replace(scopes, $4, '') <> scopes)) and true then 1 else 0 end as \"counted\" from \"authorizations\" where \"id\" > $5 order by \"id\" limit 2000) as \"w\"",
      "toParameters": (v) => [v.client_id, v.client_id, v.named, v.named, v.after]
    },
    "dependents.fewConsentsOf": {
      "text": "select count(*) as \"rows\" from (select \"id\" from \"authorizations\" where \"client_id\" = $1 limit 5000) as \"few\"",
      "toParameters": (v) => [v.id]
    },
    "dependents.fewGrantsOf": {
      "text": "select count(*) as \"rows\", sum(\"few\".\"counted\") as \"counted\" from (select case when (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > $1) then 1 else 0 end as \"counted\" from \"grants\" where \"client_id\" = $2 limit 5000) as \"few\"",
      "toParameters": (v) => [v.now_ms, v.id]
    },
    "dependents.grants": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when (($1 = '' or client_id = $2) and ($3 = '' or replace(scopes, $4, '') <> scopes)) and revoked_at_ms is null and refresh_expires_at_ms > $5 then 1 else 0 end as \"counted\" from \"grants\" where \"id\" > $6 order by \"id\" limit 2000) as \"w\"",
      "toParameters": (v) => [v.client_id, v.client_id, v.named, v.named, v.now_ms, v.after]
    },
    "dependents.namesOfHolders": {
      "text": "select \"name\" from \"users\" where \"id\" > $1 and \"id\" <= $2 and replace(roles, $3, '') <> roles limit 100",
      "toParameters": (v) => [v.after, v.last, v.named]
    },
    "dependents.ofUser": {
      "text": "select (select cast(count(*) as integer) as \"n\" from \"sessions\" where \"user_id\" = $1 and \"expires_at_ms\" > $2) as \"sessions\", (select cast(count(*) as integer) as \"n\" from \"grants\" where \"user_id\" = $3 and (\"revoked_at_ms\" is null and \"refresh_expires_at_ms\" > $4)) as \"grants\", (select cast(count(*) as integer) as \"n\" from \"authorizations\" where \"user_id\" = $5) as \"consents\", (select cast(count(*) as integer) as \"n\" from \"external_logins\" where \"user_id\" = $6) as \"external_logins\"",
      "toParameters": (v) => [v.id, v.now_ms, v.id, v.now_ms, v.id, v.id]
    },
    "dependents.people": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when replace(roles, $1, '') <> roles then 1 else 0 end as \"counted\" from \"users\" where \"id\" > $2 order by \"id\" limit 2000) as \"w\"",
      "toParameters": (v) => [v.named, v.after]
    },
    "device-codes.answerCode": {
      "text": "update \"device_codes\" set \"answer\" = $1, \"user_id\" = $2, \"authorization_id\" = $3, \"session_id\" = $4, \"authenticated_at_ms\" = $5, \"method\" = $6, \"answered_at_ms\" = $7 where \"id\" = $8 and \"answer\" is null and \"ends_at_ms\" > $9",
      "toParameters": (v) => [v.answer, v.user_id, v.authorization_id, v.session_id, v.authenticated_at_ms, v.method, v.answered_at_ms, v.id, v.now_ms]
    },
    "device-codes.byUserCode": {
      "text": "select \"device_codes\".\"id\" as \"d_id\", \"device_codes\".\"secret_hash\" as \"d_secret_hash\", \"device_codes\".\"user_code_hash\" as \"d_user_code_hash\", \"device_codes\".\"client_id\" as \"d_client_id\", \"device_codes\".\"scopes\" as \"d_scopes\", \"device_codes\".\"resources\" as \"d_resources\", \"device_codes\".\"created_at_ms\" as \"d_created_at_ms\", \"device_codes\".\"ends_at_ms\" as \"d_ends_at_ms\", \"device_codes\".\"expires_at_ms\" as \"d_expires_at_ms\", \"device_codes\".\"answer\" as \"d_answer\", \"device_codes\".\"user_id\" as \"d_user_id\", \"device_codes\".\"authorization_id\" as \"d_authorization_id\", \"device_codes\".\"session_id\" as \"d_session_id\", \"device_codes\".\"authenticated_at_ms\" as \"d_authenticated_at_ms\", \"device_codes\".\"method\" as \"d_method\", \"device_codes\".\"answered_at_ms\" as \"d_answered_at_ms\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"device_codes\" inner join \"clients\" on \"clients\".\"id\" = \"device_codes\".\"client_id\" and \"clients\".\"deleted\" = 0 left join \"scopes\" on \"scopes\".\"name\" = any(array(select jsonb_array_elements_text(cast(cast(\"device_codes\".\"scopes\" as text) as jsonb)))) where \"device_codes\".\"user_code_hash\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.hashes]
    },
    "device-codes.forPoll": {
      "text": "select \"device_codes\".\"id\" as \"d_id\", \"device_codes\".\"secret_hash\" as \"d_secret_hash\", \"device_codes\".\"user_code_hash\" as \"d_user_code_hash\", \"device_codes\".\"client_id\" as \"d_client_id\", \"device_codes\".\"scopes\" as \"d_scopes\", \"device_codes\".\"resources\" as \"d_resources\", \"device_codes\".\"created_at_ms\" as \"d_created_at_ms\", \"device_codes\".\"ends_at_ms\" as \"d_ends_at_ms\", \"device_codes\".\"expires_at_ms\" as \"d_expires_at_ms\", \"device_codes\".\"answer\" as \"d_answer\", \"device_codes\".\"user_id\" as \"d_user_id\", \"device_codes\".\"authorization_id\" as \"d_authorization_id\", \"device_codes\".\"session_id\" as \"d_session_id\", \"device_codes\".\"authenticated_at_ms\" as \"d_authenticated_at_ms\", \"device_codes\".\"method\" as \"d_method\", \"device_codes\".\"answered_at_ms\" as \"d_answered_at_ms\", \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"email\" as \"u_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"claims\" as \"u_claims\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", $3) as \"names\" from \"removals\" where \"removals\".\"kind\" = $4) as \"g_removed_scopes\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"device_codes\" on \"device_codes\".\"id\" = $5 left join \"clients\" on \"clients\".\"id\" = $6 and \"clients\".\"deleted\" = 0 left join \"users\" on \"users\".\"id\" = \"device_codes\".\"user_id\" left join \"grants\" on \"grants\".\"id\" = \"device_codes\".\"id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"device_codes\".\"authorization_id\"",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.id, v.client_id]
    },
    "device-codes.insertCode": {
      "text": "insert into \"device_codes\" (\"id\", \"secret_hash\", \"user_code_hash\", \"client_id\", \"scopes\", \"resources\", \"created_at_ms\", \"ends_at_ms\", \"expires_at_ms\", \"answer\", \"user_id\", \"authorization_id\", \"session_id\", \"authenticated_at_ms\", \"method\", \"answered_at_ms\") select $1 as \"id\", $2 as \"secret_hash\", $3 as \"user_code_hash\", $4 as \"client_id\", $5 as \"scopes\", $6 as \"resources\", $7 as \"created_at_ms\", $8 as \"ends_at_ms\", $9 as \"expires_at_ms\", $10 as \"answer\", $11 as \"user_id\", $12 as \"authorization_id\", $13 as \"session_id\", $14 as \"authenticated_at_ms\", $15 as \"method\", $16 as \"answered_at_ms\" where exists (select \"id\" from \"clients\" where \"id\" = $17 and \"deleted\" = 0) on conflict do nothing",
      "toParameters": (v) => [v.id, v.secret_hash, v.user_code_hash, v.client_id, v.scopes, v.resources, v.created_at_ms, v.ends_at_ms, v.expires_at_ms, v.answer, v.user_id, v.authorization_id, v.session_id, v.authenticated_at_ms, v.method, v.answered_at_ms, v.client_id]
    },
    "external-logins.holder": {
      "text": "select \"user_id\" from \"external_logins\" where \"provider\" = $1 and \"subject\" = $2",
      "toParameters": (v) => [v.provider, v.subject]
    },
    "external-logins.insert": {
      "text": "insert into \"external_logins\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") values ($1, $2, $3, $4) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms]
    },
    "external-logins.insertOnly": {
      "text": "insert into \"external_logins\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") select $1 as \"provider\", $2 as \"subject\", $3 as \"user_id\", $4 as \"created_at_ms\" where not exists (select \"others\".\"user_id\" from \"external_logins\" as \"others\" where \"others\".\"user_id\" = $5 and \"others\".\"provider\" = $6) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms, v.user_id, v.provider]
    },
    "external-logins.insertRegistration": {
      "text": "insert into \"external_registrations\" (\"provider\", \"subject\", \"user_id\", \"created_at_ms\") values ($1, $2, $3, $4) on conflict do nothing",
      "toParameters": (v) => [v.provider, v.subject, v.user_id, v.created_at_ms]
    },
    "external-logins.ofUser": {
      "text": "select \"provider\", \"subject\", \"user_id\", \"created_at_ms\" from \"external_logins\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "external-logins.registration": {
      "text": "select \"user_id\" from \"external_registrations\" where \"provider\" = $1 and \"subject\" = $2",
      "toParameters": (v) => [v.provider, v.subject]
    },
    "external-logins.registrationsOf": {
      "text": "select \"provider\", \"subject\", \"user_id\", \"created_at_ms\" from \"external_registrations\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "external-logins.remove": {
      "text": "delete from \"external_logins\" where \"user_id\" = $1 and \"provider\" = $2 and (exists (select \"id\" from \"users\" where \"id\" = $3 and \"password_hash\" is not null) or exists (select \"id\" from \"passkeys\" where \"passkeys\".\"user_id\" = $4) or exists (select \"others\".\"user_id\" from \"external_logins\" as \"others\" where \"others\".\"user_id\" = $5 and \"others\".\"provider\" != $6 and \"others\".\"provider\" = any(array(select jsonb_array_elements_text(cast(cast($7 as text) as jsonb))))))",
      "toParameters": (v) => [v.user_id, v.provider, v.user_id, v.user_id, v.user_id, v.provider, v.providers]
    },
    "external-logins.removeWithoutPasskeys": {
      "text": "delete from \"external_logins\" where \"user_id\" = $1 and \"provider\" = $2 and (exists (select \"id\" from \"users\" where \"id\" = $3 and \"password_hash\" is not null) or exists (select \"others\".\"user_id\" from \"external_logins\" as \"others\" where \"others\".\"user_id\" = $4 and \"others\".\"provider\" != $5 and \"others\".\"provider\" = any(array(select jsonb_array_elements_text(cast(cast($6 as text) as jsonb))))))",
      "toParameters": (v) => [v.user_id, v.provider, v.user_id, v.user_id, v.provider, v.providers]
    },
    "grants.forExchange": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"email\" as \"u_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"claims\" as \"u_claims\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", $3) as \"names\" from \"removals\" where \"removals\".\"kind\" = $4) as \"g_removed_scopes\", \"authorizations\".\"id\" as \"consent_id\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $5 and \"clients\".\"deleted\" = 0 left join \"users\" on \"users\".\"id\" = $6 left join \"grants\" on \"grants\".\"id\" = $7 left join \"authorizations\" on \"authorizations\".\"id\" = $8",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.client_id, v.user_id, v.grant_id, v.authorization_id]
    },
    "grants.forRefresh": {
      "text": "select \"clients\".\"id\" as \"c_id\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"email\" as \"u_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"claims\" as \"u_claims\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"grants\".\"id\" as \"g_id\", \"grants\".\"client_id\" as \"g_client_id\", \"grants\".\"user_id\" as \"g_user_id\", \"grants\".\"authorization_id\" as \"g_authorization_id\", \"grants\".\"scopes\" as \"g_scopes\", \"grants\".\"resources\" as \"g_resources\", \"grants\".\"authenticated_at_ms\" as \"g_authenticated_at_ms\", \"grants\".\"method\" as \"g_method\", \"grants\".\"nonce\" as \"g_nonce\", \"grants\".\"created_at_ms\" as \"g_created_at_ms\", \"grants\".\"revoked_at_ms\" as \"g_revoked_at_ms\", \"grants\".\"expires_at_ms\" as \"g_expires_at_ms\", \"grants\".\"generation\" as \"g_generation\", \"grants\".\"salt\" as \"g_salt\", \"grants\".\"derivation_key_id\" as \"g_derivation_key_id\", \"grants\".\"refresh_expires_at_ms\" as \"g_refresh_expires_at_ms\", \"grants\".\"rotated_at_ms\" as \"g_rotated_at_ms\", \"grants\".\"derived_from\" as \"g_derived_from\", \"grants\".\"session_id\" as \"g_session_id\", \"grants\".\"confirmation\" as \"g_confirmation\", \"grants\".\"claims\" as \"g_claims\", (select string_agg(\"removals\".\"name\", $3) as \"names\" from \"removals\" where \"removals\".\"kind\" = $4) as \"g_removed_scopes\", \"authorizations\".\"id\" as \"consent_id\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\" from (select 1 as one) as \"request\" left join \"clients\" on \"clients\".\"id\" = $5 and \"clients\".\"deleted\" = 0 left join \"grants\" on \"grants\".\"id\" = $6 left join \"users\" on \"users\".\"id\" = \"grants\".\"user_id\" left join \"authorizations\" on \"authorizations\".\"id\" = \"grants\".\"authorization_id\" left join \"sessions\" on \"sessions\".\"id\" = \"grants\".\"session_id\" and \"grants\".\"client_id\" = 'latchkey-console' and sessions.created_at_ms > coalesce(users.sessions_ended_at_ms, -1)",
      "toParameters": (v) => ["\n", "role", "\n", "scope", v.client_id, v.grant_id]
    },
    "grants.insertGrant": {
      "text": "insert into \"grants\" (\"id\", \"client_id\", \"user_id\", \"authorization_id\", \"scopes\", \"resources\", \"authenticated_at_ms\", \"method\", \"nonce\", \"created_at_ms\", \"revoked_at_ms\", \"expires_at_ms\", \"generation\", \"salt\", \"derivation_key_id\", \"refresh_expires_at_ms\", \"rotated_at_ms\", \"derived_from\", \"session_id\", \"confirmation\", \"claims\") select $1 as \"id\", $2 as \"client_id\", $3 as \"user_id\", $4 as \"authorization_id\", $5 as \"scopes\", $6 as \"resources\", $7 as \"authenticated_at_ms\", $8 as \"method\", $9 as \"nonce\", $10 as \"created_at_ms\", $11 as \"revoked_at_ms\", $12 as \"expires_at_ms\", $13 as \"generation\", $14 as \"salt\", $15 as \"derivation_key_id\", $16 as \"refresh_expires_at_ms\", $17 as \"rotated_at_ms\", $18 as \"derived_from\", $19 as \"session_id\", $20 as \"confirmation\", $21 as \"claims\" where (cast($22 as text) is null or exists (select \"id\" from \"authorizations\" where \"id\" = $23)) and exists (select \"id\" from \"users\" where \"id\" = $24) and exists (select \"id\" from \"clients\" where \"id\" = $25 and \"deleted\" = 0) on conflict do nothing",
      "toParameters": (v) => [v.id, v.client_id, v.user_id, v.authorization_id, v.scopes, v.resources, v.authenticated_at_ms, v.method, v.nonce, v.created_at_ms, v.revoked_at_ms, v.expires_at_ms, v.generation, v.salt, v.derivation_key_id, v.refresh_expires_at_ms, v.rotated_at_ms, v.derived_from, v.session_id, v.confirmation, v.claims, v.authorization_id, v.authorization_id, v.user_id, v.client_id]
    },
    "grants.revokeGrant": {
      "text": "update \"grants\" set \"revoked_at_ms\" = $1 where \"id\" = $2 and \"revoked_at_ms\" is null",
      "toParameters": (v) => [v.revoked_at_ms, v.id]
    },
    "grants.rotateChain": {
      "text": "update \"grants\" set \"generation\" = $1, \"salt\" = $2, \"derivation_key_id\" = $3, \"derived_from\" = $4, \"refresh_expires_at_ms\" = $5, \"rotated_at_ms\" = $6, \"expires_at_ms\" = $7 where \"id\" = $8 and \"generation\" = $9 and \"revoked_at_ms\" is null and exists (select \"clients\".\"id\" from \"clients\" where \"clients\".\"id\" = \"grants\".\"client_id\" and \"clients\".\"deleted\" = 0) and (\"authorization_id\" is null or exists (select \"authorizations\".\"id\" from \"authorizations\" where \"authorizations\".\"id\" = \"grants\".\"authorization_id\"))",
      "toParameters": (v) => [v.generation, v.salt, v.derivation_key_id, v.derived_from, v.refresh_expires_at_ms, v.rotated_at_ms, v.expires_at_ms, v.id, v.from_generation]
    },
    "held-roles.removed": {
      "text": "select \"name\" from \"removals\" where \"kind\" = 'role'",
      "toParameters": () => []
    },
    "idempotency.byId": {
      "text": "select \"id\", \"body_hash\", \"status\", \"answer\", \"expires_at_ms\" from \"idempotency_keys\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "idempotency.insertKey": {
      "text": "insert into \"idempotency_keys\" (\"id\", \"body_hash\", \"status\", \"answer\", \"expires_at_ms\") values ($1, $2, $3, $4, $5) on conflict (\"id\") do update set \"body_hash\" = $6, \"status\" = $7, \"answer\" = $8, \"expires_at_ms\" = $9 where \"idempotency_keys\".\"expires_at_ms\" <= $10",
      "toParameters": (v) => [v.id, v.body_hash, v.status, v.answer, v.expires_at_ms, v.body_hash, v.status, v.answer, v.expires_at_ms, v.now_ms]
    },
    "idempotency.putAnswer": {
      "text": "insert into \"idempotency_keys\" (\"id\", \"body_hash\", \"status\", \"answer\", \"expires_at_ms\") values ($1, $2, $3, $4, $5) on conflict (\"id\") do update set \"status\" = $6, \"answer\" = $7",
      "toParameters": (v) => [v.id, v.body_hash, v.status, v.answer, v.expires_at_ms, v.status, v.answer]
    },
    "imports.addFailure": {
      "text": "insert into \"import_failures\" (\"import_id\", \"record\", \"line\", \"reason\") values ($1, $2, $3, $4)",
      "toParameters": (v) => [v.import_id, v.record, v.line, v.reason]
    },
    "imports.begin": {
      "text": "insert into \"imports\" (\"id\", \"kind\", \"records_read\", \"counts\", \"started_at_ms\") values ($1, $2, $3, $4, $5) on conflict do nothing",
      "toParameters": (v) => [v.id, v.kind, v.records_read, v.counts, v.started_at_ms]
    },
    "imports.byId": {
      "text": "select \"id\", \"kind\", \"records_read\", \"counts\", \"started_at_ms\" from \"imports\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "imports.failuresOf": {
      "text": "select \"import_id\", \"record\", \"line\", \"reason\" from \"import_failures\" where \"import_id\" = $1 order by \"record\"",
      "toParameters": (v) => [v.id]
    },
    "imports.forget": {
      "text": "delete from \"imports\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "imports.forgetFailures": {
      "text": "delete from \"import_failures\" where \"import_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "imports.goOn": {
      "text": "update \"imports\" set \"records_read\" = $1, \"counts\" = $2 where \"id\" = $3 and \"started_at_ms\" = $4 and \"records_read\" = $5",
      "toParameters": (v) => [v.records_read, v.counts, v.id, v.started_at_ms, v.decided_on]
    },
    "imports.markOf": {
      "text": "select \"mark\" from \"imported_passwords\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "imports.storeMark": {
      "text": "insert into \"imported_passwords\" (\"user_id\", \"mark\") values ($1, $2) on conflict (\"user_id\") do update set \"mark\" = $3",
      "toParameters": (v) => [v.user_id, v.mark, v.mark]
    },
    "keys.all": {
      "text": "select \"keys\".\"id\" as \"k_id\", \"keys\".\"use\" as \"k_use\", \"keys\".\"algorithm\" as \"k_algorithm\", \"keys\".\"public_jwk\" as \"k_public_jwk\", \"keys\".\"wrapped\" as \"k_wrapped\", \"keys\".\"created_at_ms\" as \"k_created_at_ms\", \"keys\".\"active_at_ms\" as \"k_active_at_ms\", \"keys\".\"expires_at_ms\" as \"k_expires_at_ms\", \"keys\".\"first_of\" as \"k_first_of\", \"keys\".\"for_clients\" as \"k_for_clients\" from \"keys\" where \"wrapped\" <> $1 order by \"created_at_ms\", \"id\"",
      "toParameters": () => [""]
    },
    "keys.endKey": {
      "text": "update \"keys\" set \"expires_at_ms\" = $1 where \"id\" = $2 and \"expires_at_ms\" is not distinct from $3",
      "toParameters": (v) => [v.expires_at_ms, v.id, v.from_ms]
    },
    "keys.insertFirst": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\", \"for_clients\") select $1 as \"id\", $2 as \"use\", $3 as \"algorithm\", $4 as \"public_jwk\", $5 as \"wrapped\", $6 as \"created_at_ms\", $7 as \"active_at_ms\", $8 as \"expires_at_ms\", $9 as \"first_of\", $10 as \"for_clients\" where not exists (select \"id\" from \"keys\" where \"use\" = $11 and \"algorithm\" = $12 and \"wrapped\" <> $13) on conflict do nothing",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of, v.for_clients, v.use, v.algorithm, ""]
    },
    "keys.insertKey": {
      "text": "insert into \"keys\" (\"id\", \"use\", \"algorithm\", \"public_jwk\", \"wrapped\", \"created_at_ms\", \"active_at_ms\", \"expires_at_ms\", \"first_of\", \"for_clients\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
      "toParameters": (v) => [v.id, v.use, v.algorithm, v.public_jwk, v.wrapped, v.created_at_ms, v.active_at_ms, v.expires_at_ms, v.first_of, v.for_clients]
    },
    "keys.retired": {
      "text": "select \"id\", \"algorithm\", \"public_jwk\" from \"keys\" where \"id\" = $1 and \"use\" = $2",
      "toParameters": (v) => [v.id, "sign"]
    },
    "keys.useForSettings": {
      "text": "update \"keys\" set \"for_clients\" = $1 where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($2 as text) as jsonb))))",
      "toParameters": (v) => [null, v.ids]
    },
    "known-browsers.insert": {
      "text": "insert into \"known_browsers\" (\"id\", \"user_id\", \"created_at_ms\", \"last_used_at_ms\", \"expires_at_ms\", \"failed_attempts\", \"locked_until_ms\", \"user_agent\", \"second_factor_until_ms\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      "toParameters": (v) => [v.id, v.user_id, v.created_at_ms, v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms, v.user_agent, v.second_factor_until_ms]
    },
    "known-browsers.ofUser": {
      "text": "select \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\" from \"known_browsers\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "known-browsers.remember": {
      "text": "update \"known_browsers\" set \"second_factor_until_ms\" = $1 where \"id\" = $2",
      "toParameters": (v) => [v.second_factor_until_ms, v.id]
    },
    "known-browsers.removeAll": {
      "text": "delete from \"known_browsers\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "known-browsers.removeOne": {
      "text": "delete from \"known_browsers\" where \"id\" = $1 and \"user_id\" = $2",
      "toParameters": (v) => [v.id, v.user_id]
    },
    "known-browsers.removeSurplus": {
      "text": "delete from \"known_browsers\" where \"user_id\" = $1 and \"id\" not in (select \"id\" from \"known_browsers\" where \"user_id\" = $2 order by \"last_used_at_ms\" desc, \"id\" desc limit 20)",
      "toParameters": (v) => [v.user_id, v.user_id]
    },
    "known-browsers.update": {
      "text": "update \"known_browsers\" set \"last_used_at_ms\" = $1, \"expires_at_ms\" = $2, \"failed_attempts\" = $3, \"locked_until_ms\" = $4, \"user_agent\" = $5 where \"id\" = $6",
      "toParameters": (v) => [v.last_used_at_ms, v.expires_at_ms, v.failed_attempts, v.locked_until_ms, v.user_agent, v.id]
    },
    "last-factor.endRecoveryCodes": {
      "text": "update \"second_factors\" set \"recovery_hashes\" = '[]', \"recovery_since_ms\" = $1, \"version\" = \"version\" + $2 where \"user_id\" = $3 and \"totp_secret\" is null and \"recovery_hashes\" <> '[]' and not exists (select \"id\" from \"passkeys\" where \"passkeys\".\"user_id\" = $4)",
      "toParameters": (v) => [null, 1, v.user_id, v.user_id]
    },
    "last-factor.stopRemembering": {
      "text": "update \"known_browsers\" set \"second_factor_until_ms\" = $1 where \"user_id\" = $2 and \"second_factor_until_ms\" is not null",
      "toParameters": (v) => [null, v.user_id]
    },
    "last-factor.stopRememberingNone": {
      "text": "update \"known_browsers\" set \"second_factor_until_ms\" = $1 where \"user_id\" = $2 and \"second_factor_until_ms\" is not null and not exists (select \"second_factors\".\"user_id\" from \"second_factors\" where \"second_factors\".\"user_id\" = $3 and \"totp_secret\" is not null) and not exists (select \"id\" from \"passkeys\" where \"passkeys\".\"user_id\" = $4)",
      "toParameters": (v) => [null, v.user_id, v.user_id, v.user_id]
    },
    "leases.ofOthers": {
      "text": "select \"holder\" from \"leases\" where \"name\" = $1 and \"holder\" <> $2 and \"until_ms\" > cast(extract(epoch from clock_timestamp()) * 1000 as bigint)",
      "toParameters": (v) => [v.name, v.holder]
    },
    "leases.release": {
      "text": "delete from \"leases\" where \"name\" = $1 and \"holder\" = $2",
      "toParameters": (v) => [v.name, v.holder]
    },
    "leases.take": {
      "text": "insert into \"leases\" (\"name\", \"holder\", \"until_ms\") values ($1, $2, cast(extract(epoch from clock_timestamp()) * 1000 as bigint) + $3) on conflict (\"name\") do update set \"holder\" = $4, \"until_ms\" = cast(extract(epoch from clock_timestamp()) * 1000 as bigint) + $5 where (\"leases\".\"holder\" = $6 or \"leases\".\"until_ms\" <= cast(extract(epoch from clock_timestamp()) * 1000 as bigint))",
      "toParameters": (v) => [v.name, v.holder, v.for_ms, v.holder, v.for_ms, v.holder]
    },
    "logout-notices.claim": {
      "text": "update \"logout_notices\" set \"attempts\" = $1, \"due_at_ms\" = $2 where \"id\" = $3 and \"attempts\" = $4",
      "toParameters": (v) => [v.next_attempts, v.due_at_ms, v.id, v.attempts]
    },
    "logout-notices.due": {
      "text": "select \"logout_notices\".\"id\" as \"n_id\", \"logout_notices\".\"client_id\" as \"n_client_id\", \"logout_notices\".\"user_id\" as \"n_user_id\", \"logout_notices\".\"sid\" as \"n_sid\", \"logout_notices\".\"attempts\" as \"n_attempts\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"logout_notices\" left join \"clients\" on \"clients\".\"id\" = \"logout_notices\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"logout_notices\".\"due_at_ms\" <= $1 and not \"logout_notices\".\"client_id\" = any(array(select jsonb_array_elements_text(cast(cast($2 as text) as jsonb)))) order by \"logout_notices\".\"due_at_ms\", \"logout_notices\".\"id\" limit 64",
      "toParameters": (v) => [v.now_ms, v.except]
    },
    "logout-notices.postpone": {
      "text": "update \"logout_notices\" set \"attempts\" = $1, \"due_at_ms\" = $2 where \"client_id\" = $3 and \"attempts\" = $4 and \"due_at_ms\" <= $5",
      "toParameters": (v) => [v.next_attempts, v.due_at_ms, v.client_id, v.attempts, v.now_ms]
    },
    "logout-notices.remove": {
      "text": "delete from \"logout_notices\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "mails.byId": {
      "text": "select \"id\", \"recipient\", \"user_id\", \"purpose\", \"state\", \"attempts\", \"next_at_ms\", \"error\", \"created_at_ms\", \"ends_at_ms\" from \"mails\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "mails.claim": {
      "text": "update \"mails\" set \"attempts\" = $1, \"next_at_ms\" = $2 where \"id\" = $3 and \"attempts\" = $4 and \"state\" = $5",
      "toParameters": (v) => [v.next_attempts, v.next_at_ms, v.id, v.attempts, "queued"]
    },
    "mails.countQueued": {
      "text": "select cast(count(*) as integer) as \"n\" from \"mails\" where \"next_at_ms\" is not null",
      "toParameters": () => []
    },
    "mails.due": {
      "text": "select \"id\", \"recipient\", \"user_id\", \"purpose\", \"content\", \"attempts\", \"ends_at_ms\", \"gathered\" from \"mails\" where \"next_at_ms\" <= $1 order by \"next_at_ms\" limit 64",
      "toParameters": (v) => [v.now_ms]
    },
    "mails.fail": {
      "text": "update \"mails\" set \"state\" = $1, \"next_at_ms\" = $2, \"error\" = $3, \"content\" = case when ends_at_ms > $4 then content end where \"id\" = $5 and \"state\" = $6",
      "toParameters": (v) => ["failed", null, v.error, v.now_ms, v.id, "queued"]
    },
    "mails.finishSent": {
      "text": "update \"mails\" set \"state\" = $1, \"next_at_ms\" = $2, \"error\" = $3, \"content\" = $4 where \"id\" = $5 and \"state\" = $6",
      "toParameters": (v) => ["sent", null, null, null, v.id, "queued"]
    },
    "mails.newest": {
      "text": "select \"id\", \"recipient\", \"user_id\", \"purpose\", \"state\", \"attempts\", \"next_at_ms\", \"error\", \"created_at_ms\", \"ends_at_ms\" from \"mails\" order by \"id\" desc limit 1000",
      "toParameters": () => []
    },
    "mails.postpone": {
      "text": "update \"mails\" set \"next_at_ms\" = $1, \"error\" = $2 where \"id\" = $3 and \"state\" = $4",
      "toParameters": (v) => [v.next_at_ms, v.error, v.id, "queued"]
    },
    "mails.retry": {
      "text": "update \"mails\" set \"state\" = $1, \"attempts\" = 0, \"next_at_ms\" = $2, \"error\" = $3 where \"id\" = $4 and \"state\" = $5 and \"content\" is not null and \"ends_at_ms\" > $6",
      "toParameters": (v) => ["queued", v.now_ms, null, v.id, "failed", v.now_ms]
    },
    "passkeys.candidate": {
      "text": "select \"passkeys\".\"id\" as \"p_id\", \"passkeys\".\"user_id\" as \"p_user_id\", \"passkeys\".\"credential_id\" as \"p_credential_id\", \"passkeys\".\"public_key\" as \"p_public_key\", \"passkeys\".\"counter\" as \"p_counter\", \"passkeys\".\"name\" as \"p_name\", \"passkeys\".\"synced\" as \"p_synced\", \"passkeys\".\"attested\" as \"p_attested\", \"passkeys\".\"transports\" as \"p_transports\", \"passkeys\".\"created_at_ms\" as \"p_created_at_ms\", \"passkeys\".\"last_used_at_ms\" as \"p_last_used_at_ms\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"known_browsers\".\"id\" as \"k_id\", \"known_browsers\".\"user_id\" as \"k_user_id\", \"known_browsers\".\"created_at_ms\" as \"k_created_at_ms\", \"known_browsers\".\"last_used_at_ms\" as \"k_last_used_at_ms\", \"known_browsers\".\"expires_at_ms\" as \"k_expires_at_ms\", \"known_browsers\".\"failed_attempts\" as \"k_failed_attempts\", \"known_browsers\".\"locked_until_ms\" as \"k_locked_until_ms\", \"known_browsers\".\"user_agent\" as \"k_user_agent\", \"known_browsers\".\"second_factor_until_ms\" as \"k_second_factor_until_ms\" from \"passkeys\" inner join \"users\" on \"users\".\"id\" = \"passkeys\".\"user_id\" left join \"known_browsers\" on \"known_browsers\".\"user_id\" = \"users\".\"id\" and \"known_browsers\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($3 as text) as jsonb)))) where \"passkeys\".\"credential_id\" = $4",
      "toParameters": (v) => ["\n", "role", v.browsers, v.credential_id]
    },
    "passkeys.insert": {
      "text": "insert into \"passkeys\" (\"id\", \"user_id\", \"credential_id\", \"public_key\", \"counter\", \"name\", \"synced\", \"attested\", \"transports\", \"created_at_ms\", \"last_used_at_ms\") select $1 as \"id\", $2 as \"user_id\", $3 as \"credential_id\", $4 as \"public_key\", $5 as \"counter\", $6 as \"name\", $7 as \"synced\", $8 as \"attested\", $9 as \"transports\", $10 as \"created_at_ms\", $11 as \"last_used_at_ms\" where (select count(*) from passkeys where passkeys.user_id = $12) < 20 on conflict do nothing",
      "toParameters": (v) => [v.id, v.user_id, v.credential_id, v.public_key, v.counter, v.name, v.synced, v.attested, v.transports, v.created_at_ms, v.last_used_at_ms, v.user_id]
    },
    "passkeys.ofUser": {
      "text": "select \"passkeys\".\"id\" as \"p_id\", \"passkeys\".\"user_id\" as \"p_user_id\", \"passkeys\".\"credential_id\" as \"p_credential_id\", \"passkeys\".\"public_key\" as \"p_public_key\", \"passkeys\".\"counter\" as \"p_counter\", \"passkeys\".\"name\" as \"p_name\", \"passkeys\".\"synced\" as \"p_synced\", \"passkeys\".\"attested\" as \"p_attested\", \"passkeys\".\"transports\" as \"p_transports\", \"passkeys\".\"created_at_ms\" as \"p_created_at_ms\", \"passkeys\".\"last_used_at_ms\" as \"p_last_used_at_ms\" from \"passkeys\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "passkeys.remove": {
      "text": "delete from \"passkeys\" where \"id\" = $1 and \"user_id\" = $2 and (exists (select \"id\" from \"users\" where \"id\" = $3 and \"password_hash\" is not null) or exists (select \"user_id\" from \"external_logins\" where \"user_id\" = $4 and \"external_logins\".\"provider\" = any(array(select jsonb_array_elements_text(cast(cast($5 as text) as jsonb))))) or exists (select \"id\" from \"passkeys\" as \"others\" where \"others\".\"user_id\" = $6 and \"others\".\"id\" != $7))",
      "toParameters": (v) => [v.id, v.user_id, v.user_id, v.user_id, v.providers, v.user_id, v.id]
    },
    "passkeys.rename": {
      "text": "update \"passkeys\" set \"name\" = $1 where \"id\" = $2 and \"user_id\" = $3",
      "toParameters": (v) => [v.name, v.id, v.user_id]
    },
    "passkeys.use": {
      "text": "update \"passkeys\" set \"counter\" = $1, \"synced\" = $2, \"last_used_at_ms\" = $3 where \"id\" = $4 and \"counter\" = $5",
      "toParameters": (v) => [v.counter, v.synced, v.last_used_at_ms, v.id, v.decided_on]
    },
    "password-kinds.after": {
      "text": "select \"password_hash\" from \"users\" where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%' and \"password_hash\" collate \"C\" > $1 order by \"password_hash\" collate \"C\" limit 1",
      "toParameters": (v) => [v.after]
    },
    "password-kinds.count": {
      "text": "select count(*) as \"rows\" from (select \"users\".\"id\" from \"users\" where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%' and \"password_hash\" collate \"C\" >= $1 and \"password_hash\" collate \"C\" < $2 limit 10001) as \"some\"",
      "toParameters": (v) => [v.beginning, v.end]
    },
    "personal-data.clientNames": {
      "text": "select \"id\", \"name\" from \"clients\" where \"deleted\" = 0 and \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.ids]
    },
    "personal-data.confirmations": {
      "text": "select \"purpose\", \"created_at_ms\", \"expires_at_ms\" from \"confirmations\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "personal-data.grants": {
      "text": "select \"client_id\", \"scopes\", \"method\", \"created_at_ms\", \"expires_at_ms\", \"revoked_at_ms\" from \"grants\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "personal-data.mails": {
      "text": "select \"recipient\", \"purpose\", \"state\", \"created_at_ms\" from \"mails\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "places.free": {
      "text": "delete from \"spent_values\" where \"id\" = $1 and \"expires_at_ms\" = $2",
      "toParameters": (v) => [v.id, v.expires_at_ms]
    },
    "places.take": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values ($1, $2) on conflict (\"id\") do update set \"expires_at_ms\" = $3 where \"spent_values\".\"expires_at_ms\" <= $4",
      "toParameters": (v) => [v.id, v.expires_at_ms, v.expires_at_ms, v.now_ms]
    },
    "places.taken": {
      "text": "select \"id\" from \"spent_values\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" > $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "probe.takeBack": {
      "text": "delete from \"spent_values\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "probe.write": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values ($1, $2)",
      "toParameters": (v) => [v.id, 0]
    },
    "pushed-requests.byId": {
      "text": "select \"pushed_requests\".\"id\" as \"pr_id\", \"pushed_requests\".\"secret_hash\" as \"pr_secret_hash\", \"pushed_requests\".\"client_id\" as \"pr_client_id\", \"pushed_requests\".\"parameters\" as \"pr_parameters\", \"pushed_requests\".\"signed\" as \"pr_signed\", \"pushed_requests\".\"created_at_ms\" as \"pr_created_at_ms\", \"pushed_requests\".\"opens_until_ms\" as \"pr_opens_until_ms\", \"pushed_requests\".\"completed_at_ms\" as \"pr_completed_at_ms\", \"pushed_requests\".\"expires_at_ms\" as \"pr_expires_at_ms\" from \"pushed_requests\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "pushed-requests.complete": {
      "text": "update \"pushed_requests\" set \"completed_at_ms\" = $1 where \"id\" = $2 and \"completed_at_ms\" is null",
      "toParameters": (v) => [v.completed_at_ms, v.id]
    },
    "pushed-requests.insert": {
      "text": "insert into \"pushed_requests\" (\"id\", \"secret_hash\", \"client_id\", \"parameters\", \"signed\", \"created_at_ms\", \"opens_until_ms\", \"completed_at_ms\", \"expires_at_ms\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      "toParameters": (v) => [v.id, v.secret_hash, v.client_id, v.parameters, v.signed, v.created_at_ms, v.opens_until_ms, v.completed_at_ms, v.expires_at_ms]
    },
    "registrations.byId": {
      "text": "select \"client_registrations\".\"id\" as \"cr_id\", \"client_registrations\".\"client_id\" as \"cr_client_id\", \"client_registrations\".\"secret_hash\" as \"cr_secret_hash\", \"client_registrations\".\"created_at_ms\" as \"cr_created_at_ms\", \"client_registrations\".\"expires_at_ms\" as \"cr_expires_at_ms\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\" from \"client_registrations\" inner join \"clients\" on \"clients\".\"id\" = \"client_registrations\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"client_registrations\".\"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "registrations.insert": {
      "text": "insert into \"client_registrations\" (\"id\", \"client_id\", \"secret_hash\", \"created_at_ms\", \"expires_at_ms\") values ($1, $2, $3, $4, $5)",
      "toParameters": (v) => [v.id, v.client_id, v.secret_hash, v.created_at_ms, v.expires_at_ms]
    },
    "registrations.insertToken": {
      "text": "insert into \"registration_tokens\" (\"id\", \"secret_hash\", \"uses_left\", \"created_at_ms\", \"expires_at_ms\", \"permits\") values ($1, $2, $3, $4, $5, $6)",
      "toParameters": (v) => [v.id, v.secret_hash, v.uses_left, v.created_at_ms, v.expires_at_ms, v.permits]
    },
    "registrations.keep": {
      "text": "update \"client_registrations\" set \"expires_at_ms\" = $1 where \"client_id\" = $2 and \"expires_at_ms\" < $3",
      "toParameters": (v) => [v.expires_at_ms, v.client_id, v.expires_at_ms]
    },
    "registrations.remove": {
      "text": "delete from \"client_registrations\" where \"id\" = $1 and \"secret_hash\" = $2",
      "toParameters": (v) => [v.id, v.secret_hash]
    },
    "registrations.rotate": {
      "text": "update \"client_registrations\" set \"secret_hash\" = $1 where \"id\" = $2 and \"secret_hash\" = $3",
      "toParameters": (v) => [v.secret_hash, v.id, v.decided_on]
    },
    "registrations.tokenById": {
      "text": "select \"registration_tokens\".\"id\" as \"rt_id\", \"registration_tokens\".\"secret_hash\" as \"rt_secret_hash\", \"registration_tokens\".\"uses_left\" as \"rt_uses_left\", \"registration_tokens\".\"created_at_ms\" as \"rt_created_at_ms\", \"registration_tokens\".\"expires_at_ms\" as \"rt_expires_at_ms\", \"registration_tokens\".\"permits\" as \"rt_permits\" from \"registration_tokens\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "registrations.useToken": {
      "text": "update \"registration_tokens\" set \"uses_left\" = \"uses_left\" - $1 where \"id\" = $2 and \"uses_left\" > $3 and \"expires_at_ms\" > $4",
      "toParameters": (v) => [1, v.id, 0, v.now_ms]
    },
    "removals.all": {
      "text": "select \"kind\", \"name\", \"at_ms\", \"part\", \"after_id\" from \"removals\"",
      "toParameters": () => []
    },
    "removals.consentsOfClient": {
      "text": "delete from \"authorizations\" where \"id\" in (select \"id\" from \"authorizations\" where \"client_id\" = $1 limit 1000)",
      "toParameters": (v) => [v.client_id]
    },
    "removals.end": {
      "text": "delete from \"removals\" where \"kind\" = $1 and \"name\" = $2",
      "toParameters": (v) => [v.kind, v.name]
    },
    "removals.fromConsents": {
      "text": "update \"authorizations\" set \"scopes\" = replace(replace(replace(\"scopes\", $1, ''), $2, ''), $3, ''), \"scope_set\" = id where \"id\" > $4 and \"id\" <= $5 and replace(\"scopes\", $6, '') <> \"scopes\"",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.after, v.last, v.named]
    },
    "removals.fromGrants": {
      "text": "update \"grants\" set \"scopes\" = replace(replace(replace(\"scopes\", $1, ''), $2, ''), $3, '') where \"id\" > $4 and \"id\" <= $5 and replace(\"scopes\", $6, '') <> \"scopes\"",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.after, v.last, v.named]
    },
    "removals.fromUsers": {
      "text": "update \"users\" set \"roles\" = replace(replace(replace(\"roles\", $1, ''), $2, ''), $3, ''), \"updated_at_ms\" = $4, \"version\" = version + 1 where \"id\" > $5 and \"id\" <= $6 and replace(\"roles\", $7, '') <> \"roles\"",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.now_ms, v.after, v.last, v.named]
    },
    "removals.grantsOfClient": {
      "text": "delete from \"grants\" where \"id\" in (select \"id\" from \"grants\" where \"client_id\" = $1 limit 1000)",
      "toParameters": (v) => [v.client_id]
    },
    "removals.insert": {
      "text": "insert into \"removals\" (\"kind\", \"name\", \"at_ms\", \"part\", \"after_id\") values ($1, $2, $3, $4, $5) on conflict do nothing",
      "toParameters": (v) => [v.kind, v.name, v.at_ms, v.part, v.after_id]
    },
    "removals.keysOfRole": {
      "text": "delete from \"user_search_keys\" where \"key\" = $1 and \"user_id\" > $2 and \"user_id\" <= $3",
      "toParameters": (v) => [v.key, v.after, v.last]
    },
    "removals.lastConsent": {
      "text": "select count(*) as \"rows\", max(\"w\".\"id\") as \"last\" from (select \"id\" from \"authorizations\" where \"id\" > $1 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after]
    },
    "removals.lastGrant": {
      "text": "select count(*) as \"rows\", max(\"w\".\"id\") as \"last\" from (select \"id\" from \"grants\" where \"id\" > $1 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after]
    },
    "removals.lastUser": {
      "text": "select count(*) as \"rows\", max(\"w\".\"id\") as \"last\" from (select \"id\" from \"users\" where \"id\" > $1 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after]
    },
    "removals.markedClient": {
      "text": "delete from \"clients\" where \"id\" = $1 and \"deleted\" = 1",
      "toParameters": (v) => [v.id]
    },
    "removals.move": {
      "text": "update \"removals\" set \"part\" = $1, \"after_id\" = $2 where \"kind\" = $3 and \"name\" = $4",
      "toParameters": (v) => [v.part, v.after_id, v.kind, v.name]
    },
    "removals.one": {
      "text": "select \"kind\", \"name\", \"at_ms\", \"part\", \"after_id\" from \"removals\" where \"kind\" = $1 and \"name\" = $2",
      "toParameters": (v) => [v.kind, v.name]
    },
    "roles.all": {
      "text": "select \"name\", \"description\", \"created_at_ms\" from \"roles\"",
      "toParameters": () => []
    },
    "roles.byName": {
      "text": "select \"name\", \"description\", \"created_at_ms\" from \"roles\" where \"name\" = $1",
      "toParameters": (v) => [v.name]
    },
    "roles.deleteRole": {
      "text": "delete from \"roles\" where \"name\" = $1",
      "toParameters": (v) => [v.name]
    },
    "roles.insertRole": {
      "text": "insert into \"roles\" (\"name\", \"description\", \"created_at_ms\") select $1 as \"name\", $2 as \"description\", $3 as \"created_at_ms\" where not exists (select 1 from removals where removals.kind = 'role' and removals.name = $4) on conflict do nothing",
      "toParameters": (v) => [v.name, v.description, v.created_at_ms, v.name]
    },
    "roles.setDescription": {
      "text": "update \"roles\" set \"description\" = $1 where \"name\" = $2 and \"description\" is not distinct from $3 and \"created_at_ms\" = $4",
      "toParameters": (v) => [v.description, v.name, v.was_description, v.was_created_at_ms]
    },
    "roles.takeFromUsers": {
      "text": "update \"users\" set \"roles\" = replace(replace(replace(roles, $1, ''), $2, ''), $3, ''), \"updated_at_ms\" = $4, \"version\" = version + 1 where replace(roles, $5, '') <> roles",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.now_ms, v.named]
    },
    "scopes.all": {
      "text": "select \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"scopes\"",
      "toParameters": () => []
    },
    "scopes.byNames": {
      "text": "select \"scopes\".\"name\" as \"sc_name\", \"scopes\".\"display_name\" as \"sc_display_name\", \"scopes\".\"description\" as \"sc_description\", \"scopes\".\"resources\" as \"sc_resources\", \"scopes\".\"created_at_ms\" as \"sc_created_at_ms\" from \"scopes\" where \"name\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.names]
    },
    "scopes.deleteAs": {
      "text": "delete from \"scopes\" where \"name\" = $1 and \"display_name\" is not distinct from $2 and \"description\" is not distinct from $3 and \"resources\" = $4",
      "toParameters": (v) => [v.name, v.display_name, v.description, v.resources]
    },
    "scopes.deleteScope": {
      "text": "delete from \"scopes\" where \"name\" = $1",
      "toParameters": (v) => [v.name]
    },
    "scopes.insertScope": {
      "text": "insert into \"scopes\" (\"name\", \"display_name\", \"description\", \"resources\", \"created_at_ms\") select $1 as \"name\", $2 as \"display_name\", $3 as \"description\", $4 as \"resources\", $5 as \"created_at_ms\" where not exists (select 1 from removals where removals.kind = 'scope' and removals.name = $6) on conflict do nothing",
      "toParameters": (v) => [v.name, v.display_name, v.description, v.resources, v.created_at_ms, v.name]
    },
    "scopes.takeFromClients": {
      "text": "update \"clients\" set \"scopes\" = replace(replace(replace(scopes, $1, ''), $2, ''), $3, ''), \"version\" = version + 1 where replace(scopes, $4, '') <> scopes",
      "toParameters": (v) => [v.followed, v.preceded, v.named, v.named]
    },
    "scopes.updateScope": {
      "text": "update \"scopes\" set \"display_name\" = $1, \"description\" = $2, \"resources\" = $3 where \"name\" = $4 and \"display_name\" is not distinct from $5 and \"description\" is not distinct from $6 and \"resources\" = $7 and \"created_at_ms\" = $8",
      "toParameters": (v) => [v.display_name, v.description, v.resources, v.name, v.was_display_name, v.was_description, v.was_resources, v.was_created_at_ms]
    },
    "second-factors.insert": {
      "text": "insert into \"second_factors\" (\"user_id\", \"totp_secret\", \"totp_since_ms\", \"totp_last_step\", \"pending_secret\", \"pending_until_ms\", \"recovery_hashes\", \"recovery_since_ms\", \"mail_code\", \"mail_barred\", \"failed_attempts\", \"paused_until_ms\", \"wrong_codes\", \"version\") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing",
      "toParameters": (v) => [v.user_id, v.totp_secret, v.totp_since_ms, v.totp_last_step, v.pending_secret, v.pending_until_ms, v.recovery_hashes, v.recovery_since_ms, v.mail_code, v.mail_barred, v.failed_attempts, v.paused_until_ms, v.wrong_codes, v.version]
    },
    "second-factors.touchUser": {
      "text": "update \"users\" set \"version\" = \"version\" + $1 where \"id\" = $2 and \"version\" = $3",
      "toParameters": (v) => [1, v.id, v.decided_on]
    },
    "second-factors.update": {
      "text": "update \"second_factors\" set \"user_id\" = $1, \"totp_secret\" = $2, \"totp_since_ms\" = $3, \"totp_last_step\" = $4, \"pending_secret\" = $5, \"pending_until_ms\" = $6, \"recovery_hashes\" = $7, \"recovery_since_ms\" = $8, \"mail_code\" = $9, \"mail_barred\" = $10, \"failed_attempts\" = $11, \"paused_until_ms\" = $12, \"wrong_codes\" = $13, \"version\" = $14 where \"user_id\" = $15 and \"version\" = $16",
      "toParameters": (v) => [v.user_id, v.totp_secret, v.totp_since_ms, v.totp_last_step, v.pending_secret, v.pending_until_ms, v.recovery_hashes, v.recovery_since_ms, v.mail_code, v.mail_barred, v.failed_attempts, v.paused_until_ms, v.wrong_codes, v.version, v.user_id, v.decided_on]
    },
    "servers.all": {
      "text": "select \"id\", \"host\", \"pid\", \"started_at_ms\", \"seen_at_ms\" from \"servers\" order by \"started_at_ms\", \"id\"",
      "toParameters": () => []
    },
    "servers.insertMark": {
      "text": "insert into \"moves\" (\"name\", \"moved_to\", \"at_ms\", \"settled\") values ($1, $2, $3, $4) on conflict do nothing",
      "toParameters": (v) => [v.name, v.moved_to, v.at_ms, 0]
    },
    "servers.marks": {
      "text": "select \"name\", \"moved_to\", \"at_ms\", \"settled\" from \"moves\"",
      "toParameters": () => []
    },
    "servers.remove": {
      "text": "delete from \"servers\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "servers.removeArrival": {
      "text": "delete from \"moves\" where \"name\" = $1 and \"moved_to\" = $2 and \"at_ms\" = $3",
      "toParameters": (v) => ["arriving", v.moved_to, v.at_ms]
    },
    "servers.removeBefore": {
      "text": "delete from \"servers\" where \"seen_at_ms\" < $1",
      "toParameters": (v) => [v.seen_at_ms]
    },
    "servers.removeMark": {
      "text": "delete from \"moves\" where \"name\" = $1",
      "toParameters": (v) => [v.name]
    },
    "servers.settleMove": {
      "text": "update \"moves\" set \"settled\" = $1 where \"name\" = $2",
      "toParameters": () => [1, "moved"]
    },
    "servers.upsert": {
      "text": "insert into \"servers\" (\"id\", \"host\", \"pid\", \"started_at_ms\", \"seen_at_ms\") values ($1, $2, $3, $4, $5) on conflict (\"id\") do update set \"seen_at_ms\" = $6",
      "toParameters": (v) => [v.id, v.host, v.pid, v.started_at_ms, v.seen_at_ms, v.seen_at_ms]
    },
    "session-clients.dropOfClient": {
      "text": "delete from \"logout_notices\" where \"client_id\" = $1",
      "toParameters": (v) => [v.client_id]
    },
    "session-clients.forgetExpired": {
      "text": "delete from \"session_clients\" where \"session_id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and exists (select \"sessions\".\"id\" from \"sessions\" where \"sessions\".\"id\" = \"session_clients\".\"session_id\" and \"sessions\".\"expires_at_ms\" <= $2)",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "session-clients.forgetOfClient": {
      "text": "delete from \"session_clients\" where \"client_id\" = $1 and \"session_id\" in (select \"session_id\" from \"session_clients\" where \"client_id\" = $2 limit 1000)",
      "toParameters": (v) => [v.client_id, v.client_id]
    },
    "session-clients.forgetOfSessions": {
      "text": "delete from \"session_clients\" where \"session_id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and not exists (select 1 from sessions where sessions.id = session_clients.session_id)",
      "toParameters": (v) => [v.ids]
    },
    "session-clients.forgetOfUser": {
      "text": "delete from \"session_clients\" where \"user_id\" = $1 and not exists (select 1 from sessions where sessions.id = session_clients.session_id)",
      "toParameters": (v) => [v.user_id]
    },
    "session-clients.join": {
      "text": "insert into \"session_clients\" (\"session_id\", \"client_id\", \"sid\", \"user_id\") select $1 as \"session_id\", $2 as \"client_id\", $3 as \"sid\", \"sessions\".\"user_id\" from \"sessions\" where \"sessions\".\"id\" = $4 and (select count(*) from session_clients where session_clients.session_id = $5) < 200 for share on conflict do nothing",
      "toParameters": (v) => [v.session_id, v.client_id, v.sid, v.session_id, v.session_id]
    },
    "session-clients.move": {
      "text": "update \"session_clients\" set \"session_id\" = $1 where \"session_id\" = $2",
      "toParameters": (v) => [v.next_id, v.session_id]
    },
    "session-clients.queueOfSessions": {
      "text": "insert into \"logout_notices\" (\"id\", \"client_id\", \"user_id\", \"sid\", \"attempts\", \"due_at_ms\") select session_clients.sid || '.' || session_clients.client_id as \"id\", \"session_clients\".\"client_id\", \"session_clients\".\"user_id\", \"session_clients\".\"sid\", 0 as \"attempts\", 0 as \"due_at_ms\" from \"session_clients\" inner join \"clients\" on \"clients\".\"id\" = \"session_clients\".\"client_id\" where \"clients\".\"metadata\" like '%\"backchannel_logout_uri\":\"%' and not exists (select 1 from sessions where sessions.id = session_clients.session_id) and \"session_clients\".\"session_id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) on conflict do nothing",
      "toParameters": (v) => [v.ids]
    },
    "session-clients.queueOfUser": {
      "text": "insert into \"logout_notices\" (\"id\", \"client_id\", \"user_id\", \"sid\", \"attempts\", \"due_at_ms\") select session_clients.sid || '.' || session_clients.client_id as \"id\", \"session_clients\".\"client_id\", \"session_clients\".\"user_id\", \"session_clients\".\"sid\", 0 as \"attempts\", 0 as \"due_at_ms\" from \"session_clients\" inner join \"clients\" on \"clients\".\"id\" = \"session_clients\".\"client_id\" where \"clients\".\"metadata\" like '%\"backchannel_logout_uri\":\"%' and not exists (select 1 from sessions where sessions.id = session_clients.session_id) and \"session_clients\".\"user_id\" = $1 on conflict do nothing",
      "toParameters": (v) => [v.user_id]
    },
    "session-clients.tellLate": {
      "text": "insert into \"logout_notices\" (\"id\", \"client_id\", \"user_id\", \"sid\", \"attempts\", \"due_at_ms\") select $1 as \"id\", $2 as \"client_id\", $3 as \"user_id\", $4 as \"sid\", 0 as \"attempts\", 0 as \"due_at_ms\" from \"clients\" where \"clients\".\"id\" = $5 and \"clients\".\"metadata\" like '%\"backchannel_logout_uri\":\"%' and not exists (select \"id\" from \"sessions\" where \"id\" = $6) on conflict do nothing",
      "toParameters": (v) => [v.id, v.client_id, v.user_id, v.sid, v.client_id, v.session_id]
    },
    "sessions.deleteOthers": {
      "text": "delete from \"sessions\" where \"user_id\" = $1 and \"id\" <> $2",
      "toParameters": (v) => [v.user_id, v.kept_id]
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
    "sessions.ofUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\" from \"sessions\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "sessions.removeSurplus": {
      "text": "delete from \"sessions\" where \"user_id\" = $1 and \"id\" not in (select \"id\" from \"sessions\" where \"user_id\" = $2 order by \"last_seen_at_ms\" desc, \"id\" desc limit 99)",
      "toParameters": (v) => [v.user_id, v.user_id]
    },
    "sessions.renewSession": {
      "text": "update \"sessions\" set \"expires_at_ms\" = $1, \"last_seen_at_ms\" = $2 where \"id\" = $3",
      "toParameters": (v) => [v.expires_at_ms, v.last_seen_at_ms, v.id]
    },
    "sessions.withClients": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\", \"clients\".\"id\" as \"c_id\", \"clients\".\"name\" as \"c_name\", \"clients\".\"type\" as \"c_type\", \"clients\".\"secret_hash\" as \"c_secret_hash\", \"clients\".\"consent\" as \"c_consent\", \"clients\".\"require_pkce\" as \"c_require_pkce\", \"clients\".\"redirect_uris\" as \"c_redirect_uris\", \"clients\".\"post_logout_redirect_uris\" as \"c_post_logout_redirect_uris\", \"clients\".\"scopes\" as \"c_scopes\", \"clients\".\"created_at_ms\" as \"c_created_at_ms\", \"clients\".\"previous_secret_hash\" as \"c_previous_secret_hash\", \"clients\".\"previous_secret_ends_at_ms\" as \"c_previous_secret_ends_at_ms\", \"clients\".\"grant_types\" as \"c_grant_types\", \"clients\".\"metadata\" as \"c_metadata\", \"clients\".\"version\" as \"c_version\", \"session_clients\".\"sid\" as \"sid\" from \"sessions\" inner join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" left join \"session_clients\" on \"session_clients\".\"session_id\" = \"sessions\".\"id\" left join \"clients\" on \"clients\".\"id\" = \"session_clients\".\"client_id\" and \"clients\".\"deleted\" = 0 where \"sessions\".\"id\" = $3",
      "toParameters": (v) => ["\n", "role", v.id]
    },
    "sessions.withUser": {
      "text": "select \"sessions\".\"id\" as \"s_id\", \"sessions\".\"secret_hash\" as \"s_secret_hash\", \"sessions\".\"user_id\" as \"s_user_id\", \"sessions\".\"authenticated_at_ms\" as \"s_authenticated_at_ms\", \"sessions\".\"method\" as \"s_method\", \"sessions\".\"persistent\" as \"s_persistent\", \"sessions\".\"created_at_ms\" as \"s_created_at_ms\", \"sessions\".\"expires_at_ms\" as \"s_expires_at_ms\", \"sessions\".\"last_seen_at_ms\" as \"s_last_seen_at_ms\", \"sessions\".\"client_address\" as \"s_client_address\", \"sessions\".\"user_agent\" as \"s_user_agent\", \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"sessions\" inner join \"users\" on \"users\".\"id\" = \"sessions\".\"user_id\" where \"sessions\".\"id\" = $3",
      "toParameters": (v) => ["\n", "role", v.id]
    },
    "sign-in-ways.lock": {
      "text": "update \"users\" set \"version\" = \"users\".\"version\" where \"id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "sign-in-ways.lockUnended": {
      "text": "update \"users\" set \"version\" = \"users\".\"version\" where \"id\" = $1 and coalesce(sessions_ended_at_ms, -1) = $2",
      "toParameters": (v) => [v.id, v.ended_ms]
    },
    "spent-values.insertSpent": {
      "text": "insert into \"spent_values\" (\"id\", \"expires_at_ms\") values ($1, $2) on conflict do nothing",
      "toParameters": (v) => [v.id, v.expires_at_ms]
    },
    "statistics.add": {
      "text": "insert into \"activity_hours\" (\"hour_ms\", \"sign_in\", \"sign_in_failed\", \"tokens_issued\", \"refusal\", \"error\") values ($1, $2, $3, $4, $5, $6) on conflict (\"hour_ms\") do update set \"sign_in\" = \"activity_hours\".\"sign_in\" + \"excluded\".\"sign_in\", \"sign_in_failed\" = \"activity_hours\".\"sign_in_failed\" + \"excluded\".\"sign_in_failed\", \"tokens_issued\" = \"activity_hours\".\"tokens_issued\" + \"excluded\".\"tokens_issued\", \"refusal\" = \"activity_hours\".\"refusal\" + \"excluded\".\"refusal\", \"error\" = \"activity_hours\".\"error\" + \"excluded\".\"error\"",
      "toParameters": (v) => [v.hour_ms, v.sign_in, v.sign_in_failed, v.tokens_issued, v.refusal, v.error]
    },
    "statistics.byDay": {
      "text": "select hour_ms - hour_ms % 86400000 as \"starts_at_ms\", cast(sum(\"sign_in\") as bigint) as \"sign_in\", cast(sum(\"sign_in_failed\") as bigint) as \"sign_in_failed\", cast(sum(\"tokens_issued\") as bigint) as \"tokens_issued\", cast(sum(\"refusal\") as bigint) as \"refusal\", cast(sum(\"error\") as bigint) as \"error\" from \"activity_hours\" where \"hour_ms\" >= $1 and \"hour_ms\" < $2 group by hour_ms - hour_ms % 86400000 order by \"starts_at_ms\"",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "statistics.byHour": {
      "text": "select hour_ms - hour_ms % 3600000 as \"starts_at_ms\", cast(sum(\"sign_in\") as bigint) as \"sign_in\", cast(sum(\"sign_in_failed\") as bigint) as \"sign_in_failed\", cast(sum(\"tokens_issued\") as bigint) as \"tokens_issued\", cast(sum(\"refusal\") as bigint) as \"refusal\", cast(sum(\"error\") as bigint) as \"error\" from \"activity_hours\" where \"hour_ms\" >= $1 and \"hour_ms\" < $2 group by hour_ms - hour_ms % 3600000 order by \"starts_at_ms\"",
      "toParameters": (v) => [v.from_ms, v.before_ms]
    },
    "statistics.clients": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when deleted = 0 then 1 else 0 end as \"counted\" from \"clients\" where \"id\" > $1 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after]
    },
    "statistics.grants": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when expires_at_ms > $1 and revoked_at_ms is null then 1 else 0 end as \"counted\" from \"grants\" where \"id\" > $2 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.now_ms, v.after]
    },
    "statistics.people": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when true then 1 else 0 end as \"counted\" from \"users\" where \"id\" > $1 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.after]
    },
    "statistics.sessions": {
      "text": "select count(*) as \"rows\", sum(\"w\".\"counted\") as \"counted\", max(\"w\".\"id\") as \"last\" from (select \"id\", case when expires_at_ms > $1 then 1 else 0 end as \"counted\" from \"sessions\" where \"id\" > $2 order by \"id\" limit 1000) as \"w\"",
      "toParameters": (v) => [v.now_ms, v.after]
    },
    "sweep-secrets.remove": {
      "text": "delete from \"keys\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"use\" = $2",
      "toParameters": (v) => [v.ids, "refresh"]
    },
    "sweep-secrets.replaced": {
      "text": "select \"old\".\"id\" from \"keys\" as \"old\" where \"old\".\"use\" = $1 and exists (select \"successor\".\"id\" from \"keys\" as \"successor\" where \"successor\".\"use\" = $2 and \"successor\".\"expires_at_ms\" is null and \"successor\".\"active_at_ms\" <= $3 and \"successor\".\"active_at_ms\" > \"old\".\"active_at_ms\")",
      "toParameters": (v) => ["refresh", "refresh", v.settled_ms]
    },
    "sweep.remove.client_registrations": {
      "text": "delete from \"client_registrations\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.confirmations": {
      "text": "delete from \"confirmations\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.device_codes": {
      "text": "delete from \"device_codes\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.grants": {
      "text": "delete from \"grants\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.idempotency_keys": {
      "text": "delete from \"idempotency_keys\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.import_failures": {
      "text": "delete from \"import_failures\" where (\"import_id\", \"record\") in (select \"import_failures\".\"import_id\", \"import_failures\".\"record\" from \"imports\" inner join \"import_failures\" on \"import_failures\".\"import_id\" = \"imports\".\"id\" where \"started_at_ms\" <= $1 limit $2)",
      "toParameters": (v) => [v.began_ms, v.rows]
    },
    "sweep.remove.imports": {
      "text": "delete from \"imports\" where \"started_at_ms\" <= $1 and \"id\" not in (select \"import_id\" from \"import_failures\")",
      "toParameters": (v) => [v.began_ms]
    },
    "sweep.remove.known_browsers": {
      "text": "delete from \"known_browsers\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.mails": {
      "text": "delete from \"mails\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.pushed_requests": {
      "text": "delete from \"pushed_requests\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.remove.registration_tokens": {
      "text": "delete from \"registration_tokens\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
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
    "sweep.remove.unused_clients": {
      "text": "delete from \"clients\" where \"consent\" = $1 and \"id\" in (select \"client_id\" from \"client_registrations\" where \"client_registrations\".\"id\" = any(array(select jsonb_array_elements_text(cast(cast($2 as text) as jsonb)))) and \"expires_at_ms\" <= $3)",
      "toParameters": (v) => ["explicit", v.ids, v.now_ms]
    },
    "sweep.remove.uptimes": {
      "text": "delete from \"uptimes\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"expires_at_ms\" <= $2",
      "toParameters": (v) => [v.ids, v.now_ms]
    },
    "sweep.removeActivity": {
      "text": "delete from \"activity_hours\" where \"hour_ms\" < $1",
      "toParameters": (v) => [v.before_ms]
    },
    "sweep.removeKeys": {
      "text": "delete from \"keys\" where \"id\" in (select \"id\" from \"keys\" where \"expires_at_ms\" <= $1 and (\"use\" <> $2 or \"expires_at_ms\" <= $3) limit $4)",
      "toParameters": (v) => [v.now_ms, "sign", v.kept_since_ms, v.rows]
    },
    "sweep.removePrivateHalves": {
      "text": "update \"keys\" set \"wrapped\" = $1, \"first_of\" = $2 where \"use\" = $3 and \"expires_at_ms\" <= $4 and \"wrapped\" <> $5",
      "toParameters": (v) => ["", null, "sign", v.now_ms, ""]
    },
    "sweep.window.client_registrations": {
      "text": "select \"id\", \"expires_at_ms\" from \"client_registrations\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.confirmations": {
      "text": "select \"id\", \"expires_at_ms\" from \"confirmations\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.device_codes": {
      "text": "select \"id\", \"expires_at_ms\" from \"device_codes\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.grants": {
      "text": "select \"id\", \"expires_at_ms\", \"derivation_key_id\" from \"grants\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.idempotency_keys": {
      "text": "select \"id\", \"expires_at_ms\" from \"idempotency_keys\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.known_browsers": {
      "text": "select \"id\", \"expires_at_ms\" from \"known_browsers\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.mails": {
      "text": "select \"id\", \"expires_at_ms\" from \"mails\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.pushed_requests": {
      "text": "select \"id\", \"expires_at_ms\" from \"pushed_requests\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.registration_tokens": {
      "text": "select \"id\", \"expires_at_ms\" from \"registration_tokens\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.revoked_access_tokens": {
      "text": "select \"jti\" as \"id\", \"expires_at_ms\" from \"revoked_access_tokens\" where \"jti\" > $1 order by \"jti\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "sweep.window.session_clients": {
      "text": "select \"session_clients\".\"session_id\" as \"id\", max(case when sessions.id is null then 0 else 9007199254740991 end) as \"expires_at_ms\" from \"session_clients\" left join \"sessions\" on \"sessions\".\"id\" = \"session_clients\".\"session_id\" where \"session_clients\".\"session_id\" > $1 group by \"session_clients\".\"session_id\" order by \"session_clients\".\"session_id\" limit $2",
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
    "sweep.window.uptimes": {
      "text": "select \"id\", \"expires_at_ms\" from \"uptimes\" where \"id\" > $1 order by \"id\" limit $2",
      "toParameters": (v) => [v.after, v.rows]
    },
    "uptimes.lasting": {
      "text": "select \"uptimes\".\"id\" as \"t_id\", \"uptimes\".\"from_ms\" as \"t_from_ms\", \"uptimes\".\"through_ms\" as \"t_through_ms\", \"uptimes\".\"expires_at_ms\" as \"t_expires_at_ms\" from \"uptimes\" where \"through_ms\" > $1",
      "toParameters": (v) => [v.after_ms]
    },
    "uptimes.store": {
      "text": "insert into \"uptimes\" (\"id\", \"from_ms\", \"through_ms\", \"expires_at_ms\") values ($1, $2, $3, $4) on conflict (\"id\") do update set \"through_ms\" = $5, \"expires_at_ms\" = $6",
      "toParameters": (v) => [v.id, v.from_ms, v.through_ms, v.expires_at_ms, v.through_ms, v.expires_at_ms]
    },
    "user-ends.deleteConfirmations": {
      "text": "delete from \"confirmations\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "user-ends.deletePending": {
      "text": "delete from \"confirmations\" where \"user_id\" = $1 and \"purpose\" in ('email', 'reset', 'signin')",
      "toParameters": (v) => [v.id]
    },
    "user-ends.deleteSessions": {
      "text": "delete from \"sessions\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    },
    "user-names.holders": {
      "text": "select (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $1 and \"other\".\"normalized_name\" = $2) as \"same_name\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $3 and \"other\".\"normalized_email\" = $4) as \"same_email\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $5 and \"other\".\"normalized_email\" = $6) as \"email_as_name\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $7 and \"other\".\"normalized_name\" = $8) as \"name_as_email\", (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $9 and \"other\".\"name_skeleton\" = $10) as \"same_look\", (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $11 and \"confirmations\".\"expires_at_ms\" > $12 and \"confirmations\".\"held_name\" = $13 limit 1) as \"name_held\", (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $14 and \"confirmations\".\"expires_at_ms\" > $15 and \"confirmations\".\"held_name\" = $16 limit 1) as \"email_held\", (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $17 and \"confirmations\".\"expires_at_ms\" > $18 and \"confirmations\".\"held_skeleton\" = $19 limit 1) as \"look_held\"",
      "toParameters": (v) => [v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.name_skeleton, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton]
    },
    "user-names.insertUser": {
      "text": "insert into \"users\" (\"id\", \"name\", \"normalized_name\", \"email\", \"normalized_email\", \"email_confirmed\", \"password_hash\", \"roles\", \"disabled\", \"locked_until_ms\", \"failed_attempts\", \"lockout_began_at_ms\", \"sessions_ended_at_ms\", \"grants_ended_at_ms\", \"created_at_ms\", \"updated_at_ms\", \"version\", \"claims\", \"deletion_due_at_ms\", \"unclaimed\", \"name_skeleton\") select $1 as \"id\", $2 as \"name\", $3 as \"normalized_name\", $4 as \"email\", $5 as \"normalized_email\", $6 as \"email_confirmed\", $7 as \"password_hash\", $8 as \"roles\", $9 as \"disabled\", $10 as \"locked_until_ms\", $11 as \"failed_attempts\", $12 as \"lockout_began_at_ms\", $13 as \"sessions_ended_at_ms\", $14 as \"grants_ended_at_ms\", $15 as \"created_at_ms\", $16 as \"updated_at_ms\", $17 as \"version\", $18 as \"claims\", $19 as \"deletion_due_at_ms\", $20 as \"unclaimed\", $21 as \"name_skeleton\" where not exists (select \"id\" from \"users\" where (\"normalized_email\" = $22 or \"normalized_name\" = $23)) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $24 and \"confirmations\".\"expires_at_ms\" > $25 and \"confirmations\".\"held_name\" = $26) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $27 and \"confirmations\".\"expires_at_ms\" > $28 and \"confirmations\".\"held_name\" = $29) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $30 and \"confirmations\".\"expires_at_ms\" > $31 and \"confirmations\".\"held_skeleton\" = $32) on conflict do nothing",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.name_skeleton, v.normalized_name, v.normalized_email, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton]
    },
    "user-names.rename": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17, \"claims\" = $18, \"deletion_due_at_ms\" = $19, \"unclaimed\" = $20, \"name_skeleton\" = $21 where \"id\" = $22 and \"version\" = $23 and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $24 and \"other\".\"normalized_name\" = $25) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $26 and \"other\".\"normalized_email\" = $27) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $28 and \"other\".\"normalized_email\" = $29) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $30 and \"other\".\"normalized_name\" = $31) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $32 and \"other\".\"name_skeleton\" = $33) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $34 and \"confirmations\".\"expires_at_ms\" > $35 and \"confirmations\".\"held_name\" = $36) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $37 and \"confirmations\".\"expires_at_ms\" > $38 and \"confirmations\".\"held_name\" = $39) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $40 and \"confirmations\".\"expires_at_ms\" > $41 and \"confirmations\".\"held_skeleton\" = $42)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.name_skeleton, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.name_skeleton, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton]
    },
    "user-names.renameKeeping": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17, \"claims\" = $18, \"deletion_due_at_ms\" = $19, \"unclaimed\" = $20, \"name_skeleton\" = $21 where \"id\" = $22 and \"version\" = $23 and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $24 and \"other\".\"normalized_name\" = $25) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $26 and \"other\".\"normalized_email\" = $27) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $28 and \"other\".\"normalized_email\" = $29) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $30 and \"other\".\"normalized_name\" = $31) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $32 and \"other\".\"name_skeleton\" = $33) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $34 and \"confirmations\".\"expires_at_ms\" > $35 and \"confirmations\".\"held_name\" = $36) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $37 and \"confirmations\".\"expires_at_ms\" > $38 and \"confirmations\".\"held_name\" = $39) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $40 and \"confirmations\".\"expires_at_ms\" > $41 and \"confirmations\".\"held_skeleton\" = $42) and exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $43 and (($44 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $45 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) for share)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.name_skeleton, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.name_skeleton, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.updated_at_ms, v.name_skeleton, v.id, v.confirmed_only, 0]
    },
    "user-names.respell": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17, \"claims\" = $18, \"deletion_due_at_ms\" = $19, \"unclaimed\" = $20 where \"id\" = $21 and \"version\" = $22 and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $23 and \"other\".\"normalized_name\" = $24) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $25 and \"other\".\"normalized_email\" = $26) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $27 and \"other\".\"normalized_email\" = $28) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $29 and \"other\".\"normalized_name\" = $30) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $31 and \"confirmations\".\"expires_at_ms\" > $32 and \"confirmations\".\"held_name\" = $33) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $34 and \"confirmations\".\"expires_at_ms\" > $35 and \"confirmations\".\"held_name\" = $36)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email]
    },
    "user-names.respellKeeping": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17, \"claims\" = $18, \"deletion_due_at_ms\" = $19, \"unclaimed\" = $20 where \"id\" = $21 and \"version\" = $22 and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $23 and \"other\".\"normalized_name\" = $24) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $25 and \"other\".\"normalized_email\" = $26) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $27 and \"other\".\"normalized_email\" = $28) and not exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $29 and \"other\".\"normalized_name\" = $30) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $31 and \"confirmations\".\"expires_at_ms\" > $32 and \"confirmations\".\"held_name\" = $33) and not exists (select \"confirmations\".\"id\" from \"confirmations\" where \"confirmations\".\"user_id\" <> $34 and \"confirmations\".\"expires_at_ms\" > $35 and \"confirmations\".\"held_name\" = $36) and exists (select \"other\".\"id\" from \"users\" as \"other\" where \"other\".\"id\" <> $37 and (($38 = 0 or other.email_confirmed = 1) and replace(other.roles, '\"latchkey-admin\"', '') <> other.roles and \"other\".\"disabled\" = $39 and \"other\".\"deletion_due_at_ms\" is null and (\"other\".\"locked_until_ms\" is null or \"other\".\"lockout_began_at_ms\" is not null)) for share)",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.normalized_name, v.id, v.normalized_email, v.id, v.updated_at_ms, v.normalized_name, v.id, v.updated_at_ms, v.normalized_email, v.id, v.confirmed_only, 0]
    },
    "user-pages.keys500": {
      "text": "select \"key\", \"user_id\" from \"user_search_keys\" where (\"key\", \"user_id\") > ($1, $2) and \"key\" < $3 order by \"key\", \"user_id\" limit 500",
      "toParameters": (v) => [v.after_key, v.after_id, v.end]
    },
    "user-pages.keys64": {
      "text": "select \"key\", \"user_id\" from \"user_search_keys\" where (\"key\", \"user_id\") > ($1, $2) and \"key\" < $3 order by \"key\", \"user_id\" limit 64",
      "toParameters": (v) => [v.after_key, v.after_id, v.end]
    },
    "user-pages.normalized_email500": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"normalized_email\" collate \"C\" >= $3 and \"normalized_email\" collate \"C\" < $4 and \"normalized_email\" collate \"C\" > $5 order by \"normalized_email\" collate \"C\" limit 500",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after]
    },
    "user-pages.normalized_email64": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"normalized_email\" collate \"C\" >= $3 and \"normalized_email\" collate \"C\" < $4 and \"normalized_email\" collate \"C\" > $5 order by \"normalized_email\" collate \"C\" limit 64",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after]
    },
    "user-pages.normalized_name500": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"normalized_name\" collate \"C\" >= $3 and \"normalized_name\" collate \"C\" < $4 and \"normalized_name\" collate \"C\" > $5 order by \"normalized_name\" collate \"C\" limit 500",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after]
    },
    "user-pages.normalized_name64": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"normalized_name\" collate \"C\" >= $3 and \"normalized_name\" collate \"C\" < $4 and \"normalized_name\" collate \"C\" > $5 order by \"normalized_name\" collate \"C\" limit 64",
      "toParameters": (v) => ["\n", "role", v.start, v.end, v.after]
    },
    "user-search.add": {
      "text": "insert into \"user_search_keys\" (\"key\", \"user_id\") select \"each\".\"value\", $1 as \"user_id\" from jsonb_array_elements_text(cast(cast($2 as text) as jsonb)) as each(value) where true on conflict do nothing",
      "toParameters": (v) => [v.user_id, v.keys]
    },
    "user-search.addAsRead": {
      "text": "insert into \"user_search_keys\" (\"key\", \"user_id\") select \"each\".\"value\", \"kept\".\"id\" from jsonb_array_elements_text(cast(cast($1 as text) as jsonb)) as each(value) inner join (select \"id\" from \"users\" where \"id\" = $2 and \"version\" = $3 for share) as \"kept\" on true where true on conflict do nothing",
      "toParameters": (v) => [v.keys, v.user_id, v.decided_on]
    },
    "user-search.anyHolder": {
      "text": "select \"id\" from \"users\" where replace(roles, $1, '') <> roles and not exists (select 1 from removals where removals.kind = 'role' and removals.name = $2) limit 1",
      "toParameters": (v) => [v.named, v.name]
    },
    "user-search.begin": {
      "text": "insert into \"user_search_fills\" (\"name\", \"after_id\", \"people\", \"began_at_ms\", \"done\") values ($1, $2, $3, $4, $5) on conflict do nothing",
      "toParameters": (v) => ["all", "", 0, v.began_at_ms, 0]
    },
    "user-search.end": {
      "text": "update \"user_search_fills\" set \"done\" = $1 where \"name\" = $2 and \"after_id\" = $3",
      "toParameters": (v) => [1, "all", v.before]
    },
    "user-search.fill": {
      "text": "select \"after_id\", \"people\", \"began_at_ms\", \"done\" from \"user_search_fills\" where \"name\" = $1",
      "toParameters": () => ["all"]
    },
    "user-search.firstUnder": {
      "text": "select \"user_id\" from \"user_search_keys\" where \"key\" = $1 and not exists (select 1 from removals where removals.kind = 'role' and removals.name = $2) limit 1",
      "toParameters": (v) => [v.key, v.name]
    },
    "user-search.goOn": {
      "text": "update \"user_search_fills\" set \"after_id\" = $1, \"people\" = $2 where \"name\" = $3 and \"after_id\" = $4",
      "toParameters": (v) => [v.after, v.people, "all", v.before]
    },
    "user-search.keysOf": {
      "text": "select \"key\", \"user_id\" from \"user_search_keys\" where \"user_id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.ids]
    },
    "user-search.keysOfRoles": {
      "text": "with recursive \"held\" as (select min(\"key\") as \"key\" from \"user_search_keys\" where \"key\" >= 'r' and \"key\" < 's' union all select (select min(\"user_search_keys\".\"key\") as \"key\" from \"user_search_keys\" where \"user_search_keys\".\"key\" > \"held\".\"key\" and \"user_search_keys\".\"key\" < 's') as \"key\" from \"held\" where \"held\".\"key\" is not null) select \"key\" from \"held\" where \"key\" is not null limit 5000",
      "toParameters": () => []
    },
    "user-search.nextPeople": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"id\" > $3 order by \"id\" limit 100",
      "toParameters": (v) => ["\n", "role", v.after]
    },
    "user-search.people": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"id\" = any(array(select jsonb_array_elements_text(cast(cast($3 as text) as jsonb))))",
      "toParameters": (v) => ["\n", "role", v.ids]
    },
    "user-search.removeAll": {
      "text": "delete from \"user_search_keys\" where \"user_id\" = $1",
      "toParameters": (v) => [v.user_id]
    },
    "user-search.removeAsRead": {
      "text": "delete from \"user_search_keys\" where \"user_id\" = $1 and exists (select \"id\" from \"users\" where \"id\" = $2 and \"version\" = $3 for share)",
      "toParameters": (v) => [v.user_id, v.user_id, v.decided_on]
    },
    "user-search.removeUnder": {
      "text": "delete from \"user_search_keys\" where \"key\" = $1 and not exists (select \"users\".\"id\" from \"users\" where \"users\".\"id\" = user_search_keys.user_id and replace(users.roles, $2, '') <> users.roles)",
      "toParameters": (v) => [v.key, v.named]
    },
    "user-search.roleListsOfAll": {
      "text": "select distinct \"roles\" from \"users\" where \"roles\" <> $1",
      "toParameters": () => ["[]"]
    },
    "user-search.under": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"user_search_keys\" inner join \"users\" on \"users\".\"id\" = \"user_search_keys\".\"user_id\" where \"user_search_keys\".\"key\" = $3 limit 5001",
      "toParameters": (v) => ["\n", "role", v.key]
    },
    "user-search.withApp": {
      "text": "select \"user_id\" from \"second_factors\" where \"user_id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb)))) and \"totp_secret\" is not null",
      "toParameters": (v) => [v.ids]
    },
    "user-search.withPasskey": {
      "text": "select \"user_id\" from \"passkeys\" where \"user_id\" = any(array(select jsonb_array_elements_text(cast(cast($1 as text) as jsonb))))",
      "toParameters": (v) => [v.ids]
    },
    "users.all": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\"",
      "toParameters": () => ["\n", "role"]
    },
    "users.byExternalLogin": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"external_logins\" inner join \"users\" on \"users\".\"id\" = \"external_logins\".\"user_id\" where \"provider\" = $3 and \"subject\" = $4",
      "toParameters": (v) => ["\n", "role", v.provider, v.subject]
    },
    "users.byId": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"id\" = $3",
      "toParameters": (v) => ["\n", "role", v.id]
    },
    "users.byName": {
      "text": "select \"users\".\"id\" as \"u_id\", \"users\".\"name\" as \"u_name\", \"users\".\"normalized_name\" as \"u_normalized_name\", \"users\".\"email\" as \"u_email\", \"users\".\"normalized_email\" as \"u_normalized_email\", \"users\".\"email_confirmed\" as \"u_email_confirmed\", \"users\".\"password_hash\" as \"u_password_hash\", \"users\".\"roles\" as \"u_roles\", \"users\".\"disabled\" as \"u_disabled\", \"users\".\"locked_until_ms\" as \"u_locked_until_ms\", \"users\".\"failed_attempts\" as \"u_failed_attempts\", \"users\".\"lockout_began_at_ms\" as \"u_lockout_began_at_ms\", \"users\".\"sessions_ended_at_ms\" as \"u_sessions_ended_at_ms\", \"users\".\"grants_ended_at_ms\" as \"u_grants_ended_at_ms\", \"users\".\"created_at_ms\" as \"u_created_at_ms\", \"users\".\"updated_at_ms\" as \"u_updated_at_ms\", \"users\".\"version\" as \"u_version\", \"users\".\"claims\" as \"u_claims\", \"users\".\"deletion_due_at_ms\" as \"u_deletion_due_at_ms\", \"users\".\"unclaimed\" as \"u_unclaimed\", (select string_agg(\"removals\".\"name\", $1) as \"names\" from \"removals\" where \"removals\".\"kind\" = $2) as \"u_removed_roles\" from \"users\" where \"normalized_name\" = $3",
      "toParameters": (v) => ["\n", "role", v.name]
    },
    "users.updateUser": {
      "text": "update \"users\" set \"id\" = $1, \"name\" = $2, \"normalized_name\" = $3, \"email\" = $4, \"normalized_email\" = $5, \"email_confirmed\" = $6, \"password_hash\" = $7, \"roles\" = $8, \"disabled\" = $9, \"locked_until_ms\" = $10, \"failed_attempts\" = $11, \"lockout_began_at_ms\" = $12, \"sessions_ended_at_ms\" = $13, \"grants_ended_at_ms\" = $14, \"created_at_ms\" = $15, \"updated_at_ms\" = $16, \"version\" = $17, \"claims\" = $18, \"deletion_due_at_ms\" = $19, \"unclaimed\" = $20 where \"id\" = $21 and \"version\" = $22",
      "toParameters": (v) => [v.id, v.name, v.normalized_name, v.email, v.normalized_email, v.email_confirmed, v.password_hash, v.roles, v.disabled, v.locked_until_ms, v.failed_attempts, v.lockout_began_at_ms, v.sessions_ended_at_ms, v.grants_ended_at_ms, v.created_at_ms, v.updated_at_ms, v.version, v.claims, v.deletion_due_at_ms, v.unclaimed, v.id, v.decided_on]
    },
    "weak-passwords.count": {
      "text": "select count(*) as \"rows\" from \"weak_passwords\"",
      "toParameters": () => []
    },
    "weak-passwords.dismiss": {
      "text": "delete from \"weak_passwords\" where \"user_id\" = $1 and exists (select \"users\".\"id\" from \"users\" where \"users\".\"id\" = $2 and coalesce(\"users\".\"password_hash\", '') = $3)",
      "toParameters": (v) => [v.id, v.id, v.hash]
    },
    "weak-passwords.enqueue": {
      "text": "insert into \"weak_passwords\" (\"user_id\") values ($1) on conflict do nothing",
      "toParameters": (v) => [v.user_id]
    },
    "weak-passwords.next": {
      "text": "select \"weak_passwords\".\"user_id\", \"users\".\"password_hash\" from \"weak_passwords\" inner join \"users\" on \"users\".\"id\" = \"weak_passwords\".\"user_id\" order by \"weak_passwords\".\"user_id\" limit 50",
      "toParameters": () => []
    },
    "weak-passwords.rehash": {
      "text": "update \"users\" set \"password_hash\" = $1, \"version\" = \"version\" + $2 where \"id\" = $3 and \"password_hash\" = $4",
      "toParameters": (v) => [v.new_hash, 1, v.id, v.former_hash]
    },
    "weak-passwords.remove": {
      "text": "delete from \"weak_passwords\" where \"user_id\" = $1",
      "toParameters": (v) => [v.id]
    }
  }
}
