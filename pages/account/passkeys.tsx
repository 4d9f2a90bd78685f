import { useEffect, useRef, useState } from 'preact/hooks'
import { describeAgent } from '../../src/users/user-agent'
import { agentInWords } from '../agent-words.ts'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Field, Form } from '../kit/field.tsx'
import { Notice } from '../kit/layout.tsx'
import { Item, List } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { entry, fill, fillNodes } from '../texts.ts'
import { begun, forgetBegun, isBegun } from './begun.ts'
import { change } from './json.ts'
import { type Loaded, Part, useLoaded } from './loaded.tsx'
import {
  type Creation,
  type CreationOptions,
  canCreatePasskeys,
  createPasskey,
  type PasskeyList,
  signalPasskeys,
} from './passkey-creation.ts'
import { Asking, errorOf, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { withWhen } from './when.tsx'

type Passkey = {
  id: string
  credential_id: string
  name: string
  synced: boolean
  created_at: string
  last_used_at: string | null
}
type Listed = PasskeyList & { items: Passkey[] }
type Trouble = Exclude<Creation['kind'], 'ok'>

type PasskeysProps = {
  /** What else the page shows may depend on them. */
  onChange(): Promise<void>
  /** After one was added: a first second factor is followed by recovery codes. */
  onFirst(): Promise<void>
}

/** The passkeys of the person. */
export function Passkeys({ onChange, onFirst }: PasskeysProps) {
  const text = words().security.passkeys
  const loaded = useLoaded<Listed>('/Account/Self/passkeys')
  const [said, say] = useSaid()

  useEffect(() => {
    if (loaded.value) void signalPasskeys(loaded.value)
  }, [loaded.value])

  const renew = async (words: string) => {
    await Promise.all([loaded.reload(), onChange()])
    say(words)
  }
  return (
    <Section id="passkeys" title={text.title}>
      <p class="quiet">{text.lead}</p>
      {said}
      <Part loaded={loaded}>{({ items }) => <Items items={items} renew={renew} />}</Part>
      <Add loaded={loaded} renew={renew} then={onFirst} />
    </Section>
  )
}

type Renew = (words: string) => Promise<void>

function Add({ loaded, renew, then }: { loaded: Loaded<Listed>; renew: Renew; then(): Promise<void> }) {
  const text = words().security.passkeys
  const task = useTask()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [goesOn] = useState(isBegun('passkey'))
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (goesOn && loaded.value) button.current?.focus()
  }, [loaded.value === null])

  function add(): void {
    setTrouble(null)
    const name = newName()
    const doing = { task: 'passkey' }
    void task.run<Passkey | null>(
      async () => {
        const options = await change<CreationOptions>('POST', '/Account/Self/passkeys/options', undefined, doing)
        if (options.kind !== 'ok') return options
        const made = await createPasskey(options.value)
        if (made.kind !== 'ok') {
          setTrouble(made.kind)
          return { kind: 'ok', value: null }
        }
        return change<Passkey | null>('POST', '/Account/Self/passkeys', { name, credential: made.credential }, doing)
      },
      async (added) => {
        if (!added) return
        await renew(fill(text.added, { name: added.name }))
        await then()
      },
    )
  }

  if (!canCreatePasskeys) return <p class="quiet">{text.unsupported}</p>
  return (
    <div class="below">
      {goesOn && <Notice role="status">{words().common.goOn}</Notice>}
      <TaskNotice task={task} errors={text.errors} />
      {trouble && <Notice>{text[trouble]}</Notice>}
      <Button buttonRef={button} look="main" busy={task.busy} onClick={add}>
        {text.add}
      </Button>
    </div>
  )
}

/** What a new passkey is called until it is renamed. */
function newName(): string {
  const { browserOn } = words().common
  return agentInWords(describeAgent(navigator.userAgent), {
    browserOn,
    unknownBrowser: words().security.passkeys.newName,
  })
}

function Items({ items, renew }: { items: Passkey[]; renew: Renew }) {
  const text = words().security.passkeys
  if (items.length === 0) return <p>{text.none}</p>
  return <List items={items}>{(one) => <PasskeyItem key={one.id} passkey={one} renew={renew} />}</List>
}

function PasskeyItem({ passkey, renew }: { passkey: Passkey; renew: Renew }) {
  const { id, name } = passkey
  const text = words().security.passkeys
  const common = words().common
  const address = `/Account/Self/passkeys/${encodeURIComponent(id)}`
  const [renaming, setRenaming] = useState(isBegun(`rename-${id}`))
  const rename = useRef<HTMLButtonElement>(null)
  const wasRenaming = useRef(false)

  useEffect(() => {
    if (wasRenaming.current && !renaming) rename.current?.focus()
    wasRenaming.current = renaming
  }, [renaming])

  if (renaming)
    return (
      <li class="item">
        <Rename
          passkey={passkey}
          address={address}
          close={() => setRenaming(false)}
          then={async () => {
            setRenaming(false)
            await renew(text.renamed)
          }}
        />
      </li>
    )
  return (
    <Item
      id={`passkey-${id}`}
      title={<bdi>{name}</bdi>}
      action={
        <>
          <Button buttonRef={rename} aria-describedby={`passkey-${id}`} onClick={() => setRenaming(true)}>
            {text.rename}
          </Button>
          <Asking
            label={text.remove}
            question={fillNodes(text.ask, { name: <bdi>{name}</bdi> })}
            body={text.askBody}
            name={`remove-${id}`}
            describedBy={`passkey-${id}`}
            errors={text.errors}
            act={() => change('DELETE', address, undefined, { task: `remove-${id}` })}
            then={() => renew(text.removed)}
          />
        </>
      }
    >
      <p>{passkey.synced ? text.synced : text.bound}</p>
      <p>
        {withWhen(common.created, passkey.created_at)} ·{' '}
        {passkey.last_used_at ? withWhen(common.lastUsed, passkey.last_used_at) : common.neverUsed}
      </p>
    </Item>
  )
}

type RenameProps = { passkey: Passkey; address: string; close(): void; then(): Promise<void> }

function Rename({ passkey, address, close, then }: RenameProps) {
  const text = words().security.passkeys
  const task = useTask()
  const doing = `rename-${passkey.id}`
  const [name, setName] = useState(begun(doing, 'name') ?? passkey.name)
  const box = useRef<HTMLInputElement>(null)
  const isInvalid = errorOf(task.failed) === 'name_invalid'

  useEffect(() => {
    box.current?.select()
  }, [])

  const cancel = () => {
    forgetBegun()
    close()
  }
  return (
    <Form
      class="form wide"
      noValidate
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
      onSubmit={() => task.run(() => change('PATCH', address, { name }, { task: doing, name }), then)}
    >
      <Field
        id={`name-${passkey.id}`}
        label={text.name}
        autocomplete="off"
        boxRef={box}
        value={name}
        onInput={setName}
        fault={isInvalid ? entry(text.errors, 'name_invalid', '') : null}
      />
      {!isInvalid && <TaskNotice task={task} errors={text.errors} />}
      <div class="buttons">
        <Button type="submit" look="main" busy={task.busy}>
          {text.save}
        </Button>
        <Button onClick={cancel}>{words().common.cancel}</Button>
      </div>
    </Form>
  )
}
