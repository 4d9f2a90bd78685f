import { texts as shared } from '../../texts/index.ts'
import type { AccountTexts } from './en.ts'

/** The catalogue of these pages. It is read while a page renders, never before. */
export const words = (): AccountTexts => (shared as typeof shared & { account: AccountTexts }).account
