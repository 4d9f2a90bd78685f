import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { keep, kept } from '../kept.ts'
import { Button } from '../kit/button.tsx'
import { Check } from '../kit/labelled.tsx'
import { Dialog } from '../kit/list.tsx'
import { fill } from '../texts.ts'
import type Finder from './finder.tsx'
import { useMe } from './me.tsx'
import { pages } from './pages.ts'
import { at, goByKey } from './router.tsx'
import { words } from './texts.ts'

type FinderProps = Parameters<typeof Finder>[0]

/** In the storage of the browser: whether keys without Ctrl do nothing (WCAG 2.1.4). */
const storedAs = 'latchkey.single-keys'
const finderAsked = 'latchkey:find'

/** The keys that open the finder, as they are called on this machine. */
export const finderKeys = (): string => (/Mac|iP/.test(navigator.platform) ? '⌘ K' : words().keyboard.finderKeys)

/** Opens what these keys open. */
export const openFinder = (): boolean => dispatchEvent(new Event(finderAsked))

/**
 * Ctrl+K finds anything; `/` goes to the search box, `?` lists the keys, and a digit goes to a page. Those without Ctrl can be
 * switched off.
 */
export function Keyboard() {
  const dialog = useRef<HTMLDialogElement>(null)
  const finder = useRef<HTMLDialogElement>(null)
  const [Shown, setShown] = useState<ComponentType<FinderProps> | null>(null)
  const [hasSingle, setHasSingle] = useState(() => kept(storedAs) !== 'off')
  /** What is typed while the script of the finder is on its way; null: it is not. */
  const typedBefore = useRef<string | null>(null)
  const me = useMe()
  const text = words().keyboard
  const reachable = pages.filter(({ permission }) => me.may(permission))

  useEffect(() => {
    // A script that does not come leaves the page as it is; the next press loads it again.
    const find = () => {
      typedBefore.current ??= ''
      import('./finder.tsx').then(
        ({ default: page }) => setShown(() => page),
        () => {
          typedBefore.current = null
        },
      )
    }
    const onKey = (event: KeyboardEvent) => {
      if (typedBefore.current !== null && isText(event)) {
        event.preventDefault()
        typedBefore.current =
          event.key === 'Backspace' ? typedBefore.current.slice(0, -1) : typedBefore.current + event.key
        return
      }
      const isFinding = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (isFinding && !event.altKey && !event.shiftKey && document.querySelector('dialog[open]') === null) {
        event.preventDefault()
        return find()
      }
      const isTyping = (event.target as Element).closest('input, textarea, select, dialog')
      if (!hasSingle || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const page = reachable[Number(event.key) - 1]
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
      if (event.key === '?') dialog.current?.showModal()
      else if (event.key === '/' && search !== null) search.focus()
      else if (page !== undefined) goByKey(at(...page.path))
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    addEventListener(finderAsked, find)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(finderAsked, find)
    }
  }, [reachable.length, hasSingle])

  function change(isOn: boolean) {
    keep(storedAs, isOn ? null : 'off')
    setHasSingle(isOn)
  }

  return (
    <>
      <Dialog boxRef={dialog} id="keys" title={text.title}>
        <dl class="keys">
          <Key name={finderKeys()}>{text.find}</Key>
          {hasSingle && (
            <>
              <Key name="/">{text.search}</Key>
              <Key name="?">{text.help}</Key>
              {reachable.slice(0, 9).map(({ name }, index) => (
                <Key key={name} name={String(index + 1)}>
                  {fill(text.goTo, { page: words().pages[name] })}
                </Key>
              ))}
            </>
          )}
        </dl>
        <Check checked={hasSingle} onChange={change}>
          {text.single}
        </Check>
        <Button onClick={() => dialog.current?.close()}>{text.close}</Button>
      </Dialog>
      {Shown && (
        <Shown
          boxRef={finder}
          takeTyped={() => {
            const typed = typedBefore.current ?? ''
            typedBefore.current = null
            return typed
          }}
          showKeys={() => dialog.current?.showModal()}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}

/** Whether a key writes into a field, or takes back what it wrote. */
const isText = ({ key, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !isComposing && (key.length === 1 || key === 'Backspace')

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
