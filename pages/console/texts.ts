import { texts } from '../texts.ts'

/** The texts of the console. They are read while a page renders, never before. */
export const words = (): typeof texts.console => texts.console
