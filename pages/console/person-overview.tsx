import type { Message } from '#messages'
import { Section } from '../kit/area.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking } from './change.tsx'
import { useMe } from './me.tsx'
import { Attributes } from './person-attributes.tsx'
import { accessOf, Ends } from './person-ends.tsx'
import { Glance } from './person-glance.tsx'
import { CreateResetLink, lockBack, type MendProps as Props, postFor, SendReset, Unlock } from './person-mends.tsx'
import { type Overview, type Person, pathOf } from './person-name.ts'
import { SetPassword } from './person-password.tsx'
import { Profile } from './person-profile.tsx'
import { at, go } from './router.tsx'
import { words } from './texts.ts'

/** Who it is, what is wrong, and what a help desk does most. */
export function PersonOverview({ overview, ...part }: Props) {
  const mayChange = useMe().may('admin:users')
  const { person, loaded } = part
  return (
    <>
      <Glance {...part} overview={overview} />
      {mayChange && <Help {...part} overview={overview} />}
      <Profile {...part} />
      <Attributes {...part} />
      {mayChange && <Deletion person={person} etag={loaded.etag} overview={overview.value} />}
    </>
  )
}

/** What a help desk does most: each task is one press, or a press and an answer. */
function Help(part: Props) {
  const { person, loaded, say, overview } = part
  const text = words().people
  const named = (template: Message<'name'>) => fillNodes(template, { name: <bdi>{person.username}</bdi> })
  const facts = overview.value
  // A factor that an import could not bring counts. While the factors cannot be read, there may be one.
  const hasFactor = facts
    ? person.had_second_factor || facts.authenticator_apps.length + facts.second_factor_keys + facts.recovery_codes > 0
    : overview.failed !== null
  return (
    <Section id="help" title={text.help}>
      <div class="buttons">
        {/* Beside what is wrong, unless that could not be read. */}
        {person.locked_until !== null && overview.failed && <Unlock {...part} />}
        <SendReset {...part} />
        <CreateResetLink {...part} />
        <SetPassword person={person} loaded={loaded} say={say} />
        {hasFactor && (
          <Asking
            label={text.removeFactor}
            question={named(text.removeFactorAsk)}
            body={
              <>
                <p>{text.removeFactorBody}</p>
                {facts && (
                  <Ends
                    counts={[
                      [text.overview.apps, facts.authenticator_apps.length],
                      [text.overview.keys, facts.second_factor_keys],
                      [text.overview.recoveryCodes, facts.recovery_codes],
                    ]}
                  />
                )}
              </>
            }
            act={() => postFor(person, 'reset-second-factor')}
            then={async () => {
              await Promise.all([loaded.reload(), overview.reload()])
              say(named(text.factorRemoved))
            }}
          />
        )}
        {!person.disabled && (
          <Asking
            label={text.lock}
            question={named(text.lockAsk)}
            body={
              <>
                <p>{text.lockBody}</p>
                {facts && <Ends counts={accessOf(facts)} />}
              </>
            }
            act={() => postFor(person, 'lock')}
            then={async () => {
              await Promise.all([loaded.reload(), overview.reload()])
              // An unlock would end a pause after wrong passwords, too.
              say(named(text.lockedNow), person.locked_until === null ? lockBack(part, 'unlock') : undefined)
            }}
          />
        )}
      </div>
    </Section>
  )
}

type DeletionProps = { person: Person; etag: string | null; overview: Overview | null }

function Deletion({ person, etag, overview }: DeletionProps) {
  const text = words().people
  return (
    <Section id="delete" title={words().common.delete}>
      <Asking
        label={words().common.delete}
        question={fillNodes(text.deleteAsk, { name: <bdi>{person.username}</bdi> })}
        body={
          <>
            <p>{text.deleteBody}</p>
            {overview && (
              <Ends
                counts={[
                  ...accessOf(overview),
                  [text.items.passkeys.title, overview.passkeys + overview.second_factor_keys],
                  [text.items.externalLogins.title, overview.external_logins],
                ]}
              />
            )}
          </>
        }
        confirm={person.username}
        act={() => call({ method: 'DELETE', path: pathOf(person.id), etag, username: person.username })}
        then={() => go(at('people'))}
      />
    </Section>
  )
}
