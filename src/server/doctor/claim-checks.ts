/** The checks of `latchkey doctor` for claims that tokens are issued without. */
import { type Finding, warning } from '../../finding.ts'
import { accessTokenCharactersAtMost } from '../../protocol/claims/issued-claims.ts'
import { unreachedAmong } from '../../protocol/claims/resource-rules.ts'
import { namedRule } from '../../protocol/claims/token-length.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Storage } from '../../storage/port/storage.ts'

/** Findings; the others are counted. */
const namedAtMost = 10

/** Warns of claims that some tokens, or all, are issued without. */
export async function checkClaims(
  settings: Settings,
  storage: Pick<Storage, 'claimRules' | 'resources' | 'scopes'>,
): Promise<Finding[]> {
  return [...(await checkRoom(settings, storage)), ...(await checkResources(settings, storage))]
}

/** Warns of rules that access tokens of the largest people have no room for. Computed as tokens are issued: none is recorded. */
async function checkRoom({ oauth }: Settings, { claimRules }: Pick<Storage, 'claimRules'>): Promise<Finding[]> {
  const found = await claimRules.leaving({ issuer: oauth.issuer, algorithm: oauth.accessTokenAlgorithm })
  const named = found.slice(0, namedAtMost).map(({ client, user, characters, leftOut }) => {
    const claims = [...new Set(leftOut.map(namedRule))].join(', ')
    const message = `Access tokens of ${client} for ${user} would have ${characters} characters, of at most ${accessTokenCharactersAtMost}, and are issued without ${claims}.`
    const look = `latchkey explain token --user ${shellWord(user)} --client ${shellWord(client)}`
    const advice = `Put what is left out into userinfo or introspection instead of access_token, or let the person have less of it. The token is shown by: ${look}`
    return warning('claims', message, advice)
  })
  const more = found.length - named.length
  if (more <= 0) return named
  return [
    ...named,
    warning('claims', `Access tokens of ${more} more kinds are issued without some of their claims.`, ''),
  ]
}

/** Warns of resources with rules for which there is no access token: of a typing error, above all. */
async function checkResources(
  { oauth }: Settings,
  { resources, scopes }: Pick<Storage, 'resources' | 'scopes'>,
): Promise<Finding[]> {
  const [{ known }, registered] = await Promise.all([resources.all(), scopes.list()])
  const unreached = unreachedAmong([...known.keys()], registered, oauth.issuer)
  if (unreached.length === 0) return []
  const more = unreached.length > namedAtMost ? ` and ${unreached.length - namedAtMost} more` : ''
  const message = `No scope names the resource ${unreached.slice(0, namedAtMost).join(', ')}${more}: its claims are in no token.`
  const advice = 'Let a scope lead to it (resources of the scope), or remove its claims: latchkey resource claim remove'
  return [warning('claims', message, advice)]
}
