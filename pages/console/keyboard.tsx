import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/list.tsx'
import { fill } from '../texts.ts'
import { useMe } from './me.tsx'
import { pages } from './pages.ts'
import { at, go } from './router.tsx'
import { words } from './texts.ts'

/** `/` goes to the search box, `?` lists the keys, and a digit goes to a page. */
export function Keyboard() {
  const dialog = useRef<HTMLDialogElement>(null)
  const me = useMe()
  const text = words().keyboard
  const reachable = pages.filter(({ permission }) => me.may(permission))

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, textarea, select, dialog')
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const page = reachable[Number(event.key) - 1]
      const search = document.querySelector<HTMLInputElement>('input[type="search"]')
      if (event.key === '?') dialog.current?.showModal()
      else if (event.key === '/' && search !== null) search.focus()
      else if (page !== undefined) go(at(...page.path))
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [reachable.length])

  return (
    <Dialog boxRef={dialog} id="keys" title={text.title}>
      <dl class="keys">
        <Key name="/">{text.search}</Key>
        <Key name="?">{text.help}</Key>
        {reachable.map(({ name }, index) => (
          <Key key={name} name={String(index + 1)}>
            {fill(text.goTo, { page: words().pages[name] })}
          </Key>
        ))}
      </dl>
      <Button onClick={() => dialog.current?.close()}>{text.close}</Button>
    </Dialog>
  )
}

function Key({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
