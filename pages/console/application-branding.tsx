import { type Dispatch, type StateUpdater, useEffect, useState } from 'preact/hooks'
import type { RequestedScope } from '../api.ts'
import { Section } from '../kit/area.tsx'
import { Notice, Skeleton } from '../kit/layout.tsx'
import { typedOf } from './application-draft.ts'
import { type Edited, MemberForm } from './application-form.tsx'
import { kindOf } from './application-kinds.ts'
import { wordsOf } from './application-members.ts'
import type { Looks } from './application-preview-pages.tsx'
import { LanguageTexts, localText, sentTexts, type Texts, textsOf } from './language-texts.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { linesOf } from './redirect-address.ts'
import { words } from './texts.ts'

const members = ['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const

type Props = { edited: Edited; texts: Texts; setTexts: Dispatch<StateUpdater<Texts>> }

/** What people see of the application, beside pictures of the pages that show it. `texts`: what is typed of them. */
export function ApplicationBranding({ edited, texts, setTexts }: Props) {
  const { client, draft } = edited
  const text = words().applications
  const stored = textsOf(client, members)
  const shown = { ...stored, ...texts }
  const consent = draft.consent ?? typedOf(client, 'consent')
  const isByOperator = client.registration === undefined
  return (
    <div class="side-by-side">
      <MemberForm
        edited={edited}
        tab="branding"
        id="branding"
        title={text.brandingTitle}
        more={{
          names: Object.keys(shown),
          body: sentTexts(texts),
          // What was typed meanwhile stays.
          done: () =>
            setTexts((now) => Object.fromEntries(Object.entries(now).filter(([name, typed]) => typed !== texts[name]))),
          fields: (failed) => (
            <LanguageTexts
              members={members.map((member) => ({ member, ...text.looks[member] }))}
              texts={shown}
              set={(next) => setTexts(Object.fromEntries(Object.entries(next).filter(isOther(stored))))}
              result={failed}
            />
          ),
        }}
      />
      <Section id="looks" title={text.previewTitle}>
        <p class="quiet">{text.previewLead}</p>
        {!isByOperator && <Notice role="note">{text.previewSelf}</Notice>}
        <Pictures
          edited={edited}
          looks={{
            client: {
              id: client.client_id,
              name: localText(shown, 'client_name') || client.client_id,
              ...(isByOperator
                ? linksOf(shown, draft.contacts ?? typedOf(client, 'contacts'))
                : { selfRegistered: true }),
              hasLogo: isByOperator && localText(shown, 'logo_uri') !== '' && localText(texts, 'logo_uri') === '',
            },
            asks: consent !== 'implicit' && consent !== 'external',
            destination: destinationOf(draft.redirect_uris ?? typedOf(client, 'redirect_uris')),
          }}
        />
      </Section>
    </div>
  )
}

const isOther =
  (stored: Texts) =>
  ([name, typed]: [string, string]): boolean =>
    typed !== stored[name]

function linksOf(texts: Texts, contacts: string) {
  const [uri, policyUri, termsUri] = (['client_uri', 'policy_uri', 'tos_uri'] as const).map((member) =>
    localText(texts, member),
  )
  const written = linesOf(contacts)
  return {
    ...(uri && { uri }),
    ...(policyUri && { policyUri }),
    ...(termsUri && { termsUri }),
    ...(written.length > 0 && { contacts: written }),
  }
}

/** What the consent page names: the host of the first address, or the scheme of an app. */
function destinationOf(addresses: string): string | null {
  const [first = ''] = linesOf(addresses)
  if (!URL.canParse(first)) return null
  const { host, protocol } = new URL(first)
  return host || protocol
}

type PicturesProps = { edited: Edited; looks: Omit<Looks, 'scopes' | 'person'> }

/** The pages of people come when they are first shown. */
function Pictures({ edited: { client, draft }, looks }: PicturesProps) {
  const [pages, setPages] = useState<typeof import('./application-preview-pages.tsx')>()
  const { items, failed } = useList<ScopeRecord>('/scopes', { limit: 500 })
  const me = useMe()
  useEffect(() => {
    // Without the pages, the form is of use all the same; without the scopes, they stand there by their names.
    void import('./application-preview-pages.tsx').then(setPages, () => {})
  }, [])
  if (pages === undefined || (items === null && failed === null)) return <Skeleton rows={['block', 'block']} />
  const names = wordsOf(draft.scope ?? typedOf(client, 'scope'))
  const scopes = names.map((name) =>
    inWords(
      name,
      items?.find((one) => one.name === name),
    ),
  )
  return <pages.PreviewPages {...looks} scopes={scopes} person={me.username} isDevice={kindOf(client) === 'device'} />
}

type ScopeRecord = { name: string; display_name: string | null; description: string | null; purpose?: string }

function inWords(name: string, scope: ScopeRecord | undefined): RequestedScope {
  const purpose = scope === undefined ? '' : localText(textsOf(scope, ['purpose']), 'purpose')
  return {
    name,
    displayName: scope?.display_name ?? null,
    description: scope?.description ?? null,
    ...(purpose !== '' && { purpose }),
  }
}
