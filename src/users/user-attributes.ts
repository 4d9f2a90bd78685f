/** Values of declared attributes as a person has them, and as they are stored. */
import { rememberedText } from './remembered.ts'

export type AttributeValue = string | number | boolean | readonly (string | number | boolean)[]

/** By the names of attributes. Absent: no value. */
export type AttributeValues = Readonly<Record<string, AttributeValue>>

export const noAttributes: AttributeValues = Object.freeze({})

/** Encodes values for storage; null: none. */
export function attributesToText(values: AttributeValues): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values)
}

const read = rememberedText((text): AttributeValues => JSON.parse(text))

export function textToAttributes(text: string | null): AttributeValues {
  return text === null ? noAttributes : read(text)
}
