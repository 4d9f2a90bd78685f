/** Applies changed settings to the running service, all or nothing. */
import type { Logger } from 'pino'
import type { Application, HandlerSwitch } from '../http/handler-switch.ts'
import { fixedDifferences } from '../settings/reload.ts'
import type { Settings } from '../settings/settings.ts'
import { Refused } from './refused.ts'

export type ReloadParts = {
  /** The settings at the start. */
  readonly settings: Settings
  /** Reads the settings again. Throws `Refused` with every problem. */
  readonly read: () => Settings
  /** Builds the application for changed settings, on the same storage and keys. */
  readonly build: (settings: Settings) => Promise<Application>
  /** Called with the applied settings. */
  readonly taken: (settings: Settings) => void
  readonly handlers: HandlerSwitch
  readonly log: Logger
}

/**
 * Returns a function that reloads. It never rejects and never runs concurrently. Builds a second application and swaps
 * it in for new requests; requests in progress finish in the first. If the settings cannot be applied, nothing changes
 * and one line is logged.
 */
export function reloadWith(parts: ReloadParts): () => Promise<void> {
  const { settings, read, build, taken, handlers, log } = parts
  const reload = async (): Promise<void> => {
    try {
      const next = read()
      const fixed = fixedDifferences(settings, next)
      if (fixed.length > 0) throw new Refused(`${fixed.join(', ')} cannot change while the service runs; restart it.`)
      const app = await build(next)
      handlers.use(app)
      taken(next)
      // Logs before or after the change of level, whichever level includes info.
      const wasTold = log.isLevelEnabled('info')
      if (wasTold) log.info(done)
      log.level = next.log.level
      if (!wasTold) log.info(done)
    } catch (error) {
      const reason = error instanceof Refused ? { problems: error.problems } : { err: error }
      log.error(reason, 'the settings were not reloaded; the service keeps the current ones')
    }
  }
  const done = 'the settings were reloaded'
  let last = Promise.resolve()
  return () => {
    last = last.then(reload)
    return last
  }
}
