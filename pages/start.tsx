import { type ComponentChild, render } from 'preact'

/** Shows a page in place of the notice that it takes long to load. */
export function show(page: ComponentChild): void {
  document.getElementById('late')?.remove()
  document.querySelector('#app > .waiting')?.remove()
  render(page, document.getElementById('app') as HTMLElement)
}

/** The path of this page, in lower case and without a slash at its end. */
export const path = location.pathname.toLowerCase().replace(/\/$/, '')
