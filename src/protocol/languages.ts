/** Languages of pages and mails (BCP 47). */
export const languageTags = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'tr', 'ja', 'zh-Hans', 'ar'] as const
export type LanguageTag = (typeof languageTags)[number]
