/** `latchkey provider …`: the external providers of the settings. */

import type { Command } from 'commander'
import type { AssertionAlgorithm } from '../keys/key-ring.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { assertionAlgorithm, authMethodOf } from '../providers/client-authentication.ts'
import { nameOf, sourceOf } from '../providers/relying-party.ts'
import { Refused } from '../server/refused.ts'
import type { ExternalProviderSettings, Settings } from '../settings/settings.ts'
import { type CommandContext, currentActor, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { record } from './text.ts'

export function register(parent: Command, context: CommandContext): void {
  const provider = withCommonOptions(parent.command('provider').description('external providers of the settings'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(provider.command(signature).description(description))

  leaf('show <name>', 'show what to register at a provider: the callback, and the keys for private_key_jwt').action(
    (wanted: string, _options, command: Command) =>
      withStorage(context, command, async (workspace) => {
        const { settings, print } = workspace
        const found = requireProvider(settings, wanted)
        const { issuer } = settings.oauth
        const name = nameOf(found)
        const { method, algorithm } = await authenticationOf(context, found, settings.outbound)
        const hasKeys = method === 'private_key_jwt'
        const jwks = hasKeys ? await publicKeys(context, workspace, algorithm) : null
        const json = {
          name,
          display_name: found.displayName ?? name,
          issuer: found.issuer,
          client_id: found.clientId,
          redirect_uri: `${baseOf(issuer)}callback/login/${name}`,
          token_endpoint_auth_method: method,
          jwks_uri: hasKeys ? `${baseOf(issuer)}connect/rp-jwks` : null,
          jwks,
        }
        const shown = Object.entries(json).flatMap(([member, value]) => {
          if (value === null) return []
          return [[member, typeof value === 'string' ? value : JSON.stringify(value)] as const]
        })
        print(json, record(shown))
      }),
  )

  leaf(
    'accept <name>',
    'let the links to a provider count after its settings have named another issuer or subject: only where the same subjects are the same people',
  ).action((wanted: string, _options, command: Command) =>
    withStorage(context, command, async ({ settings, storage, event, print }) => {
      const found = requireProvider(settings, wanted)
      const [name, source] = [nameOf(found), sourceOf(found)]
      const before = (await storage.providerSources.find(name)) ?? null
      const result = { name, source, before }
      if (before === source) return print(result, `Links to ${name} count with ${source} already.`)
      const events = [event('provider_accepted', {}, { provider: name, source, ...(before !== null && { before }) })]
      await storage.providerSources.accept(name, source, context.clock(), events)
      print(
        result,
        `Links to ${name} count with ${source} from now on${before === null ? '' : `, before with ${before}`}.`,
      )
    }),
  )
}

/** Ignores case, as sign-ins do. Throws `Refused`. */
function requireProvider({ oauth }: Settings, name: string): ExternalProviderSettings {
  const found = oauth.external.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  const names = oauth.external.map((one) => one.name)
  const advice = names.length === 0 ? 'The settings have none.' : `The settings have: ${names.join(', ')}.`
  throw new Refused(`There is no external provider ${name}. ${advice}`)
}

/** Asks the provider. `method` null: it did not answer, and the settings do not say. */
async function authenticationOf(
  { clock, stderr }: CommandContext,
  provider: ExternalProviderSettings,
  outbound: Settings['outbound'],
) {
  if (provider.issuer === null) return { method: authMethodOf(provider, undefined), algorithm: assertionAlgorithm([]) }
  const [{ sendBy }, { boundedFetch }, { providerMetadata }] = await Promise.all([
    import('../outbound/send.ts'),
    import('../providers/bounded-fetch.ts'),
    import('../providers/metadata.ts'),
  ])
  try {
    const metadata = await providerMetadata(provider, clock)(boundedFetch(10_000, sendBy(outbound)))
    return {
      method: authMethodOf(provider, metadata.token_endpoint_auth_methods_supported),
      algorithm: assertionAlgorithm(metadata.token_endpoint_auth_signing_alg_values_supported),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    stderr.write(`warning: The metadata of the provider ${provider.name} cannot be read: ${reason}\n`)
    return { method: provider.tokenEndpointAuthMethod, algorithm: assertionAlgorithm([]) }
  }
}

/** Makes the first key if there is none, so that it can be registered before anything is signed with it. */
async function publicKeys(
  { clock, random, stderr }: CommandContext,
  { storage, settings }: Workspace,
  algorithm: AssertionAlgorithm,
) {
  const { openKeyRing } = await import('../keys/ring.ts')
  const warn = (message: string) => stderr.write(`warning: ${message}\n`)
  const keys = await openKeyRing({ storage, settings, clock, random, actor: currentActor(), warn })
  await keys.assertionSigner(algorithm)
  return JSON.parse(keys.assertionKeySet())
}
