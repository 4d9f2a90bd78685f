/** `latchkey explain …`: explains a refusal by its code, or the refusal of a request by its trace id. */
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { explainedRecord, type RefusalRecord, refusalsInTrail } from '../audit/refusals.ts'
import { type Explanation, explain, explainId } from '../protocol/refusals/explanation.ts'
import { Refused } from '../server/refused.ts'
import {
  type CommandContext,
  type CommonOptions,
  Misused,
  printResult,
  withCommonOptions,
  withStorage,
} from './context.ts'
import { refusalsInLog } from './refusal-records.ts'
import { record } from './text.ts'
import { registerPreview } from './token-preview.ts'

type ExplainOptions = CommonOptions & { readonly log?: string }

export function register(parent: Command, context: CommandContext): void {
  const group = withCommonOptions(parent.command('explain [what]'))
  group
    .description(
      'explain why a request was refused, by its trace id; or what an error_uri or a code such as ID2052 means',
    )
    .option('--log <file>', 'search this log of JSON lines instead of the audit trail; - is standard input')
    .action((what: string | undefined, _options: ExplainOptions, command: Command) => {
      if (what === undefined) return command.error("error: missing required argument 'what'")
      return explainWhat(context, what, command)
    })
  registerPreview(group, context)
}

async function explainWhat(context: CommandContext, what: string, command: Command): Promise<void> {
  const options: ExplainOptions = command.optsWithGlobals()
  const id = codeIn(what)
  if (id !== undefined) {
    explainCode(context, id, options)
    return
  }
  if (!/^[0-9a-f]{32}$/i.test(what)) {
    throw new Misused('Give a trace id (32 hexadecimal digits), an error_uri, or a code such as ID2052.')
  }
  const traceId = what.toLowerCase()
  const show = (found: readonly RefusalRecord[]): void => {
    if (found.length === 0) throw new Refused(`No refusal with the trace id ${traceId} is on record there.`)
    const told = found.map((one) => tell(one))
    const json = told.map((one) => one.json)
    printResult(context, options, json, told.map(({ text }) => text).join('\n\n'))
  }
  if (options.log !== undefined) show(await refusalsInLog(context, options.log, traceId))
  else
    await withStorage(context, command, async ({ storage }) => {
      const found = await refusalsInTrail(storage, traceId)
      if (found.length > 0) return show(found)
      await (context.pause ?? setTimeout)(writtenAfterMs)
      show(await refusalsInTrail(storage, traceId))
    })
}

/** A running service writes refusals together, up to a second after they were answered. */
const writtenAfterMs = 1500

/** Extracts `ID2052` from the id, its number, or an error_uri. */
function codeIn(what: string): string | undefined {
  const digits = /^(?:https?:\/\/[^#\s]*#)?(?:ID)?(\d{4})$/i.exec(what)?.[1]
  return digits === undefined ? undefined : `ID${digits}`
}

function explainCode(context: CommandContext, id: string, options: CommonOptions): void {
  const entries = explainId(id)
  if (entries.length === 0)
    throw new Refused(`There is no error code ${id}. All of them are at /errors of the service.`)
  const json = entries.map(({ facts: _none, ...entry }) => entry)
  printResult(context, options, json, entries.map((entry) => explanationText(entry, [])).join('\n\n'))
}

/** Combines a recorded refusal with this version's catalogue. */
function tell(found: RefusalRecord): { readonly json: object; readonly text: string } {
  const { traceId, time, reason, detail } = found
  const [explanation, json] = [explain(reason, detail), explainedRecord(found)]
  if (explanation === undefined || json === undefined) {
    throw new Refused(`The request was refused by the rule ${reason}, which this version of Latchkey does not have.`)
  }
  const head = [
    ['trace id', traceId],
    ['time', time],
  ] as const
  return { json, text: explanationText(explanation, head) }
}

function explanationText(
  { id, error, rule, what, why, fix, source, facts }: Explanation,
  head: readonly (readonly [string, string])[],
): string {
  return record([
    ['what', what],
    ['why', why],
    ['fix', fix],
    ['code', `${id} ${error}`],
    ['rule', `${rule} (${source})`],
    ...head,
    ...facts,
  ])
}
