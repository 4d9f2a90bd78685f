import { Fragment } from 'preact'
import { When } from '../account/when.tsx'
import { Copyable } from './command.tsx'
import { words } from './texts.ts'

type Decoded = { header: Record<string, unknown>; claims: Record<string, unknown> }

/** The tokens of a test, without signatures. `access_token` null: it is opaque. */
export type TestedTokens = {
  id_token: Decoded | null
  access_token: Decoded | null
  has_refresh_token: boolean
}

/** What is in the tokens, and what it means. */
export function Tokens({ tokens: { id_token, access_token, has_refresh_token } }: { tokens: TestedTokens }) {
  const text = words().testSignIn
  const { places } = words().rules
  return (
    <>
      {id_token && <Token title={places.id_token} token={id_token} />}
      {access_token ? (
        <Token title={places.access_token} token={access_token} />
      ) : (
        <>
          <h3>{places.access_token}</h3>
          <p>{text.opaque}</p>
        </>
      )}
      {has_refresh_token && <p>{text.refresh}</p>}
    </>
  )
}

function Token({ title, token: { header, claims } }: { title: string; token: Decoded }) {
  const text = words().testSignIn
  const isMachine = claims.sub === claims.client_id
  const { pages, people } = words()
  const { members } = people
  const others = { email_verified: people.verified, preferred_username: members.username, role: pages.roles }
  const meanings: Readonly<Record<string, string>> = { ...members, ...others, ...text.claims }
  return (
    <>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keys */}
      <section class="claims-table" tabIndex={0} aria-label={title}>
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{text.claim}</th>
              <th scope="col">{text.value}</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(claims).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">
                  <code dir="ltr">{name}</code>
                  {Object.hasOwn(meanings, name) && !(isMachine && name === 'sub') && (
                    <small class="quiet meaning">{meanings[name]}</small>
                  )}
                </th>
                <td>
                  <Value name={name} value={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <details class="as-table">
        <summary>JSON</summary>
        <Copyable text={JSON.stringify({ header, claims }, null, 2)} />
      </details>
    </>
  )
}

/** NumericDate (RFC 7519 §2). */
const times: readonly string[] = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at']

function Value({ name, value }: { name: string; value: unknown }) {
  if (times.includes(name) && typeof value === 'number') return <When iso={new Date(value * 1000).toISOString()} />
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return <Texts texts={value} />
  return <code dir="ltr">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
}

const Texts = ({ texts }: { texts: readonly string[] }) => (
  <>
    {texts.map((one, at) => (
      <Fragment key={one}>
        {at > 0 && ', '}
        <code dir="ltr">{one}</code>
      </Fragment>
    ))}
  </>
)
