/** `latchkey client registration-token`: initial access tokens for dynamic registration (RFC 7591 §3). */
import { type Command, InvalidArgumentError } from 'commander'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import { isoTime } from '../text.ts'
import { type CommandContext, withStorage } from './context.ts'

const oneDay = 86_400
const oneYear = 365 * oneDay

type TokenOptions = { readonly expires: number; readonly uses: number }

export function registerTokens(leaf: (signature: string, about: string) => Command, context: CommandContext): void {
  leaf('registration-token', 'make a token with which applications register themselves, printed once')
    .option('--expires <seconds>', 'how long it is valid; at most 31536000', within(1, oneYear), oneDay)
    .option('--uses <number>', 'how many applications it registers', within(1, 1_000_000), 1)
    .action(({ expires, uses }: TokenOptions, command: Command) =>
      withStorage(context, command, async ({ storage, settings, event, print }) => {
        const nowMs = context.clock()
        const expiresAtMs = nowMs + expires * 1000
        const { id, value, secretHash } = mintOpaque(uuidv7(nowMs, context.random), context.random)
        const token = { id, secretHash, usesLeft: uses, createdAtMs: nowMs, expiresAtMs }
        await storage.registrations.addToken(token, [event('registration_token_added', {}, { uses, expiresAtMs })])
        const isOff = settings.oauth.dynamicRegistration === 'off'
        const advice = isOff ? '\nSet OAuth:DynamicRegistration to token before it can be used.' : ''
        const times = uses === 1 ? 'one application' : `${uses} applications`
        print(
          { initial_access_token: value, uses, expires_at: isoTime(expiresAtMs) },
          `The initial access token, shown only once: ${value}\nIt registers ${times} until ${isoTime(expiresAtMs)}.${advice}`,
        )
      }),
    )
}

function within(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d{1,9}$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
  }
}
