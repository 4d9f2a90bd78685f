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

function Step({ name, code }: { name: string; code: string }) {
  return (
    <div class="snippet">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <Copyable text={code} />
    </div>
  )
}

/** The settings of a library, with the values of an application. */
export function SetupCode({ setup: { title, code, environment, install, run, notes } }: { setup: Setup }) {
  const text = words().setUp
  return (
    <>
      {install !== undefined && <Step name={text.install} code={install} />}
      <Step name={title} code={code} />
      {environment !== undefined && <Step name={environment.title} code={environment.code} />}
      {run !== undefined && <Step name={text.run} code={run} />}
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
