/** The pieces of a page of one record, as the gallery shows them. */
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Combobox } from './combobox.tsx'
import { Tabs } from './tabs.tsx'
import { Toasts, toast } from './toast.tsx'

const pages = ['Overview', 'Sign-in ways', 'Applications']
const roles = ['editor', 'reader', 'a-role-whose-name-is-so-long-that-it-has-to-be-broken-somewhere']

export function Record() {
  const [chosen, setChosen] = useState<readonly string[]>([])
  return (
    <>
      <Tabs
        label="Pages of the record"
        tabs={pages.map((label, at) => ({ href: `#tab-${at}`, label: <bdi>{label}</bdi>, isCurrent: at === 0 }))}
      />
      <Combobox
        label="Add a role"
        hint="Enter chooses what the arrow keys point at."
        none="No such role."
        choices={(typed) =>
          roles
            .filter((role) => role.includes(typed) && !chosen.includes(role))
            .map((role) => ({ value: role, label: <bdi>{role}</bdi>, detail: 'What it permits.' }))
        }
        choose={(role) => setChosen([...chosen, role])}
      />
      <Combobox label="Disabled" none="" choices={() => []} choose={() => {}} disabled />
      <p>Chosen: {chosen.join(', ') || 'none'}</p>
      <div class="buttons">
        <Button onClick={() => toast('The name was changed.', async () => 'The change was undone.')}>
          Say with a way back
        </Button>
        <Button onClick={() => toast('Sent.')}>Say for a while</Button>
      </div>
      <Toasts label="Messages" undo="Undo" dismiss="Dismiss" />
    </>
  )
}
