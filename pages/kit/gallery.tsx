/** Shows every component of the kit in every state, for tests and for those who change it. `?view=card`, `?dir=rtl`. */
import { type ComponentChildren, render } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { loadTexts } from '../texts.ts'
import { AreaFrame, Section } from './area.tsx'
import { Asking, QuestionPanel } from './asking.tsx'
import { Avatar, avatarColourOf, avatarColours } from './avatar.tsx'
import { Button, ButtonLink, type Look } from './button.tsx'
import { Explained, Field, Form, Select } from './field.tsx'
import { FileChoice } from './file-choice.tsx'
import { Record } from './gallery-record.tsx'
import { Tables } from './gallery-table.tsx'
import { Check, Labelled } from './labelled.tsx'
import { Card, Notice, PersonLine, RetryButton, Skeleton } from './layout.tsx'
import { Dialog, Facts, Item, List, RowLink } from './list.tsx'
import { PasswordBox } from './password-box.tsx'
import { useSaid } from './said.tsx'
import { ValueControl } from './value-control.tsx'

const looks: readonly Look[] = ['main', 'quiet', 'danger', 'link']
const nothing = () => {}

function Area() {
  return (
    <AreaFrame
      title="The kit"
      mark={<span class="tag">Tag</span>}
      person="ליאת (9)"
      skip="Skip to the content"
      navigation="Pages"
      links={['Overview', 'Security', 'Devices'].map((label, at) => ({ href: `#${at}`, label, isCurrent: at === 0 }))}
      signOut={<button type="button">Sign out</button>}
      back={{ address: '#back', label: 'Back to the list' }}
      lead="Every component in every state."
      actions={
        <>
          <ButtonLink href="#new">Add</ButtonLink>
          <ButtonLink look="quiet" href="#other">
            Invite
          </ButtonLink>
        </>
      }
    >
      <Section id="buttons" title="Buttons">
        {looks.map((look) => (
          <p key={look} class="buttons">
            <Button look={look}>{look}</Button>
            <Button look={look} busy>
              {look}, busy
            </Button>
            {look !== 'link' && (
              <Button look={look} disabled>
                {look}, disabled
              </Button>
            )}
          </p>
        ))}
        <Button aria-pressed>Pressed</Button>
      </Section>
      <Section id="fields" title="Fields">
        <Fields />
      </Section>
      <Section id="columns" title="Fields in columns">
        <Form onSubmit={nothing}>
          <fieldset class="plain-set columns" disabled>
            {['First name', 'Last name', 'Nickname'].map((label) => (
              <Field key={label} label={label} value="Disabled" onInput={nothing} />
            ))}
          </fieldset>
        </Form>
      </Section>
      <Section id="values" title="Values of a type">
        <Values />
      </Section>
      <Section id="notices" title="Notices">
        <Notices />
      </Section>
      <Section id="questions" title="Questions and dialogs">
        <Questions />
      </Section>
      <Section id="lists" title="Lists">
        <Lists />
      </Section>
      <Section id="records" title="Records in rows">
        <Tables />
      </Section>
      <Section id="record" title="One record">
        <Record />
      </Section>
      <Section id="data" title="Facts, code and tables">
        <Data />
      </Section>
      <Section id="people" title="People">
        <People />
      </Section>
      <Section id="loaders" title="Loaders">
        <Skeleton rows={['line', 'field', 'block', 'button']} />
        <RetryButton onClick={nothing} />
      </Section>
      <section class="panel warning" aria-label="Warning">
        <p>
          <strong>A panel that warns.</strong>
        </p>
      </section>
    </AreaFrame>
  )
}

/** One person for each colour. */
function People() {
  const names = ['Ada Lovelace', 'ליאת כהן', '王小明', 'عمر خليل', 'İlker Demir', 'Zoë van Dyke']
  const subjects = Array.from({ length: 100 }, (_, at) => String(at))
  return (
    <p class="buttons">
      {Array.from({ length: avatarColours }, (_, at) => (
        <Avatar
          key={at}
          subject={subjects.find((one) => avatarColourOf(one) === at + 1) ?? ''}
          name={names[at % names.length] ?? ''}
        />
      ))}
    </p>
  )
}

