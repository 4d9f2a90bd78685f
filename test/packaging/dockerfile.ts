/** The Dockerfile as tests read it: instructions, not text. */
import assert from 'node:assert/strict'
import { read } from '../repository/sources.ts'

export type Instruction = { readonly name: string; readonly rest: string }

/** Every instruction with its arguments, continued lines joined. */
export function instructions(): Instruction[] {
  const lines = read('deploy/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? assert.fail(`not an instruction: ${line}`)
    return { name, rest }
  })
}

/** Those of the stage that becomes the image. */
export function lastStage(): Instruction[] {
  const all = instructions()
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
}

export type Copy = { readonly from: string | undefined; readonly sources: readonly string[]; readonly target: string }

export function copies(stage: readonly Instruction[]): Copy[] {
  return stage
    .filter(({ name }) => name === 'COPY')
    .map(({ rest }) => {
      const words = rest.split(/\s+/)
      const paths = words.filter((word) => !word.startsWith('--'))
      const [from] = words.flatMap((word) => /^--from=(.+)$/.exec(word)?.[1] ?? [])
      return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
    })
}

/** `NAME=value` of every ENV, quotes removed; `${PATH}` stays as it is. */
export function environment(stage: readonly Instruction[]): Record<string, string> {
  const pairs = stage
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ rest }) => [...rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)])
  return Object.fromEntries(pairs.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))
}

/** The words of an instruction in its JSON form, such as ENTRYPOINT; of HEALTHCHECK those of its command. */
export function words(stage: readonly Instruction[], name: string): string[] {
  const { rest } = stage.findLast((instruction) => instruction.name === name) ?? assert.fail(`there is no ${name}`)
  return JSON.parse(/\[.+\]$/.exec(rest)?.[0] ?? assert.fail(`${name} is not in its JSON form`))
}
