import type { ComponentChildren } from 'preact'
import { Skeleton } from '../kit/layout.tsx'
import { List } from '../kit/list.tsx'
import { type List as LoadedList, NotLoaded } from './loaded.tsx'
import { More } from './more.tsx'

type Props<T> = {
  list: LoadedList<T>
  /** What to do first, where there is nothing. */
  empty: ComponentChildren
  children(item: T, index: number): ComponentChildren
}

/** A list that is read page by page. */
export function ListPart<T>({ list, empty, children }: Props<T>) {
  const { items, failed, reload } = list
  if (items === null) {
    if (failed === null) return <Skeleton rows={['block', 'block', 'block']} />
    return <NotLoaded failed={failed} reload={reload} />
  }
  return (
    <>
      <List items={items} empty={list.hasMore ? null : empty}>
        {children}
      </List>
      <More list={list} />
    </>
  )
}
