import { AreaFrame, type AreaProps } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { ShowAsCommand } from './command.tsx'
import { finderKeys, openFinder } from './keyboard.tsx'
import { useMe } from './me.tsx'
import { type PageName, pages } from './pages.ts'
import { RunningElsewhere } from './people-running.tsx'
import { at } from './router.tsx'
import { signOut } from './session.ts'
import { words } from './texts.ts'

type Props = Pick<AreaProps, 'title' | 'windowTitle' | 'lead' | 'actions' | 'busy'> & {
  /** The page of the navigation that this one belongs to. */
  page: string
  /** Leads back to that page. */
  isBelow?: boolean
  children?: AreaProps['children']
}

/** A page of the console. */
export function Frame({ page, isBelow = false, children, ...props }: Props) {
  const me = useMe()
  const text = words()
  return (
    <AreaFrame
      {...props}
      {...(isBelow && { back: { address: at(page), label: text.pages[page as PageName] } })}
      wide
      menu={text.frame.menu}
      mark={<span class="tag">{text.frame.console}</span>}
      tools={
        <Button onClick={openFinder}>
          {text.finder.open} <kbd>{finderKeys()}</kbd>
        </Button>
      }
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
      <RunningElsewhere page={page} />
      {children}
      <ShowAsCommand />
    </AreaFrame>
  )
}
