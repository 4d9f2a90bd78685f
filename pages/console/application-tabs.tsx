import { Tabs } from '../kit/tabs.tsx'
import { type Application, hasSecret, kindOf } from './application-kinds.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

export const applicationTabs = ['settings', 'setup', 'addresses', 'tokens', 'branding', 'secrets', 'usage'] as const
export type ApplicationTab = (typeof applicationTabs)[number]

/** The page that has no segment of its own is the first. */
export const tabAt = (part: string | undefined): ApplicationTab | undefined =>
  part === undefined ? 'settings' : applicationTabs.find((tab) => tab === part && tab !== 'settings')

/** Whether an application of this kind has anything on the page. Programs have nobody who signs in with them. */
export function hasTab(client: Application, tab: ApplicationTab): boolean {
  const kind = kindOf(client)
  if (tab === 'addresses' || tab === 'branding') return kind !== 'machine'
  return tab !== 'secrets' || hasKeys(client)
}

/** Whether it proves who it is, by a secret or by keys, or has keys for signed requests. */
export const hasKeys = (client: Application): boolean =>
  client.token_endpoint_auth_method !== 'none' ||
  hasSecret(client) ||
  client.jwks !== undefined ||
  client.jwks_uri !== undefined

type Props = {
  client: Application
  current: ApplicationTab
  /** Those with something that is typed and not saved. */
  changed: readonly ApplicationTab[]
}

/** The pages of an application. */
export function ApplicationTabs({ client, current, changed }: Props) {
  const { setUp, applications: text } = words()
  const labels = { settings: setUp.settings, setup: setUp.title, ...text.tabs }
  return (
    <Tabs
      label={setUp.tabs}
      tabs={applicationTabs
        .filter((tab) => hasTab(client, tab))
        .map((tab) => ({
          href: tabAddress(client.client_id, tab),
          label: (
            <>
              {labels[tab]} {changed.includes(tab) && tab !== current && <span class="unsaved">{text.unsaved}</span>}
            </>
          ),
          isCurrent: tab === current,
        }))}
    />
  )
}

const tabAddress = (id: string, tab: ApplicationTab): string =>
  tab === 'settings' ? at('applications', id) : at('applications', id, tab)
