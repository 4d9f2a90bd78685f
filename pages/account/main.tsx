import type { FunctionComponent } from 'preact'
import { NotFoundPage } from '../not-found.tsx'
import { path, show } from '../start.tsx'
import { loadTexts } from '../texts/index.ts'
import { takeTypedFromAddress } from '../typed.ts'
import './account.css'
import { ChoosePage } from './choose.tsx'

type Page = {
  component: FunctionComponent
  /** Parameters of the address that hold what a person typed; they are taken out of it, and `typed()` has them. */
  typed?: string[]
}

/** By path, in lower case. The server has the same list (`src/site/pages.ts`). */
const pages: Record<string, Page> = {
  '/account/choose': { component: ChoosePage },
}

const page = Object.hasOwn(pages, path) ? pages[path] : undefined
// Before anything is waited for: the address is on the screen already.
if (takeTypedFromAddress(...(page?.typed ?? []))) await new Promise(() => {})

await loadTexts()
const Component = page?.component ?? NotFoundPage
show(<Component />)
