/** The options of `client add` and `client set` that stand for members. */
import { type Command, Option } from 'commander'
import { claimShapes } from '../protocol/claims/shapes.ts'
import { clientMembers, type MemberChange } from '../protocol/client/client-members.ts'
import type { SettableMember } from '../protocol/client/member-table.ts'
import { Refused } from '../server/refused.ts'
import { readText } from './bounded-file.ts'
import { type CommandContext, collect } from './context.ts'
import { allowAdminOption } from './role.ts'

type MemberOption = {
  readonly flags: string
  readonly about: string
  readonly choices?: readonly string[]
  /** May be given several times. */
  readonly isRepeatable?: true
  /** What the option stands for; undefined: the value that it has. */
  readonly value?: (given: unknown, context: CommandContext) => unknown
}

/** By the member that each sets. Members without an option are set as `member=value`. */
const options = {
  token_endpoint_auth_method: {
    flags: '--auth-method <method>',
    about: 'how it authenticates (token_endpoint_auth_method); none: a public client',
  },
  grant_types: { flags: '--grant <type>', about: 'a grant type that it may use; repeatable', isRepeatable: true },
  jwks: {
    flags: '--jwks <file>',
    about: 'its public keys, a file with a JWK Set',
    value: (file, context) => readJson(context, '--jwks', String(file)),
  },
  jwks_uri: { flags: '--jwks-uri <uri>', about: 'the address of its public keys' },
  require_pushed_authorization_requests: {
    flags: '--require-par',
    about: 'accept pushed authorization requests alone',
  },
  dpop_bound_access_tokens: { flags: '--dpop', about: 'bind its tokens to a key (DPoP)' },
  backchannel_logout_uri: { flags: '--backchannel-logout-uri <uri>', about: 'address for logout tokens' },
  frontchannel_logout_uri: { flags: '--frontchannel-logout-uri <uri>', about: 'page for sign-outs in a frame' },
  profile: { flags: '--profile <profile>', about: 'security profile', choices: ['default', 'fapi2'] },
  id_token_claims: {
    flags: '--id-token-claims <policy>',
    about: 'claims of the id token: of the scopes, or requested ones',
    choices: ['scopes', 'requested'],
  },
  claim_shape: {
    flags: '--claim-shape <shape>',
    about: 'what its tokens look like to applications written for another system',
    choices: claimShapes,
  },
  application_type: {
    flags: '--native',
    about: 'a native application: loopback redirect URIs with any port',
    value: () => 'native',
  },
} as const satisfies { readonly [Member in SettableMember]?: MemberOption }

/** The values of the options by their names, as the command line gives them. */
export type MemberOptions = Readonly<Record<string, unknown>> & {
  readonly authMethod?: string
  readonly allowAdmin?: boolean
}

/** The end of the help of `client add` and `client set`. */
export const aboutMembers = `
Members: ${Object.keys(clientMembers).join(', ')}.
Texts are taken as they are, everything else is JSON. MEMBER= sets the default. A list is a JSON array or a single
value, and is repeatable.`

export function withMemberOptions(command: Command): Command {
  for (const { option } of memberOptions()) command.addOption(option)
  return command.option(...allowAdminOption)
}

/** Converts the options to changes of members. Throws `Refused` for a file that cannot be read. */
export function changesOfOptions(given: MemberOptions, context: CommandContext): MemberChange[] {
  const members = memberOptions().map(({ member, option, value }) => {
    const named = given[option.attributeName()]
    return [member, named === undefined || value === undefined ? named : value(named, context)]
  })
  return toSet(Object.fromEntries(members))
}

function memberOptions() {
  return Object.entries<MemberOption>(options).map(([member, { flags, about, choices, isRepeatable, value }]) => {
    const option = new Option(flags, about)
    if (choices !== undefined) option.choices(choices)
    if (isRepeatable) option.argParser(collect)
    return { member, option, value }
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
  const text = readText(context, what, file)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(`${what}: ${file} contains no JSON.`)
  }
}
