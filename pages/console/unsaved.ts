/** What is typed into the forms of a page and not saved. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export type Unsaved = {
  /** Pages at or below this address keep what is typed. */
  within: string
  isChanged(): boolean
  /** Forgets what is typed. */
  discard(): void
}

const forms = new Set<RefObject<Unsaved>>()

/** The forms with something that leaving for this path loses; undefined: leaving the console. */
export const unsavedFor = (path?: string): readonly Unsaved[] =>
  [...forms].flatMap(({ current: form }) =>
    form === null || !form.isChanged() || (path !== undefined && isWithin(path, form.within)) ? [] : [form],
  )

const isWithin = (path: string, address: string): boolean => path === address || path.startsWith(`${address}/`)

/** Notes what a form has, for as long as it is shown. */
export function useUnsaved(unsaved: Unsaved): void {
  const entry = useRef(unsaved)
  entry.current = unsaved
  useEffect(() => {
    forms.add(entry)
    return () => {
      forms.delete(entry)
    }
  }, [])
}

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Values = ReadonlyMap<Input, string | boolean>

const typedIn = (field: Input): string | boolean =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type) ? field.checked : field.value

const valuesOf = (form: HTMLFormElement | null): Values =>
  new Map([...(form?.querySelectorAll<Input>('input, textarea, select') ?? [])].map((one) => [one, typedIn(one)]))

/**
 * Compares the fields of a form with what they had before somebody began to type. `sending`: notes what is sent, and returns
 * what takes that for saved. `within`: as of `Unsaved`; null: the page
 * notes itself what is typed.
 */
export function useTypedForm(within: string | null = location.pathname) {
  const form = useRef<HTMLFormElement>(null)
  const before = useRef<Values | null>(null)
  const place = useRef(within)
  const forget = () => {
    before.current = null
  }
  const isChanged = () => {
    const { current: known } = before
    return (
      known !== null &&
      place.current !== null &&
      [...valuesOf(form.current)].some(([field, value]) => value !== (known.get(field) ?? blankOf(value)))
    )
  }
  useUnsaved({ within: place.current ?? '', isChanged, discard: forget })
  useEffect(() => {
    const { current: element } = form
    // Nothing is typed before one of these.
    const note = () => {
      before.current ??= valuesOf(element)
    }
    // What was kept over a sign-in is filled in by a script alone.
    const noteFilled = () => {
      before.current ??= new Map()
    }
    for (const name of begins) element?.addEventListener(name, note, true)
    element?.addEventListener('input', noteFilled, true)
    return () => {
      for (const name of begins) element?.removeEventListener(name, note, true)
      element?.removeEventListener('input', noteFilled, true)
    }
  }, [])
  const sending = () => {
    const sent = valuesOf(form.current)
    return () => {
      before.current = sent
      if (!isChanged()) forget()
    }
  }
  return { form, sending }
}

const begins = ['focusin', 'keydown', 'pointerdown'] as const
/** What a field that was added meanwhile has until something is typed. */
const blankOf = (value: string | boolean): string | boolean => (typeof value === 'boolean' ? false : '')
