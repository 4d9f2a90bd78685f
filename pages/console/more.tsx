import { numberInWords } from '../account/when.tsx'
import { Button } from '../kit/button.tsx'
import type { List } from './loaded.tsx'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

type Props<T> = {
  list: List<T>
  /** What was looked at without finding any, with the number; absent: it is not said. */
  lookedAt?(count: string): string
}

/** Below a list: its next page, and why there is none. */
export function More<T>({ list, lookedAt }: Props<T>) {
  if (list.items === null) return null
  const text = words().common
  const isStopped = list.lookedAt !== null
  return (
    <>
      {list.failed && <ProblemNotice result={list.failed} />}
      <div role="status">
        {isStopped && (
          <p class="quiet">
            {list.items.length === 0 ? text.noneYet : text.noMoreYet}
            {lookedAt && list.lookedAt ? ` ${lookedAt(numberInWords(list.lookedAt))}` : ''}
          </p>
        )}
      </div>
      {list.hasMore && (
        <div class="below">
          <Button busy={list.busy} onClick={list.more}>
            {isStopped ? text.lookOn : text.more}
          </Button>
        </div>
      )}
    </>
  )
}
