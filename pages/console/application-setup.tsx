import { useEffect, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { Facts } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { CodeSection, SetupCode } from './application-code.tsx'
import { SecretShown } from './application-fields.tsx'
import { type Application, hasSecret, pathOf, type Setup, type Template } from './application-kinds.ts'
import type { takeRegistered } from './application-registered.ts'
import { Rotation } from './application-secret.tsx'
import { nameOf } from './application-templates.ts'
import { TestSignIn } from './application-test.tsx'
import { CopyLine } from './copy-line.tsx'
import { type Loaded, Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { serviceMetadata } from './session.ts'
import { words } from './texts.ts'

/** The service writes them where secrets belong. */
const secretPlace = 'YOUR_CLIENT_SECRET'
const sessionSecretPlace = 'YOUR_SESSION_SECRET'

type Props = {
  client: Application
  loaded: Loaded<Application>
  /** With its secret, if it was registered on the page before. */
  made: ReturnType<typeof takeRegistered>
  rotated: string | undefined
  setRotated(secret: string | undefined): void
}

/** What a project needs to sign people in with the application. */
export function ApplicationSetup({ client, loaded, made, rotated, setRotated }: Props) {
  const templates = useLoaded<{ items: Template[] }>('/client-templates')
  const [chosen, setChosen] = useState<string>()
  const me = useMe()
  const library = chosen ?? client.template ?? ''
  const secret = rotated ?? made?.client_secret
  return (
    <>
      {made?.client_secret !== undefined && rotated === undefined && (
        <Section id="registered" title={words().applications.secret}>
          <SecretShown client={made} />
        </Section>
      )}
      <Section id="library" title={words().applications.setup}>
        <Select
          label={words().applications.library}
          value={library}
          options={[
            ['', words().applications.noLibrary],
            ...(templates.value?.items ?? []).map((one) => [one.id, labelOf(one)] as const),
          ]}
          onChange={setChosen}
        />
        {library !== '' && <LibrarySettings id={client.client_id} library={library} secret={secret} />}
      </Section>
      {library === '' && <CodeSection client={client} />}
      <TestSignIn client={client} />
      <Endpoints client={client} />
      {me.may('admin:clients') && hasSecret(client) && (
        <Rotation
          client={client}
          secret={rotated}
          changed={(record, etag, next) => {
            loaded.set(record, etag)
            setRotated(next)
          }}
        />
      )}
    </>
  )
}

function labelOf(template: Template): string {
  const { name, library } = nameOf(template)
  return library === '' ? name : `${name} · ${library}`
}

type LibraryProps = {
  id: string
  library: string
  /** Undefined: it was shown before. */
  secret: string | undefined
}

function LibrarySettings({ id, library, secret }: LibraryProps) {
  const loaded = useLoaded<{ setup: Setup | null }>(`${pathOf(id)}/setup`, { template: library })
  const [sessionSecret] = useState(randomSecret)
  const text = words().setUp
  return (
    <Part loaded={loaded}>
      {({ setup }) => {
        if (setup === null) return null
        const hasPlace = JSON.stringify(setup).includes(secretPlace)
        return (
          <>
            {hasPlace && (
              <p class="quiet">
                {secret === undefined
                  ? fillNodes(text.secretMissing, { place: <code dir="ltr">{secretPlace}</code> })
                  : text.secretIn}
              </p>
            )}
            <SetupCode setup={withSecrets(setup, secret ?? secretPlace, sessionSecret)} />
          </>
        )
      }}
    </Part>
  )
}

function withSecrets(setup: Setup, secret: string, sessionSecret: string): Setup {
  const filled = (text: string): string =>
    text.replaceAll(secretPlace, () => secret).replaceAll(sessionSecretPlace, () => sessionSecret)
  const { environment } = setup
  return {
    ...setup,
    code: filled(setup.code),
    ...(environment && { environment: { ...environment, code: filled(environment.code) } }),
    ...(setup.run !== undefined && { run: filled(setup.run) }),
    notes: setup.notes.map(filled),
  }
}

function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What is copied into the settings of other libraries. Their members in discovery (OpenID Connect Discovery §3). */
function Endpoints({ client }: { client: Application }) {
  const [metadata, setMetadata] = useState<Metadata>()
  const text = words().setUp.endpoints
  useEffect(() => {
    // The page is of use without them: a failure leaves the id of the client.
    serviceMetadata().then(setMetadata, () => {})
  }, [])
  const rows = endpointMembers.flatMap((member) => {
    const value = member === 'discovery' ? metadata && discoveryOf(metadata.issuer) : metadata?.[member]
    return value === undefined ? [] : [{ label: text[member], value }]
  })
  return (
    <Section id="endpoints" title={words().setUp.endpointsTitle}>
      <p class="quiet">{words().setUp.endpointsLead}</p>
      <Facts
        facts={[{ label: words().applications.clientId, value: client.client_id }, ...rows].map(({ label, value }) => [
          label,
          <CopyLine key={label} label={label} value={value} />,
        ])}
      />
    </Section>
  )
}

const endpointMembers = [
  'issuer',
  'discovery',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'end_session_endpoint',
  'jwks_uri',
] as const

type Metadata = Awaited<ReturnType<typeof serviceMetadata>>

const discoveryOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
