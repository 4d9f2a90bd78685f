import { Section } from '../kit/area.tsx'
import { site } from '../site.ts'
import type { Application, Setup } from './application-kinds.ts'
import { snippetsOf } from './application-snippets.ts'
import { Copyable } from './command.tsx'
import { InEnglish } from './problem.tsx'
import { words } from './texts.ts'

/** Code to begin with, filled in for the application. The secret comes from the environment. */
export function CodeSection({ client }: { client: Application }) {
  const text = words().applications
  return (
    <Section id="code" title={text.code}>
      <p class="quiet">{text.codeLead}</p>
      {snippetsOf(client, site.issuer ?? location.origin).map(([library, code]) => (
        <div class="snippet" key={library}>
          <h3>{library}</h3>
          <Copyable text={code} />
        </div>
      ))}
    </Section>
  )
}

/** The settings of a library, with the values of an application. */
export function SetupCode({ setup: { title, code, notes } }: { setup: Setup }) {
  return (
    <>
      <div class="snippet">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <Copyable text={code} />
      </div>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>
            <InEnglish>{note}</InEnglish>
          </li>
        ))}
      </ul>
    </>
  )
}
