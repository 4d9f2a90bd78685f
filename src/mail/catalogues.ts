/** The languages that mails are written in. A catalogue is loaded with the first mail that needs it. */
import type { LanguageTag } from '../protocol/language-tags.ts'
import type { MailTexts } from './texts/en.ts'

type Loaded = { readonly default: MailTexts }

const catalogues: Readonly<Record<LanguageTag, () => Promise<Loaded>>> = {
  en: () => import('./texts/en.ts'),
  de: () => import('./texts/de.ts'),
  fr: () => import('./texts/fr.ts'),
  es: () => import('./texts/es.ts'),
  it: () => import('./texts/it.ts'),
  'pt-BR': () => import('./texts/pt-BR.ts'),
  nl: () => import('./texts/nl.ts'),
  pl: () => import('./texts/pl.ts'),
  tr: () => import('./texts/tr.ts'),
  ja: () => import('./texts/ja.ts'),
  'zh-Hans': () => import('./texts/zh-Hans.ts'),
  ar: () => import('./texts/ar.ts'),
}

/** Texts, and the language that they are in. */
export type Catalogue = { readonly language: LanguageTag; readonly texts: MailTexts }

/** Returns the texts in a language; English for one that a newer version queued a mail in. */
export async function loadCatalogue(language: LanguageTag): Promise<Catalogue> {
  const load = (catalogues as Partial<typeof catalogues>)[language]
  if (load === undefined) return { language: 'en', texts: (await catalogues.en()).default }
  return { language, texts: (await load()).default }
}
