/**
 * What this tab remembers between its pages, so that an error page can lead back to where the visitor was. Nothing
 * here is trusted: an address is used only when it is local.
 */
type Fact =
  /** The page whose form is under way, and the form's action, as one text. */
  | 'form'
  /** Where a sign-in with a password leads to. */
  | 'signIn'
  /** Where a sign-in with an external provider leads to. */
  | 'provider'

export function remember(fact: Fact, value: string): void {
  try {
    sessionStorage.setItem(`latchkey.${fact}`, value)
  } catch {
    // The browser keeps nothing for this site; then the way back is a longer one.
  }
}

export function recall(fact: Fact): string | null {
  try {
    return sessionStorage.getItem(`latchkey.${fact}`)
  } catch {
    return null
  }
}

/** The login page, with the request that a sign-in at a provider was begun for. */
export function loginPageForProvider(): string {
  const returnUrl = recall('provider')
  return returnUrl ? `/Account/Login?ReturnUrl=${encodeURIComponent(returnUrl)}` : '/Account/Login'
}

export function rememberForm(action: string): void {
  remember('form', `${location.pathname}${location.search}\n${action}`)
}

/** Once a page: what was remembered for an answer that did not come must not be taken for that of a later one. */
function takeForm(): string | null {
  const form = recall('form')
  if (form) remember('form', '')
  return form
}

/**
 * An answer to a form that was posted cannot be loaded again without posting it again, by then with an old token. So
 * its address becomes that of the page the form was on.
 */
export function returnAddressToForm(isProblem: boolean): void {
  const [page, action] = takeForm()?.split('\n') ?? []
  if (isProblem && page?.startsWith('/') && action === location.pathname + location.search)
    history.replaceState(null, '', page)
}
