import type { ComponentChildren } from 'preact'
import { Skeleton } from '../layout.tsx'
import { Button } from './change.tsx'
import { type List, NotLoaded } from './loaded.tsx'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

type Props<T> = {
  list: List<T>
  /** What to do first, where there is nothing. */
  empty: ComponentChildren
  children(items: T[]): ComponentChildren
}

/** A list that is read page by page. */
export function ListPart<T>({ list, empty, children }: Props<T>) {
  const { items, failed, hasMore, busy, more, reload } = list
  if (items === null) {
    if (failed === null) return <Skeleton rows={['block', 'block', 'block']} />
    return <NotLoaded failed={failed} reload={reload} />
  }
  if (items.length === 0) return <p class="quiet">{empty}</p>
  return (
    <>
      {children(items)}
      {failed && <ProblemNotice result={failed} />}
      {hasMore && (
        <div class="below">
          <Button busy={busy} onClick={more}>
            {words().common.more}
          </Button>
        </div>
      )}
    </>
  )
}
