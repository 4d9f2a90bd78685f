/** The address of a page that leads on to `returnUrl`. */
export function leadingTo(page: string, returnUrl: string): string {
  return returnUrl === '/' ? page : `${page}?ReturnUrl=${encodeURIComponent(returnUrl)}`
}
