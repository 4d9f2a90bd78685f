/** What people read about a scope, in their language. */
import type { Scope } from './scope.ts'
import { standardScopes } from './scope-registration.ts'

export type ScopeWords = Pick<Scope, 'displayName' | 'description'>

/**
 * Returns name and description in the language of the tag, in lower case: `de-at`, then `de`, then those without a language. Null:
 * there is none, or it is that of a standard scope as this service registers it. Pages have words of their own for those.
 */
export function scopeWords(
  scope: Pick<Scope, 'name' | 'displayName' | 'description' | 'localized'>,
  tag: string,
): ScopeWords {
  const standard = standardScopes.find(({ name }) => name === scope.name)
  const wanted = [tag, tag.replace(/-.*/, '')]
  const inLanguage = (member: string) => wanted.map((one) => scope.localized[`${member}#${one}`]).find((text) => text)
  const name = inLanguage('display_name')
  const description = inLanguage('description')
  const isNamed = name !== undefined || scope.displayName !== (standard?.displayName ?? null)
  const isDescribed = isNamed || scope.description !== (standard?.description ?? null)
  return {
    displayName: name ?? (isNamed ? scope.displayName : null),
    description: description ?? (isDescribed ? scope.description : null),
  }
}
