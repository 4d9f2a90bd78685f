/** Signals that stop the service or make it reload its settings. */

export type Signals = {
  /** The first signal to stop. A second one ends the process at once. */
  readonly stopped: Promise<NodeJS.Signals>
  /** The handler of SIGHUP. Does nothing until the service is ready, because the settings have just been read. */
  reload: () => Promise<void>
  /** Ignores SIGHUP from now on, instead of letting it end the process. */
  ignore(): void
}

/** On a terminal, SIGHUP means that the terminal was closed and stops the service. */
export function listenToSignals(onTerminal: boolean): Signals {
  const { promise: stopped, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const ends = onTerminal ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGINT', 'SIGTERM'] as const)
  const stop = (signal: NodeJS.Signals): void => {
    // A second signal has its default effect.
    for (const each of ends) process.off(each, stop)
    resolve(signal)
  }
  for (const signal of ends) process.on(signal, stop)
  const signals = takingReloads(stopped)
  if (!onTerminal) process.on('SIGHUP', () => void signals.reload())
  return signals
}

function takingReloads(stopped: Signals['stopped']): Signals {
  const signals: Signals = {
    stopped,
    reload: async () => {},
    ignore: () => {
      signals.reload = async () => {}
    },
  }
  return signals
}

/** A worker stops when its parent says so or has gone. Ctrl+C reaches both processes and is meant for the parent. */
export function listenToParent(): Signals {
  const { promise: stopped, resolve } = Promise.withResolvers<NodeJS.Signals>()
  process.on('SIGINT', () => {})
  process.once('SIGTERM', () => resolve('SIGTERM'))
  process.once('disconnect', () => resolve('SIGTERM'))
  // The channel's listener must not keep this process alive.
  process.channel?.unref()
  const signals = takingReloads(stopped)
  process.on('SIGHUP', () => void signals.reload())
  return signals
}
