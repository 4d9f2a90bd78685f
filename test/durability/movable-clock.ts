/**
 * Loaded into a process before anything else (`node --import`): each SIGUSR2 moves its clock thirty seconds on. Nothing of
 * the service knows of it.
 */
const { now } = Date
let aheadMs = 0

Date.now = () => now() + aheadMs
process.on('SIGUSR2', () => {
  aheadMs += 30_000
})
