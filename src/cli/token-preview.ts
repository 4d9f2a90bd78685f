/** `latchkey explain token`: what tokens of an application would say about a person, and what each claim comes from. */
import type { Command } from 'commander'
import { pathOfClaim } from '../protocol/claims/claim-rules.ts'
import type { Subject } from '../protocol/claims/claims.ts'
import { type Preview, type Previewed, previewRequest, previewTokens } from '../protocol/claims/preview.ts'
import type { Client } from '../protocol/client/client.ts'
import { subjectIdentifier } from '../protocol/client/sector.ts'
import { isRefusal } from '../refusal.ts'
import { pairwiseSubject } from '../secrets/pairwise.ts'
import { Refused } from '../server/refused.ts'
import type { User } from '../users/user.ts'
import { unknownClient } from './client-record.ts'
import { type CommandContext, type Workspace, withCommonOptions, withStorage } from './context.ts'
import { record } from './text.ts'
import { unknownUser } from './user-lookup.ts'

type Options = {
  readonly user: string
  readonly client: string
  readonly scope?: string
  readonly resource?: string
}

export function registerPreview(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('token'))
    .description('show what tokens of an application would say about a person, and what each claim comes from')
    .requiredOption('--user <name>', 'the name or id of the person')
    .requiredOption('--client <id>', 'the application')
    .option('--scope <scopes>', 'separated by spaces; default: all that the application may request')
    .option('--resource <uri>', 'default: all that the scopes lead to')
    .action((options: Options, command: Command) =>
      withStorage(context, command, async ({ storage, settings, print }) => {
        const { oauth } = settings
        const client = await storage.clients.find(options.client)
        if (client === undefined) throw new Refused(unknownClient(options.client))
        const person = (await storage.users.findByName(options.user)) ?? (await storage.users.find(options.user))
        if (person === undefined) throw new Refused(unknownUser(options.user))
        const { scope = null, resource = null } = options
        const asked = previewRequest(client, scope, resource, await storage.scopes.list(), oauth.issuer)
        if (isRefusal(asked)) throw new Refused(asked.description)
        const preview = previewTokens({
          ...asked,
          issuer: oauth.issuer,
          client,
          subject: await subjectOf(context, { storage, settings }, client, person),
          algorithm: oauth.accessTokenAlgorithm,
          accessTokenSeconds: client.metadata.access_token_lifetime ?? oauth.accessTokenLifetimeSeconds,
          identityTokenSeconds: client.metadata.id_token_lifetime ?? oauth.identityTokenLifetimeSeconds,
          nowMs: context.clock(),
        })
        print(preview, previewText(preview))
      }),
    )
}

/** Opens the key ring for pairwise clients alone. */
async function subjectOf(
  { clock, random }: CommandContext,
  { storage, settings }: Pick<Workspace, 'storage' | 'settings'>,
  client: Client,
  person: User,
): Promise<Subject> {
  const subject = await (await storage.catalogue.now()).describe(person)
  if (client.metadata.subject_type === 'public') return subject
  const { openKeyRing } = await import('../keys/ring.ts')
  const keys = await openKeyRing({ storage, settings, clock, random })
  return { ...subject, id: subjectIdentifier(client, person, (sector, id) => pairwiseSubject(keys, sector, id)) }
}

const headings = {
  id_token: 'id token',
  access_token: 'access token',
  userinfo: 'userinfo',
  introspection: 'introspection',
}

function previewText(preview: Preview): string {
  const places = Object.entries(headings) as [keyof Preview, string][]
  return places
    .flatMap(([place, heading]) => {
      const previewed = preview[place]
      return previewed === null ? [] : [`${heading}\n${claimsText(previewed)}`]
    })
    .join('\n\n')
}

function claimsText({ claims, rules, left_out: leftOut }: Previewed): string {
  const source = (name: string): string => {
    const found = rules.filter(({ claim }) => pathOfClaim(claim)?.[0] === name)
    const told = found.map(({ claim: _, from, ...owner }) => `${from} by the ${Object.entries(owner).flat().join(' ')}`)
    return told.length === 0 ? '' : `  (${told.join('; ')})`
  }
  const lines = Object.entries(claims).map(
    ([name, value]) => [`  ${name}`, `${JSON.stringify(value)}${source(name)}`] as const,
  )
  const left = leftOut.map(({ claim, why }) => [`  ${claim}`, `left out: ${why}`] as const)
  const all = [...lines, ...left]
  return all.length === 0 ? '  (nothing)' : record(all)
}
