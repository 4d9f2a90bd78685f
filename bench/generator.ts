/** The load generator as seen from the process that directs the measurement. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { GeneratorAnswer, Job, Measurement } from './records.ts'
import { startGenerator } from './servers.ts'

export type Generator = { measure(job: Job): Promise<Measurement> }

export function openGenerator(): Generator {
  const child: ChildProcess = startGenerator()
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load generator ended')
  })
  ended.catch(() => {})
  return {
    async measure(job) {
      const answered = once(child, 'message') as Promise<[GeneratorAnswer]>
      child.send(job)
      const [answer] = await Promise.race([answered, ended])
      if ('measurement' in answer) return answer.measurement
      throw new Error(`${job.target.name}, ${job.work} on ${job.connections} connections: ${answer.problem}`)
    },
  }
}
