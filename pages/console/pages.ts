import type { Messages } from '#messages'

export type PageName = keyof Messages['console']['pages']

/** The pages of the navigation, with the permission that each needs to read. */
export const pages: readonly { name: PageName; path: readonly string[]; permission: string }[] = [
  { name: 'home', path: [], permission: 'admin:read' },
  { name: 'people', path: ['people'], permission: 'admin:users:read' },
  { name: 'groups', path: ['groups'], permission: 'admin:users:read' },
  { name: 'attributes', path: ['attributes'], permission: 'admin:users:read' },
  { name: 'applications', path: ['applications'], permission: 'admin:clients:read' },
  { name: 'scopes', path: ['scopes'], permission: 'admin:clients:read' },
  { name: 'roles', path: ['roles'], permission: 'admin:users:read' },
  { name: 'keys', path: ['keys'], permission: 'admin:keys:read' },
  { name: 'activity', path: ['activity'], permission: 'admin:audit:read' },
  { name: 'mails', path: ['mails'], permission: 'admin:users:read' },
  { name: 'explain', path: ['explain'], permission: 'admin:audit:read' },
  { name: 'branding', path: ['branding'], permission: 'admin:read' },
  { name: 'settings', path: ['settings'], permission: 'admin:read' },
]
