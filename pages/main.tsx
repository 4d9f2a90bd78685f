import { LoginPage } from './login.tsx'
import { show } from './start.tsx'
import { takeForm } from './tab-memory.ts'
import { loadTexts } from './texts.ts'
import { takeTypedFromAddress } from './typed.ts'

const form = takeForm()
/** A sign-out leads to the root when no application has an address for it. */
const signedOut = location.pathname === '/' && form?.action === '/connect/logout'
if (location.pathname === '/') history.replaceState(null, '', '/Account/Login')
// Before anything is waited for: the address is on the screen already.
if (takeTypedFromAddress('username')) await new Promise(() => {})

await loadTexts()
show(<LoginPage signedOut={signedOut} />)
