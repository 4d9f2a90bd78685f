/** `latchkey client templates`, and what `client add --for` makes of a template. */
import type { Command } from 'commander'
import type { Client } from '../protocol/client/client.ts'
import type { MemberChange } from '../protocol/client/client-members.ts'
import { type RegistrationContext, registerClient } from '../protocol/client/client-registration.ts'
import type { Setup } from '../protocol/templates/template.ts'
import { Refused } from '../server/refused.ts'
import { accepted, type CommandContext, printResult, type Workspace } from './context.ts'
import { table } from './text.ts'

/** Loaded for the commands that need them: the texts of all libraries. */
const templates = () => import('../protocol/templates/index.ts')

export async function listTemplates(context: CommandContext, command: Command): Promise<void> {
  const { clientTemplates, templateRecord } = await templates()
  const rows = clientTemplates.map(({ id, title, developedAt }) => [id, title, developedAt])
  const text = `${table(['TEMPLATE', 'FOR', 'URL WHILE IT IS DEVELOPED'], rows)}\nUse one with: latchkey client add ID --for TEMPLATE --url ADDRESS`
  printResult(context, command.optsWithGlobals(), clientTemplates.map(templateRecord), text)
}

/** Throws `Refused` for a template that is not known, and for an address that it does not take. */
export async function chosenTemplate(id: string, url: string | undefined) {
  const {
    chooseTemplate,
    missingScopes,
    takenScope,
    templateChanges,
    templateProblems,
    templateScopes,
    templateSetup,
  } = await templates()
  const chosen = accepted(chooseTemplate(id, url, { template: '--for', base: '--url' }))
  return {
    changes: (given: readonly MemberChange[]) => templateChanges(chosen, given),

    /** Adds the scopes that are missing. Throws `Refused`, before anything is stored, for a client that cannot be registered. */
    async addScopes(
      { storage, event }: Workspace,
      clientId: string,
      changes: readonly MemberChange[],
      judging: RegistrationContext,
      nowMs: number,
    ) {
      const scopes = templateScopes(chosen, clientId, changes, nowMs)
      const problems = templateProblems(clientId, scopes)
      if (problems.length > 0) throw Refused.because(problems)
      const names = scopes.map(({ name }) => name)
      const registeredScopes = [...judging.registeredScopes, ...names]
      accepted(registerClient(clientId, changes, { ...judging, registeredScopes }, nowMs))
      if ((await storage.clients.find(clientId)) !== undefined) {
        throw new Refused(`There is a client with the id ${clientId} already.`)
      }
      const own = chosen.template.takes === 'api' ? clientId : undefined
      if (own !== undefined && (await storage.scopes.findMany([own])).length > 0)
        throw Refused.because([takenScope(own)])
      const added: string[] = []
      for (const scope of missingScopes(scopes, await storage.scopes.findMany(names))) {
        const recorded = event('scope_added', {}, { name: scope.name, resources: scope.resources })
        if (await storage.scopes.create(scope, [recorded])) added.push(scope.name)
        else if (scope.name === own) throw Refused.because([takenScope(own)])
      }
      return {
        names,
        lines: added.length === 0 ? [] : [`Added the ${added.length === 1 ? 'scope' : 'scopes'} ${added.join(', ')}.`],
      }
    },

    setup: (client: Client, issuer: string, secret: string): Setup => templateSetup(chosen, client, issuer, secret),
  }
}

export function setupLines({ title, code, notes }: Setup): readonly string[] {
  return [
    '',
    `${title}:`,
    '',
    ...code.split('\n').map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    ...notes.map((note) => `- ${note}`),
  ]
}
