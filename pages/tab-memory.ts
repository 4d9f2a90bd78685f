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
  /** The address of a page, and what was typed into its forms, as one text. */
  | 'typed'
  /** The address of a page, and the token of the link that opened it, as one text. */
  | 'link'
  /** What was entered to get a mail. */
  | 'mailedTo'
  /** What a person had begun in the account area before a sign-in was asked for, with the address and the time. */
  | 'begun'
  /** Whose recovery codes are on the screen and not kept yet, and where their page leads, as one text. Never the codes. */
  | 'codes'
  /** A page of the account area was loaded again, because somebody else had signed in. */
  | 'changed'
  /** The language that was chosen on the page before this one. */
  | 'language'

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

/** The form whose answer this page is: the address of its page, and its action. */
export type AnsweredForm = { page: string; action: string }

/** Once a page: what was remembered for an answer that did not come must not be taken for that of a later one. */
export function takeForm(): AnsweredForm | null {
  const [page, action] = recall('form')?.split('\n') ?? []
  if (!page || !action) return null
  remember('form', '')
  return { page, action }
}

/**
 * An answer to a form that was posted cannot be loaded again without posting it again, by then with an old token. So
 * the address of a problem becomes that of the page the form was on.
 */
export function returnAddressToForm({ page, action }: AnsweredForm): void {
  if (page.startsWith('/') && action === location.pathname + location.search) history.replaceState(null, '', page)
}
