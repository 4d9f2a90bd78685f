import { numberInWords } from '../account/when.tsx'
import { Ago } from '../kit/ago.tsx'
import { Section } from '../kit/area.tsx'
import { Facts } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { type Loaded, Part } from './loaded.tsx'
import type { Overview, PartProps } from './person-name.ts'
import { words } from './texts.ts'

/** The password and recovery codes: what has no list of its own in the API. */
export function PersonSignIn({ overview }: PartProps & { overview: Loaded<Overview> }) {
  const { overview: text, password } = words().people
  return (
    <Section id="credentials" title={text.credentials}>
      <Part loaded={overview}>
        {(facts) => (
          <Facts
            facts={[
              [password, passwordInWords(facts)],
              [text.recoveryCodes, numberInWords(facts.recovery_codes)],
            ]}
          />
        )}
      </Part>
    </Section>
  )
}

function passwordInWords({ password }: Overview) {
  const text = words().people.overview
  if (password === null) return text.noPassword
  if (password.changed_at === null) return text.passwordSet
  return fillNodes(text.passwordChanged, { when: <Ago iso={password.changed_at} /> })
}
