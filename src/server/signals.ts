/** What asks the service to end, and to read its settings again. */

export type Signals = {
  /** The name of the first signal that asks for an end. A second one ends the process at once. */
  readonly stopped: Promise<NodeJS.Signals>
  /** What SIGHUP does. Until the service is ready it does nothing: the settings have just been read. */
  reload: () => Promise<void>
  /** No reload from now on, but SIGHUP is still no reason to end. */
  ignore(): void
}

/** On a terminal SIGHUP says that the terminal has gone, and asks for an end too. */
export function listenToSignals(onTerminal: boolean): Signals {
  const { promise: stopped, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const ends = onTerminal ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : (['SIGINT', 'SIGTERM'] as const)
  const stop = (signal: NodeJS.Signals): void => {
    // Whichever comes second does what it does to any process.
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

/** A worker stops when the process that watches it says so, or is gone. Ctrl+C reaches both, and means that one. */
export function listenToParent(): Signals {
  const { promise: stopped, resolve } = Promise.withResolvers<NodeJS.Signals>()
  process.on('SIGINT', () => {})
  process.once('SIGTERM', () => resolve('SIGTERM'))
  process.once('disconnect', () => resolve('SIGTERM'))
  // Listening for the end of the channel must not be what keeps this process from ending.
  process.channel?.unref()
  const signals = takingReloads(stopped)
  process.on('SIGHUP', () => void signals.reload())
  return signals
}
