import { Select } from '../kit/field.tsx'
import { Field, faultOf, type useChange } from './change.tsx'
import type { ClaimRule } from './claim-rule.ts'
import { boxesOf } from './draft.ts'
import { LanguageTexts, sentTexts, type Texts, textsOf } from './language-texts.tsx'
import { words } from './texts.ts'

export type Scope = {
  name: string
  display_name: string | null
  description: string | null
  resources: string[]
  claims?: ClaimRule[]
  access_token_type: string | null
}

export type Draft = {
  name: string
  resources: string
  access_token_type: string
  /** What people read. */
  words: Texts
}

const wordsOf = (scope: object): Texts => textsOf(scope, ['display_name', 'description', 'purpose'])

export const emptyDraft: Draft = {
  name: '',
  resources: '',
  access_token_type: '',
  words: wordsOf({}),
}

export const draftOf = (scope: Scope): Draft => ({
  name: scope.name,
  resources: scope.resources.join('\n'),
  access_token_type: scope.access_token_type ?? '',
  words: wordsOf(scope),
})

/** The members that have a field of their own for messages. */
export const shownOf = ({ words }: Draft): string[] => ['name', 'resources', 'access_token_type', ...Object.keys(words)]

/** Returns the members as the API takes them. */
export function membersOf({ resources, access_token_type, words }: Draft) {
  const lines = resources.split(/\s+/).filter((line) => line !== '')
  return {
    resources: lines,
    access_token_type: access_token_type || null,
    ...sentTexts(words),
  }
}

type FieldsProps = {
  draft: Draft
  set(draft: Draft): void
  isNew: boolean
  result: ReturnType<typeof useChange>['failed']
}

/** What a scope has, as fields. Only a new one is named. */
export function ScopeFields({ draft, set, isNew, result }: FieldsProps) {
  const text = words().scopes
  const field = boxesOf(draft, set, result)
  return (
    <>
      {isNew && <Field label={words().common.name} hint={text.nameHint} required {...field('name')} />}
      <LanguageTexts
        members={[
          { member: 'display_name', label: text.displayName, hint: text.displayNameHint },
          { member: 'description', label: words().common.description, hint: text.descriptionHint },
          { member: 'purpose', label: text.purpose, hint: text.purposeHint },
        ]}
        texts={draft.words}
        set={(words) => set({ ...draft, words })}
        result={result}
      />
      <Field label={text.resources} hint={text.resourcesHint} lines={3} {...field('resources')} />
      <Select
        label={text.accessTokenType}
        hint={text.accessTokenTypeHint}
        value={draft.access_token_type}
        options={[
          ['', text.asApplication],
          ['at+jwt', 'at+jwt'],
          ['JWT', 'JWT'],
        ]}
        fault={faultOf(result, 'access_token_type')}
        onChange={(value) => set({ ...draft, access_token_type: value })}
      />
    </>
  )
}