const kinds = [
  { type: 'text', many: false },
  { type: 'text', many: true },
  { type: 'boolean', many: false },
  { type: 'date', many: false },
  { type: 'choice', many: false },
  { type: 'choice', many: true },
] as const

function Values() {
  const [typed, setTyped] = useState('')
  return (
    <Form onSubmit={nothing}>
      {kinds.flatMap(({ type, many }) =>
        [false, true].map((isReadOnly) => (
          <ValueControl
            key={`${type} ${many} ${isReadOnly}`}
            id={`value-${type}-${many}-${isReadOnly}`}
            label={`${type}${many ? ', several' : ''}${isReadOnly ? ', only shown' : ''}`}
            type={type}
            many={many}
            choices={[
              { value: 'm', label: 'Medium' },
              { value: 'l', label: 'Large' },
            ]}
            typed={isReadOnly ? { text: 'Typed', boolean: 'true', date: '2024-02-29', choice: 'm' }[type] : typed}
            set={setTyped}
            fault={!isReadOnly && 'Not a valid value.'}
            hint="Said below it."
            isReadOnly={isReadOnly}
            words={{ yes: 'Yes', no: 'No', none: 'None', onePerLine: 'One per line.' }}
          />
        )),
      )}
    </Form>
  )
}

function Fields() {
  const [value, setValue] = useState('typed')
  const box = useRef<HTMLInputElement>(null)
  const fields = { value, onInput: setValue }
  return (
    <Form onSubmit={nothing}>
      <Field label="A box" {...fields} />
      <Field label="With a hint" hint="Said below the box." {...fields} />
      <Field label="With a fault" hint="Said below the fault." fault="Not a valid value." {...fields} />
      <Field label="For several lines" lines={3} {...fields} />
      <Files />
      <Field label="For a moment" type="datetime-local" value="2026-01-01T12:00" onInput={nothing} />
      <Labelled id="beside" label="With a hint beside it" hint="optional">
        <input id="beside" type="text" aria-describedby="beside-hint" />
      </Labelled>
      <Password id="hidden" />
      <Password id="shown" isShown />
      <Select
        label="A choice"
        value="1"
        hint="One of two."
        options={[
          ['1', 'First'],
          ['2', 'Second'],
        ]}
        onChange={nothing}
      />
      <fieldset class="choices">
        <legend>Choices</legend>
        <Check defaultChecked>On</Check>
        <Check>Off</Check>
      </fieldset>
      <search class="filters">
        <Field label="Search" type="search" boxRef={box} {...fields} />
        <Check>Only new</Check>
      </search>
    </Form>
  )
}

function Files() {
  const [name, setName] = useState<string | null>(null)
  const words = { choose: 'Choose a file', drop: 'or drop it here' }
  const file = { words, accept: 'image/png', choose: (chosen: File) => setName(chosen.name) }
  return (
    <>
      <Explained id="picture" label="A file" hint="Of a certain kind.">
        <FileChoice id="picture" label="A file" hint="Of a certain kind." name={name} {...file} />
      </Explained>
      <fieldset class="plain-set" disabled>
        <Explained id="fixed-picture" label="A fixed file">
          <FileChoice id="fixed-picture" label="A fixed file" name={null} {...file} />
        </Explained>
      </fieldset>
    </>
  )
}

function Password({ id, isShown = false }: { id: string; isShown?: boolean }) {
  const [visible, setVisible] = useState(isShown)
  const words = { label: `Password, ${id}`, showCharacters: `Show characters, ${id}`, capsLock: 'Caps Lock is on' }
  const box = useRef<HTMLInputElement>(null)
  return <PasswordBox id={id} words={words} inputRef={box} visible={visible} onVisible={setVisible} />
}

function Notices() {
  const [said, say] = useSaid()
  return (
    <>
      <Notice>
        <p>Something went wrong. </p>
        <RetryButton quiet onClick={nothing} />
      </Notice>
      <Notice role="status">Something succeeded.</Notice>
      <Notice role="note">Something to know.</Notice>
      {said}
      <Button onClick={() => say('Saved.')}>Say so</Button>
    </>
  )
}

