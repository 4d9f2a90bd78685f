import { useState } from 'preact/hooks'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Form } from '../kit/field.tsx'
import { Notice } from '../kit/layout.tsx'
import { Facts } from '../kit/list.tsx'
import { Field } from './change.tsx'
import { valueIn } from './explained-value.ts'
import { Frame } from './frame.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { InEnglish } from './problem.tsx'
import { at, go } from './router.tsx'
import { words } from './texts.ts'

type Explanation = {
  rule: string
  id: string
  error: string
  what: string
  why: string
  fix: string
  source: string
  trace_id?: string
  time?: string
  detail?: Record<string, unknown>
}

/** `/admin/explain` and `/admin/explain/VALUE`. */
export default function ExplainPage({ segments }: { segments: readonly string[] }) {
  const [, value = ''] = segments
  const known = valueIn(value)
  const text = words().explain
  return (
    <Frame page="explain" title={words().pages.explain} lead={text.lead}>
      <Section id="ask" title={text.ask}>
        <Question key={value} value={value} />
      </Section>
      {known !== undefined && <Answer key={known} what={known} />}
    </Frame>
  )
}

function Question({ value }: { value: string }) {
  const [pasted, setPasted] = useState(value)
  const [asked, setAsked] = useState(value)
  const text = words().explain
  const isUnknown = asked !== '' && asked === pasted && valueIn(asked) === undefined
  return (
    <Form
      onSubmit={() => {
        setAsked(pasted)
        const found = valueIn(pasted)
        if (found !== undefined) go(at('explain', found))
      }}
    >
      <Field
        label={text.field}
        name="what"
        type="search"
        value={pasted}
        onInput={setPasted}
        hint={text.fieldHint}
        message={isUnknown ? text.notFoundIn : undefined}
        required
      />
      <Button type="submit" look="main">
        {text.explain}
      </Button>
    </Form>
  )
}

function Answer({ what }: { what: string }) {
  const loaded = useLoaded<{ items: Explanation[] }>(`/explain/${encodeURIComponent(what)}`)
  const text = words().explain
  const { failed } = loaded
  if (failed?.kind === 'refused' && failed.problem.status === 404) {
    return <Notice>{what.startsWith('ID') ? text.noCode : text.noTrace}</Notice>
  }
  return (
    <Part loaded={loaded}>
      {({ items }) =>
        items.map((one, index) => (
          <Explained key={index} id={`answer-${index}`} explanation={one} isOpen={index === 0} />
        ))
      }
    </Part>
  )
}

type ExplainedProps = { id: string; explanation: Explanation; isOpen: boolean }

/** One rule. A code stands for several: all but the first are folded below what they say. */
function Explained({ id, explanation, isOpen }: ExplainedProps) {
  const { what, why, fix, source, error, id: code, rule, time, detail = {} } = explanation
  const text = words().explain
  const facts = Object.entries(detail)
  return (
    <Section id={id} title={<InEnglish>{what}</InEnglish>}>
      <details open={isOpen}>
        <summary>{words().common.details}</summary>
        <Facts
          facts={[
            [text.why, <InEnglish key="why">{why}</InEnglish>],
            [text.fix, <InEnglish key="fix">{fix}</InEnglish>],
            [text.time, time && <When key="time" iso={time} />],
            [
              text.code,
              <>
                <a href={`/errors#${code}`} target="_blank" rel="noreferrer">
                  {code}
                </a>{' '}
                <code dir="ltr">{error}</code>
              </>,
            ],
            [
              text.rule,
              <code key="rule" dir="ltr">
                {rule}
              </code>,
            ],
            [text.source, <InEnglish key="source">{source}</InEnglish>],
          ]}
        />
        {facts.length > 0 && (
          <>
            <h3>{text.facts}</h3>
            <Facts
              facts={facts.map(([name, value]) => [
                <InEnglish key={name}>{nameInWords(name)}</InEnglish>,
                <bdi key={name}>{valueInWords(name, value)}</bdi>,
              ])}
            />
          </>
        )}
      </details>
    </Section>
  )
}

/** `issuedTo` becomes 'Issued to'; the unit of a number of seconds stands with the number. */
function nameInWords(name: string): string {
  const spaced = name.replace(/Seconds(?:Ago)?$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function valueInWords(name: string, value: unknown): string {
  const text = words().explain
  const language = document.documentElement.lang
  if (typeof value === 'number' && name.endsWith('SecondsAgo'))
    return new Intl.RelativeTimeFormat(language).format(-value, 'second')
  if (typeof value === 'number' && name.endsWith('Seconds'))
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(value)
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (Array.isArray(value)) return value.length === 0 ? words().common.none : value.join('\n')
  return String(value)
}
