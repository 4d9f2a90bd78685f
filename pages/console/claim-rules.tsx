import { useState } from 'preact/hooks'
import { claimForms } from '../../src/protocol/claims/claim-rules.ts'
import { personClaims } from '../../src/protocol/claims/standard-claims.ts'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Form, Select } from '../kit/field.tsx'
import { Check } from '../kit/labelled.tsx'
import { Item, List } from '../kit/list.tsx'
import type { Result } from './api.ts'
import type { Attribute } from './attribute-fields.tsx'
import { Field, useChange } from './change.tsx'
import type { ClaimRule, Place, Form as Shape } from './claim-rule.ts'
import { useList } from './loaded.tsx'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'
import { useTypedForm } from './unsaved.ts'

type Props = {
  rules: readonly ClaimRule[]
  lead: string
  /** Where a rule puts its claim unless it says so. */
  places: readonly Place[]
  /** Stores all rules; undefined: nobody may change them here. */
  save: ((rules: ClaimRule[]) => Promise<Result<unknown>>) | undefined
  saved(value: unknown, etag: string | null): void
}

/** What a scope or an application puts into tokens. */
export function ClaimRules({ rules, lead, places, save, saved }: Props) {
  const text = words().rules
  const change = useChange()
  const sources = useSources()
  const remove = (index: number) => save && change.run(() => save(rules.filter((_, at) => at !== index)), saved)
  return (
    <Section id="claims" title={text.title}>
      <p class="quiet">{lead}</p>
      <List items={rules} empty={text.empty}>
        {(rule, index) => (
          <Item
            key={index}
            title={<bdi>{rule.claim}</bdi>}
            action={
              save && (
                <Button busy={change.busy} onClick={() => remove(index)}>
                  {text.remove}
                </Button>
              )
            }
          >
            <p class="quiet">
              <bdi>{labelOf(sources, rule.from)}</bdi> · {(rule.in ?? places).map((one) => text.places[one]).join(', ')}
              {rule.as && rule.as !== 'auto' && ` · ${text.forms[rule.as]}`}
            </p>
          </Item>
        )}
      </List>
      {change.failed && <ProblemNotice result={change.failed} />}
      {save && (
        <AddRule
          places={places}
          sources={sources}
          taken={rules.map(({ claim }) => claim)}
          save={(rule) => save([...rules, rule])}
          saved={saved}
        />
      )}
    </Section>
  )
}

type Sources = readonly (readonly [from: string, label: string])[]

const attribute = 'attribute:'
/** Those that need a value beside them. */
const [constant, standardClaim, rolesOf] = ['constant:', 'claim:', 'roles:']
const valued: readonly string[] = [constant, standardClaim, rolesOf]
const [firstClaim = ''] = personClaims

const labelOf = (sources: Sources, from: string): string => sources.find(([name]) => name === from)?.[1] ?? from

/** What a value can come from: the attributes that there are, and what everybody has. */
function useSources(): Sources {
  const { items } = useList<Attribute>('/attributes', { limit: 500 })
  const { sources, ...text } = words().rules
  const everybodys = (['groups', 'groups:names', 'username', 'id', 'created_at', 'client_id'] as const).map(
    (name) => [name, sources[name]] as const,
  )
  return [
    ...(items ?? []).map(({ name, label }) => [attribute + name, label ?? name] as const),
    ['roles', sources.roles],
    [rolesOf, text.rolesOf],
    ...everybodys,
    [standardClaim, text.standardClaim],
    [constant, text.constant],
  ]
}

type AddProps = {
  places: readonly Place[]
  sources: Sources
  /** The claims that are there. */
  taken: readonly string[]
  save(rule: ClaimRule): Promise<Result<unknown>>
  saved(value: unknown, etag: string | null): void
}

function AddRule({ places, sources, taken, save, saved }: AddProps) {
  // Null: nothing was typed.
  const [typedClaim, setClaim] = useState<string | null>(null)
  const [chosen, setFrom] = useState<string>()
  const [value, setValue] = useState('')
  const [inPlaces, setPlaces] = useState(places)
  const [form, setForm] = useState<Shape>('auto')
  const change = useChange()
  const typed = useTypedForm()
  change.onRun.current = typed.sending
  const text = words().rules
  const from = chosen ?? sources[0]?.[0] ?? ''
  const nameOfSource = from.startsWith(attribute) ? from.slice(attribute.length) : ''
  const claim = typedClaim ?? (taken.includes(nameOfSource) ? '' : nameOfSource)
  const add = () => {
    const isDefault = inPlaces.length === places.length && places.every((one) => inPlaces.includes(one))
    const rule: ClaimRule = {
      claim: claim.trim(),
      from: valued.includes(from) ? `${from}${value.trim()}` : from,
      ...(!isDefault && { in: [...inPlaces] }),
      ...(form !== 'auto' && { as: form }),
    }
    return change.run(
      () => save(rule),
      (stored, etag) => {
        // What was typed meanwhile stays.
        setClaim((now) => (now === typedClaim ? null : now))
        setValue((now) => (now === value ? '' : now))
        setFrom((now) => (now === chosen ? undefined : now))
        setPlaces((now) => (now === inPlaces ? places : now))
        setForm((now) => (now === form ? 'auto' : now))
        saved(stored, etag)
      },
    )
  }
  return (
    <Form class="form below" formRef={typed.form} onSubmit={add}>
      <Field label={text.claim} name="claim" hint={text.claimHint} value={claim} onInput={setClaim} required />
      <Select
        label={text.from}
        value={from}
        options={sources}
        onChange={(name) => {
          setFrom(name)
          setValue(name === standardClaim ? firstClaim : '')
        }}
      />
      {from === standardClaim && (
        <Select
          label={text.standardClaim}
          value={value}
          options={personClaims.map((name) => [name, name])}
          onChange={setValue}
        />
      )}
      {from === rolesOf && <Field label={text.clientId} name="client" value={value} onInput={setValue} required />}
      {from === constant && (
        <Field
          label={text.constant}
          name="constant"
          hint={text.constantHint}
          value={value}
          onInput={setValue}
          required
        />
      )}
      <fieldset class="choices">
        <legend>{text.in}</legend>
        {Object.entries(text.places).map(([name, label]) => (
          <Check
            key={name}
            checked={inPlaces.includes(name as Place)}
            onChange={(isChosen) =>
              setPlaces(isChosen ? [...inPlaces, name as Place] : inPlaces.filter((one) => one !== name))
            }
          >
            {label}
          </Check>
        ))}
      </fieldset>
      <Select
        label={text.as}
        value={form}
        options={claimForms.map((name) => [name, text.forms[name]])}
        onChange={(name) => setForm(name as Shape)}
      />
      {change.failed && <ProblemNotice result={change.failed} />}
      <Button type="submit" busy={change.busy}>
        {text.add}
      </Button>
    </Form>
  )
}
