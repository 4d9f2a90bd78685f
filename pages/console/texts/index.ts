import { texts as shared } from '../../texts/index.ts'
import type { ConsoleTexts } from './en.ts'

/** The catalogue of the console. It is read while a page renders, never before. */
export const words = (): ConsoleTexts => (shared as typeof shared & { console: ConsoleTexts }).console
