/** Takes on changed settings while the service runs: all of them, or none. */
import type { Logger } from 'pino'
import type { Application, HandlerSwitch } from '../http/handler-switch.ts'
import { fixedDifferences } from '../settings/reload.ts'
import type { Settings } from '../settings/settings.ts'
import { Refused } from './refused.ts'

export type ReloadParts = {
  /** What the service was started with. */
  readonly settings: Settings
  /** Reads the settings anew. Throws `Refused` with every problem. */
  readonly read: () => Settings
  /** The application for other settings, on the same storage and keys. */
  readonly build: (settings: Settings) => Promise<Application>
  /** Is told of settings that were taken on. */
  readonly taken: (settings: Settings) => void
  readonly handlers: HandlerSwitch
  readonly log: Logger
}

/**
 * A function that reloads; never rejects, and never runs twice at once. Another application is built beside the one
 * that answers, and takes its place for the requests that come from then on; those under way end where they began. What
 * cannot be taken on changes nothing, and is one line in the log.
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
      // Told under whichever of the two levels tells it.
      const wasTold = log.isLevelEnabled('info')
      if (wasTold) log.info(done)
      log.level = next.log.level
      if (!wasTold) log.info(done)
    } catch (error) {
      const reason = error instanceof Refused ? { problems: error.problems } : { err: error }
      log.error(reason, 'the settings were not reloaded: the service goes on with those it has')
    }
  }
  const done = 'the settings were reloaded'
  let last = Promise.resolve()
  return () => {
    last = last.then(reload)
    return last
  }
}
