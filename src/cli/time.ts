/** Times as options of commands. */
import { InvalidArgumentError } from 'commander'

/**
 * Parses a time that must include its offset: without one its meaning would depend on the machine. Returns epoch
 * milliseconds.
 */
export function parseTime(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw new InvalidArgumentError('Write it like 2030-01-31T12:00:00Z, or with an offset such as +01:00.')
  }
}
