import { Button } from '../kit/button.tsx'
import type { List } from './loaded.tsx'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

/** Below a list: its next page, and why there is none. */
export function More<T>({ list }: { list: List<T> }) {
  if (list.items === null) return null
  return (
    <>
      {list.failed && <ProblemNotice result={list.failed} />}
      {list.hasMore && (
        <div class="below">
          <Button busy={list.busy} onClick={list.more}>
            {words().common.more}
          </Button>
        </div>
      )}
    </>
  )
}
