/** What was typed into the forms of a page, kept while the person signs in on another page. */
import { keepInTab, takeFromTab } from '../kept.ts'

const typedKey = 'latchkey.console.typed'

type Typed = { address: string; fields: { key: string; value: string | boolean }[] }
type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const addressNow = (): string => location.pathname + location.search

/** The fields of the forms, by their labels. Passwords and what has to be typed to confirm a loss are left out. */
function fieldsNow(): Map<string, Input> {
  const all = document.querySelectorAll<Input>('main .form :is(input:not([type=password]), textarea, select)')
  const found = new Map<string, Input>()
  for (const field of all) {
    const key = `${field.closest('section')?.id} ${field.labels?.[0]?.textContent}`
    if (!field.closest('.asking')) found.set(key, field)
  }
  return found
}

const isCheck = (field: Input): field is HTMLInputElement => field.type === 'checkbox'

export function keepTyped(): void {
  const fields = [...fieldsNow()].map(([key, field]) => ({ key, value: isCheck(field) ? field.checked : field.value }))
  const typed: Typed = { address: addressNow(), fields }
  keepInTab(typedKey, JSON.stringify(typed))
}

/** Fills in what was kept, once, as far as the page has the fields; those that come with others follow as they come. */
export function fillTyped(): void {
  const text = takeFromTab(typedKey)
  if (text === null) return
  const { address, fields } = JSON.parse(text) as Typed
  const left = new Map(fields.map(({ key, value }) => [key, value]))
  let timer: ReturnType<typeof setTimeout> | undefined
  // One field at a time: the page draws itself anew after each.
  const fill = () => {
    clearTimeout(timer)
    if (addressNow() !== address || left.size === 0) return stop()
    for (const [key, field] of fieldsNow()) {
      const value = left.get(key)
      if (value === undefined) continue
      left.delete(key)
      if (value === (isCheck(field) ? field.checked : field.value)) continue
      if (isCheck(field)) field.click()
      else {
        field.value = String(value)
        field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
      }
      timer = setTimeout(fill)
      return
    }
  }
  const observer = new MutationObserver(fill)
  // From the first key or press on, the person decides.
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    removeEventListener('keydown', stop)
    removeEventListener('pointerdown', stop)
  }
  addEventListener('keydown', stop)
  addEventListener('pointerdown', stop)
  observer.observe(document.body, { childList: true, subtree: true })
  fill()
}
