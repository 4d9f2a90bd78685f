import { AreaFrame, type AreaProps } from '../kit/area.tsx'
import { ShowAsCommand } from './command.tsx'
import { useMe } from './me.tsx'
import { pages } from './pages.ts'
import { at } from './router.tsx'
import { signOut } from './session.ts'
import { words } from './texts.ts'

type Props = Pick<AreaProps, 'title' | 'windowTitle' | 'back' | 'lead' | 'actions' | 'busy'> & {
  /** The page of the navigation that this one belongs to. */
  page: string
  children?: AreaProps['children']
}

/** A page of the console. */
export function Frame({ page, children, ...props }: Props) {
  const me = useMe()
  const text = words()
  return (
    <AreaFrame
      {...props}
      wide
      mark={<span class="tag">{text.frame.console}</span>}
      person={me.username}
      skip={text.frame.skip}
      navigation={text.frame.navigation}
      links={pages
        .filter(({ permission }) => me.may(permission))
        .map(({ name, path }) => ({ href: at(...path), label: text.pages[name], isCurrent: name === page }))}
      signOut={
        <button type="button" onClick={signOut}>
          {text.frame.signOut}
        </button>
      }
    >
      {children}
      <ShowAsCommand />
    </AreaFrame>
  )
}
