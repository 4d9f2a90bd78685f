/** The options of `client add` and `client set` that stand for members. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { clientMembers, type MemberChange } from '../protocol/client/client-members.ts'
import { Refused } from '../server/refused.ts'
import { type CommandContext, collect } from './context.ts'

export type MemberOptions = {
  readonly authMethod?: string
  readonly grant?: readonly string[]
  readonly jwks?: string
  readonly jwksUri?: string
  readonly requirePar?: boolean
  readonly dpop?: boolean
  readonly backchannelLogoutUri?: string
  readonly frontchannelLogoutUri?: string
  readonly profile?: string
  readonly idTokenClaims?: string
  readonly native?: boolean
}

/** The end of the help of `client add` and `client set`. */
export const aboutMembers = `
Members: ${Object.keys(clientMembers).join(', ')}.
Texts are taken as they are, everything else is JSON. MEMBER= sets the default. A list is a JSON array or a single
value, and is repeatable.`

export function withMemberOptions(command: Command): Command {
  return command
    .option('--auth-method <method>', 'how it authenticates (token_endpoint_auth_method); none: a public client')
    .option('--grant <type>', 'a grant type that it may use; repeatable', collect)
    .option('--jwks <file>', 'its public keys, a file with a JWK Set')
    .option('--jwks-uri <uri>', 'the address of its public keys')
    .option('--require-par', 'accept pushed authorization requests alone')
    .option('--dpop', 'bind its tokens to a key (DPoP)')
    .option('--backchannel-logout-uri <uri>', 'address for logout tokens')
    .option('--frontchannel-logout-uri <uri>', 'page for sign-outs in a frame')
    .addOption(new Option('--profile <profile>', 'security profile').choices(['default', 'fapi2']))
    .addOption(
      new Option('--id-token-claims <policy>', 'claims of the id token: of the scopes, or requested ones').choices([
        'scopes',
        'requested',
      ]),
    )
    .option('--native', 'a native application: loopback redirect URIs with any port')
}

/** Converts the options to changes of members. Throws `Refused` for a file that cannot be read. */
export function changesOfOptions(options: MemberOptions, context: CommandContext): MemberChange[] {
  const { jwks } = options
  return toSet({
    token_endpoint_auth_method: options.authMethod,
    grant_types: options.grant,
    jwks: jwks === undefined ? undefined : readJson(context, '--jwks', jwks),
    jwks_uri: options.jwksUri,
    require_pushed_authorization_requests: options.requirePar,
    dpop_bound_access_tokens: options.dpop,
    backchannel_logout_uri: options.backchannelLogoutUri,
    frontchannel_logout_uri: options.frontchannelLogoutUri,
    profile: options.profile,
    id_token_claims: options.idTokenClaims,
    application_type: options.native === true ? 'native' : undefined,
  })
}

/** Returns changes that set those members that have a value. */
export function toSet(members: Readonly<Record<string, unknown>>): MemberChange[] {
  return Object.entries(members).flatMap(([member, value]) =>
    value === undefined ? [] : [{ member, operation: 'set', value }],
  )
}

/** Reads a JSON file, relative to the working directory. Throws `Refused`. */
export function readJson(context: CommandContext, what: string, file: string): unknown {
  const path = resolve(context.cwd ?? process.cwd(), file)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Refused(`${what}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(`${what}: ${path} contains no JSON.`)
  }
}
