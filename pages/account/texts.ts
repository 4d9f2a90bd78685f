import { texts } from '../texts.ts'

/** The texts of the account area. They are read while a page renders, never before. */
export const words = (): typeof texts.account => texts.account
