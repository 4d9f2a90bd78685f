import type { ComponentChildren } from 'preact'
import { Section } from '../kit/area.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import type { List } from './loaded.tsx'
import { useMe } from './me.tsx'
import type { PageName } from './pages.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Props<T> = {
  page: PageName
  list: List<T>
  text: { lead: string; add: string; empty: string }
  /** Whoever has it may add one. */
  permission: string
  /** Of the list, if it is not that of the page. */
  title?: string
  children(item: T): ComponentChildren
}

/** The page with all records of a kind, and the way to a new one. */
export function ListPage<T>({ page, list, text, permission, title = words().pages[page], children }: Props<T>) {
  const me = useMe()
  return (
    <Frame
      page={page}
      title={words().pages[page]}
      lead={text.lead}
      busy={list.items === null && list.failed === null}
      actions={me.may(permission) && <ButtonLink href={at(page, 'new')}>{text.add}</ButtonLink>}
    >
      <Section id={page} title={title}>
        <ListPart list={list} empty={text.empty}>
          {children}
        </ListPart>
      </Section>
    </Frame>
  )
}
