import type { ComponentType } from 'preact'
import type { Call } from './api.ts'
import type { Place } from './router.tsx'

export type PageScript = {
  default: ComponentType<{ segments: readonly string[] }>
  /** What the page asks for first, which goes out before the page is drawn. */
  firstCalls?(place: Place): readonly Call[]
}

/** By the first segment of the address. Each is a script of its own. */
export const scripts: Record<string, () => Promise<PageScript>> = {
  '': () => import('./home.tsx'),
  people: () => import('./people.tsx'),
  groups: () => import('./groups.tsx'),
  attributes: () => import('./attributes.tsx'),
  applications: () => import('./applications.tsx'),
  scopes: () => import('./scopes.tsx'),
  roles: () => import('./roles.tsx'),
  keys: () => import('./keys.tsx'),
  activity: () => import('./activity.tsx'),
  mails: () => import('./mails.tsx'),
  explain: () => import('./explain.tsx'),
  branding: () => import('./branding.tsx'),
  settings: () => import('./settings.tsx'),
}
