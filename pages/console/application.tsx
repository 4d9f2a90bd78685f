import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../kit/layout.tsx'
import { Facts } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { ApplicationBranding } from './application-branding.tsx'
import { DeletionSection } from './application-deletion.tsx'
import { type Draft, joined } from './application-draft.ts'
import { type Edited, isChanged, MemberForm } from './application-form.tsx'
import { type Application, kindOf, pathOf } from './application-kinds.ts'
import { formMemberNames } from './application-members.ts'
import { takeRegistered } from './application-registered.ts'
import { ApplicationSecrets } from './application-secrets.tsx'
import { ApplicationSetup } from './application-setup.tsx'
import { type ApplicationTab, ApplicationTabs, applicationTabs, hasTab } from './application-tabs.tsx'
import { ApplicationTokens } from './application-token-settings.tsx'
import { ApplicationUsage } from './application-usage.tsx'
import { CopyLine } from './copy-line.tsx'
import { Frame } from './frame.tsx'
import { changedTexts, type Texts } from './language-texts.tsx'
import { Leaving } from './leaving.tsx'
import { type Loaded, Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish } from './problem.tsx'
import { at } from './router.tsx'
import { takingBack } from './taking-back.ts'
import { words } from './texts.ts'
import './application.css'

/** `/admin/applications/ID` and its pages. What is typed into one of them stays while another is looked at. */
export function OneApplication({ id, tab }: { id: string; tab: ApplicationTab }) {
  const loaded = useLoaded<Application>(pathOf(id))
  const [made] = useState(() => takeRegistered(id))
  const name = loaded.value?.client_name ?? made?.client_name ?? id
  const isNew = made !== undefined && tab === 'setup'
  return (
    <Frame
      page="applications"
      title={<bdi>{name}</bdi>}
      windowTitle={name}
      isBelow
      busy={loaded.value === null && loaded.failed === null}
      lead={isNew && fillNodes(words().setUp.registered, { name: <bdi>{name}</bdi> })}
    >
      <Part loaded={loaded}>{(client) => <Pages client={client} loaded={loaded} tab={tab} made={made} />}</Part>
    </Frame>
  )
}

type PagesProps = {
  client: Application
  loaded: Loaded<Application>
  tab: ApplicationTab
  made: ReturnType<typeof takeRegistered>
}

function Pages({ client, loaded, tab, made }: PagesProps) {
  const [draft, setDraft] = useState<Draft>({})
  const [texts, setTexts] = useState<Texts>({})
  const [rotated, setRotated] = useState<string>()
  const me = useMe()
  const shownBefore = useRef(client)
  useEffect(() => {
    const before = shownBefore.current
    shownBefore.current = client
    if (before !== client) setDraft((now) => joined(now, before, client))
  }, [client])
  const saved: Edited['saved'] = (record, etag, back) => {
    loaded.set(record, etag)
    const undone = async () => {
      await loaded.reload()
      return words().people.takenBack
    }
    toast(
      fillNodes(words().applications.saved, { name: <bdi>{record.client_name}</bdi> }),
      back && takingBack(back, undone),
    )
  }
  const edited: Edited = { client, etag: loaded.etag, draft, setDraft, saved, mayChange: me.may('admin:clients') }
  const changed = applicationTabs.filter(
    (one) =>
      (one !== 'setup' && one !== 'usage' && isChanged(client, draft, one)) ||
      (one === 'branding' && changedTexts(client, texts)),
  )
  const discard = () => {
    setDraft({})
    setTexts({})
  }
  const shown = hasTab(client, tab) ? tab : 'settings'
  return (
    <>
      <ApplicationTabs client={client} current={shown} changed={changed} />
      <Leaving isChanged={changed.length > 0} within={at('applications', client.client_id)} discard={discard} />
      {shown === 'settings' && <Settings edited={edited} discard={discard} />}
      {shown === 'setup' && (
        <ApplicationSetup client={client} loaded={loaded} made={made} rotated={rotated} setRotated={setRotated} />
      )}
      {shown === 'addresses' && (
        <MemberForm edited={edited} tab="addresses" id="addresses" title={words().applications.tabs.addresses} />
      )}
      {shown === 'tokens' && <ApplicationTokens edited={edited} />}
      {shown === 'branding' && <ApplicationBranding edited={edited} texts={texts} setTexts={setTexts} />}
      {shown === 'secrets' && (
        <ApplicationSecrets edited={edited} loaded={loaded} rotated={rotated} setRotated={setRotated} />
      )}
      {shown === 'usage' && <ApplicationUsage client={client} etag={loaded.etag} saved={saved} />}
    </>
  )
}

/** What it is, what it may ask for, and its end. */
function Settings({ edited, discard }: { edited: Edited; discard(): void }) {
  const { client, etag, mayChange } = edited
  const text = words().applications
  const facts = [
    [text.clientId, <CopyLine key="id" label={text.clientId} value={client.client_id} />],
    [text.kind, text.kinds[kindOf(client)]],
    [text.grantTypes, <bdi key="grants">{client.grant_types.join(', ')}</bdi>],
    [text.authentication, <bdi key="method">{client.token_endpoint_auth_method}</bdi>],
  ] as const
  return (
    <>
      <MemberForm
        edited={edited}
        tab="settings"
        id="application"
        title={words().common.details}
        before={
          <>
            <Facts facts={facts} />
            {client.warnings?.filter(isOfNoField).map((warning) => (
              <Notice key={warning} role="note">
                <InEnglish>{warning}</InEnglish>
              </Notice>
            ))}
          </>
        }
      />
      {mayChange && (
        <DeletionSection id={client.client_id} name={client.client_name} etag={etag} beforeLeaving={discard} />
      )}
    </>
  )
}

const isOfNoField = (warning: string): boolean => !formMemberNames.some((member) => warning.startsWith(`${member} `))
