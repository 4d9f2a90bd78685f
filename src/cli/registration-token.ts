/** `latchkey client registration-token`: initial access tokens for dynamic registration (RFC 7591 §3). */
import { type Command, InvalidArgumentError } from 'commander'
import { isGrantType, grantTypes as supported } from '../protocol/grant/grant-types.ts'
import { isAdminScope } from '../protocol/scope/admin-scopes.ts'
import { builtInScopes } from '../protocol/scope/scope.ts'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import { Refused } from '../server/refused.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime, visible } from '../text.ts'
import { type CommandContext, collect, withStorage } from './context.ts'

const oneDay = 86_400
const oneYear = 365 * oneDay

type TokenOptions = {
  readonly expires: number
  readonly uses: number
  readonly scope?: readonly string[]
  readonly grant?: readonly string[]
}

export function registerTokens(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('registration-token', 'make a token with which applications register themselves, printed once')
    .option('--expires <seconds>', 'how long it is valid; at most 31536000', within(1, oneYear), oneDay)
    .option('--uses <number>', 'how many applications it registers', within(1, 1_000_000), 1)
    .option('--scope <scope>', 'a scope that they may ask for besides those of all; repeatable', collect)
    .option('--grant <type>', 'a grant type that they may use besides those of all; repeatable', collect)
    .action(({ expires, uses, scope: scopes = [], grant: grantTypes = [] }: TokenOptions, command: Command) =>
      withStorage(context, command, async ({ storage, settings, event, print }) => {
        await checkPermits(storage, scopes, grantTypes)
        const nowMs = context.clock()
        const expiresAtMs = nowMs + expires * 1000
        const { id, value, secretHash } = mintOpaque(uuidv7(nowMs, context.random), context.random)
        const permits = scopes.length + grantTypes.length === 0 ? {} : { permits: { scopes, grantTypes } }
        const token = { id, secretHash, usesLeft: uses, createdAtMs: nowMs, expiresAtMs, ...permits }
        const details = { uses, expiresAtMs, ...permits.permits }
        await storage.registrations.addToken(token, [event('registration_token_added', {}, details)])
        const isOff = settings.oauth.dynamicRegistration === 'off'
        const advice = isOff ? '\nSet OAuth:DynamicRegistration to token before it can be used.' : ''
        const times = uses === 1 ? 'one application' : `${uses} applications`
        print(
          {
            initial_access_token: value,
            uses,
            expires_at: isoTime(expiresAtMs),
            ...(scopes.length > 0 && { scopes }),
            ...(grantTypes.length > 0 && { grant_types: grantTypes }),
          },
          `The initial access token, shown only once: ${value}\nIt registers ${times} until ${isoTime(expiresAtMs)}.${advice}`,
        )
      }),
    )
}

/** Throws `Refused` for what no client could have. Scopes of the administration come from an operator's own registration alone. */
async function checkPermits(storage: Storage, scopes: readonly string[], grantTypes: readonly string[]): Promise<void> {
  const names = scopes.filter((scope) => !builtInScopes.includes(scope))
  const registered = (await storage.scopes.findMany(names)).map(({ name }) => name)
  const unknown = names.find((name) => !registered.includes(name) || isAdminScope(name))
  if (unknown !== undefined) throw new Refused(`The scope ${visible(unknown)} is not registered, or is for operators.`)
  const unsupported = grantTypes.find((type) => !isGrantType(type))
  if (unsupported !== undefined) {
    throw new Refused(`The grant type ${visible(unsupported)} is not supported. These are: ${supported.join(', ')}.`)
  }
}

function within(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d{1,9}$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
  }
}
