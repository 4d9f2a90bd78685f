import { AreaFrame, type AreaProps } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { ShowAsCommand } from './command.tsx'
import { finderKeys, openFinder } from './keyboard.tsx'
import { useMe } from './me.tsx'
import { type PageName, pagesFor } from './pages.ts'
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
      person={
        me.isReadOnly ? (
          <>
            {me.username} <span class="tag">{text.frame.readOnly}</span>
          </>
        ) : (
          me.username
        )
      }
      skip={text.frame.skip}
      navigation={text.frame.navigation}
      links={pagesFor(me.may).map(({ name, path, icon, isFirst }) => ({
        href: at(...path),
        label: text.pages[name],
        isCurrent: name === page,
        icon,
        isFirst,
      }))}
      signOut={
        <button type="button" onClick={signOut}>
          <Icon path="M6 2.5H2.75v11H6M6.5 8h7M10.75 5.25 13.5 8l-2.75 2.75" />
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
