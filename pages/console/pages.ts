import type { Messages } from '#messages'

export type PageName = keyof Messages['console']['pages']

type Page = {
  name: PageName
  path: readonly string[]
  /** What reading it needs. */
  permission: string
  /** The path of its drawing, on a grid of 16. */
  icon: string
}

/** The pages of the navigation, in its parts: home; people and what they have; applications and what they may; operation. */
const parts: readonly (readonly Page[])[] = [
  [{ name: 'home', path: [], permission: 'admin:read', icon: 'M2.5 7.5 8 2.75l5.5 4.75M4 6.5v6.75h8V6.5' }],
  [
    {
      name: 'people',
      path: ['people'],
      permission: 'admin:users:read',
      icon: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.5c.5-2.5 2.5-3.75 5.25-3.75s4.75 1.25 5.25 3.75',
    },
    {
      name: 'groups',
      path: ['groups'],
      permission: 'admin:users:read',
      icon: 'M6 7.5A2.25 2.25 0 1 0 6 3a2.25 2.25 0 0 0 0 4.5ZM1.75 13c.4-2.2 2-3.25 4.25-3.25s3.85 1.05 4.25 3.25M10.5 3.2a2.25 2.25 0 0 1 0 4.1M12 9.9c1.3.45 2.1 1.5 2.35 3.1',
    },
    {
      name: 'roles',
      path: ['roles'],
      permission: 'admin:users:read',
      icon: 'M8 2 3 3.75V7.5c0 3.25 2 5.25 5 6.5 3-1.25 5-3.25 5-6.5V3.75Z',
    },
    {
      name: 'attributes',
      path: ['attributes'],
      permission: 'admin:users:read',
      icon: 'M2.5 2.5h5l6 6-5 5-6-6ZM5.5 5.5v.05',
    },
  ],
  [
    {
      name: 'applications',
      path: ['applications'],
      permission: 'admin:clients:read',
      icon: 'M2.75 2.75h4v4h-4ZM9.25 2.75h4v4h-4ZM2.75 9.25h4v4h-4ZM9.25 9.25h4v4h-4Z',
    },
    {
      name: 'scopes',
      path: ['scopes'],
      permission: 'admin:clients:read',
      icon: 'M2.5 4h.05M2.5 8h.05M2.5 12h.05M5.5 4h8M5.5 8h8M5.5 12h8',
    },
  ],
  [
    { name: 'activity', path: ['activity'], permission: 'admin:audit:read', icon: 'M1.75 8h3l2-4.5 3 9 2-4.5h2.5' },
    {
      name: 'mails',
      path: ['mails'],
      permission: 'admin:users:read',
      icon: 'M2 3.75h12v8.5H2ZM2.25 4.25 8 8.75l5.75-4.5',
    },
    {
      name: 'explain',
      path: ['explain'],
      permission: 'admin:audit:read',
      icon: 'M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM6.25 6.25c.2-1.9 3.5-1.9 3.5 0 0 1.2-1.75 1.2-1.75 2.5M8 11v.15',
    },
    {
      name: 'keys',
      path: ['keys'],
      permission: 'admin:keys:read',
      icon: 'M10.25 9A3.5 3.5 0 1 0 6.95 6.7L2.25 11.4v2.35h2.5v-2h2v-2h1.5l.55-.9c.4.1.9.15 1.45.15ZM11 5v.05',
    },
    {
      name: 'branding',
      path: ['branding'],
      permission: 'admin:read',
      icon: 'M8 2c2.5 3 4 5 4 7a4 4 0 0 1-8 0c0-2 1.5-4 4-7Z',
    },
    {
      name: 'settings',
      path: ['settings'],
      permission: 'admin:read',
      icon: 'M2.25 4.75h6.5M11.75 4.75h2M10.25 3.25a1.5 1.5 0 1 0 .01 0M2.25 11.25h2M7.25 11.25h6.5M5.75 9.75a1.5 1.5 0 1 0 .01 0',
    },
  ],
]

export const pages: readonly Page[] = parts.flat()

/** Returns the pages of the navigation that somebody may read; `isFirst`: begins another part. */
export const pagesFor = (may: (permission: string) => boolean): readonly (Page & { isFirst: boolean })[] =>
  parts.flatMap((part, index) =>
    part
      .filter(({ permission }) => may(permission))
      .map((page, position) => ({ ...page, isFirst: index > 0 && position === 0 })),
  )
