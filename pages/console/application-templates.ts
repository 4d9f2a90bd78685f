import { fill } from '../texts.ts'
import type { Template } from './application-kinds.ts'
import { words } from './texts.ts'

/** The order of the groups. */
export const templateKinds = ['server', 'browser', 'product', 'installed', 'api'] as const

/** In place of a template: an application whose redirect addresses are typed. */
export const own = 'own'

/** What stands on a tile in place of a picture. Others have the beginning of their name. */
const marks: Readonly<Record<string, string>> = {
  'nextjs-authjs': 'N',
  'spring-boot': 'Sp',
  'spring-boot-3': 'S3',
  'spring-api': 'Sp',
  aspnetcore: 'C#',
  'aspnetcore-api': 'C#',
  'oauth2-proxy': 'O2',
  'django-allauth': 'Dj',
  'mozilla-django-oidc': 'Dj',
  'rails-omniauth': 'Rb',
  laravel: 'php',
  wordpress: 'W',
  gitlab: 'GL',
  nextcloud: 'NC',
  'rust-axum': 'Rs',
}

/** Paths of 24 units, of those that are no product. */
const drawings: Readonly<Record<string, string>> = {
  mobile:
    'M8 3.5h8a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5ZM11 17.5h2',
  desktop: 'M4 5h16v11H4ZM9 20h6M12 16v4',
  cli: 'M4 5h16v14H4ZM7.5 9.5l3 2.5-3 2.5M12.5 15h4',
  machine:
    'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2 2M16 16l2 2M18 6l-2 2M8 16l-2 2',
  'mcp-server': 'M6 4.5h12v6H6ZM6 13.5h12v6H6ZM9 7.5h.1M9 16.5h.1M12.5 7.5H15M12.5 16.5H15',
  'other-web': 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17',
  'other-spa': 'M4 5h16v14H4ZM4 9h16M6.5 7h.1M9 7h.1',
  own: 'M12 5v14M5 12h14',
}

export const markOf = ({ id, title }: Pick<Template, 'id' | 'title'>): string => marks[id] ?? title.slice(0, 2)
export const drawingOf = (id: string): string | undefined => drawings[id]

/** The name of a template, and the library behind it; empty: none is named. */
export type TemplateName = { name: string; library: string }

/** Names that are no product's, and those of a list of products with their libraries, such as 'Next.js with Auth.js 5'. */
export function nameOf({ id, title, kind }: Pick<Template, 'id' | 'title' | 'kind'>): TemplateName {
  const text = words().gallery
  const names: Readonly<Record<string, string>> = text.names
  const named = Object.hasOwn(names, id) ? names[id] : undefined
  if (named !== undefined) return { name: named, library: '' }
  const [name = title, library = ''] = title.split(' with ')
  return kind === 'api' && library !== '' ? { name: fill(text.apiWith, { library }), library: '' } : { name, library }
}

/** Whether what is typed is in one of its names. */
export function matches(template: Template, typed: string): boolean {
  const { name } = nameOf(template)
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, '')
  return [name, template.title, template.id].some((text) => plain(text).includes(plain(typed)))
}