function Questions() {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = { body: <p>It cannot be undone.</p>, cancel: 'Cancel', busy: false, problem: null, onCancel: nothing }
  return (
    <>
      <div class="buttons">
        <Asking {...asked} label="Delete" question="Delete it?" act={(close) => close()} />
        <Asking
          {...asked}
          label="Delete for good"
          question="Delete it for good?"
          confirm={{ label: 'Enter its name', text: 'name' }}
          act={(close) => close()}
        />
        <Button onClick={() => dialog.current?.showModal()}>Open the dialog</Button>
      </div>
      <QuestionPanel question="Is it open?" body={<p>It stands in the place of its button.</p>} close={nothing}>
        <div class="buttons">
          <Button look="danger">Yes</Button>
          <Button>No</Button>
        </div>
      </QuestionPanel>
      <Dialog boxRef={dialog} id="dialog" title="A dialog">
        <p>
          <kbd>?</kbd> It stands over the page.
        </p>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </Dialog>
    </>
  )
}

function Lists() {
  const tags = ['', 'active', 'warning', 'failed']
  return (
    <>
      <PersonLine label="Signed in as" name="alice">
        <a href="#not-you">Not you?</a>
      </PersonLine>
      <ul class="switch">
        {['Day', 'Month'].map((label) => (
          <li key={label}>
            <a href={`#${label}`} aria-current={label === 'Day' ? 'true' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      <List items={tags}>
        {(tag) => (
          <Item key={tag} id={`item-${tag}`} title={<bdi>A thing</bdi>} action={<Button>Remove</Button>}>
            <p>
              What is said of it. <small class={`tag ${tag}`}>{tag || 'tag'}</small>
            </p>
          </Item>
        )}
      </List>
      <List items={['alice', 'bob', 'a name that is so long that it has to be broken somewhere'.replaceAll(' ', '-')]}>
        {(name) => (
          <RowLink key={name} href={`#${name}`} name={name}>
            <span class="quiet">{name}@example.com</span>
            <span class="quiet">not confirmed</span>
          </RowLink>
        )}
      </List>
      <List items={[]} empty="There is nothing yet.">
        {() => null}
      </List>
    </>
  )
}

function Data() {
  return (
    <>
      <Facts
        facts={[
          ['Client ID', <code key="id">orchard</code>],
          ['Name', <bdi key="name">Orchard Planner</bdi>],
        ]}
      />
      <h3>A heading of the third level</h3>
      <div class="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the keys, too */}
        <pre tabIndex={0}>
          <code>curl https://id.example.com/.well-known/openid-configuration --header 'Accept: application/json'</code>
        </pre>
        <Button>Copy</Button>
      </div>
      <details open>
        <summary>Details</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wide is scrolled with the keys, too */}
        <section class="scrolled" tabIndex={0} aria-label="Numbers">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Sign-ins</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Monday</th>
                <td>12</td>
              </tr>
              <tr>
                <th scope="row">Tuesday</th>
                <td class="nothing">0</td>
              </tr>
            </tbody>
          </table>
        </section>
      </details>
    </>
  )
}

/** What a page of one card is made of. */
function CardView() {
  return (
    <Card title="The kit" lead="A page that is one card." mark={<span class="hint">Mark</span>}>
      <Notice>
        Something went wrong. <RetryButton quiet onClick={nothing} />
      </Notice>
      <Notice role="status">Something succeeded.</Notice>
      <PersonLine label="Signed in as" name="ליאת (9)">
        <a href="#not-you">Not you?</a>
      </PersonLine>
      <Fields />
      <p class="or">
        <span>or</span>
      </p>
      <Actions>
        <Button look="main">Sign in</Button>
        <Button look="main" busy>
          Signing in
        </Button>
        <Button>Cancel</Button>
        <ButtonLink look="quiet" href="#elsewhere">
          Elsewhere
        </ButtonLink>
      </Actions>
      <p class="ways">
        <a href="#forgot">Forgot password?</a>
        <a href="#create">Create an account</a>
      </p>
      <p class="aside">Something beside the matter.</p>
      <Skeleton rows={['line', 'field', 'block', 'button']} />
    </Card>
  )
}

const Actions = ({ children }: { children: ComponentChildren }) => <div class="actions">{children}</div>

const query = new URLSearchParams(location.search)
document.documentElement.dir = query.get('dir') ?? 'ltr'
await loadTexts()
render(query.get('view') === 'card' ? <CardView /> : <Area />, document.getElementById('app') as HTMLElement)
