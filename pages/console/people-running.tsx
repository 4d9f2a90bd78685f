import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import { fill, fillNodes } from '../texts.ts'
import { type Progress, type Report, stopRun, useRun } from './people-run.ts'
import { at, placeOf } from './router.tsx'
import { words } from './texts.ts'

/** How far a change of many people is, with its stop. `takesFocus`: what was pressed to begin it is gone. */
export function Running({ progress, takesFocus }: { progress: Progress; takesFocus: boolean }) {
  const text = words().people.bulk
  const stop = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) stop.current?.focus()
  }, [])
  return (
    <div class="bulk running">
      <p role="status">
        <strong>{text.acts[progress.act].label}</strong>{' '}
        {fill(text.progress, { done: numberInWords(progress.done), count: numberInWords(progress.count) })}
      </p>
      <Button buttonRef={stop} onClick={stopRun}>
        {text.stop}
      </Button>
      <progress value={progress.done} max={progress.count} aria-label={text.title} />
    </div>
  )
}

/** The same on the other pages. */
export function RunningElsewhere({ page }: { page: string }) {
  const { progress } = useRun(false)
  const { segments } = placeOf(location)
  // The list of people shows it among its own, and leads back.
  if (progress === null || (page === 'people' && segments.length === 1)) return null
  return <Running progress={progress} takesFocus={false} />
}

/** What came of it in short, with a link to the whole. */
export function reportInShort({ act, role, outcomes }: Report): ComponentChildren {
  const text = words().people.bulk
  const count = (kind: string) => outcomes.filter((one) => one.kind === kind).length
  const missing = count('failed') + count('left')
  return (
    <>
      {fillNodes(text.acts[act].done, { role: <bdi>{role}</bdi>, count: numberInWords(count('done')) })}
      {count('failed') > 0 && ` ${text.acts[act].failed} ${numberInWords(count('failed'))}.`}
      {count('left') > 0 && ` ${text.left} ${numberInWords(count('left'))}.`}
      {missing > 0 && [
        ' ',
        <a key="list" href={at('people')}>
          {words().pages.people}
        </a>,
      ]}
    </>
  )
}
