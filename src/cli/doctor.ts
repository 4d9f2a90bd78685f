/** `latchkey doctor`: checks everything the service needs, and reports each problem with its fix. */
import type { Command } from 'commander'
import { type Finding, failed } from '../finding.ts'
import { withDemoMail } from '../server/demo-mail.ts'
import { Refused } from '../server/refused.ts'
import { type CommandContext, type CommonOptions, printResult, withCommonOptions } from './context.ts'

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(
    parent.command('doctor').description('check settings, database, keys, clock, mail and outgoing requests'),
  ).action(async (_options, command: Command) => {
    const options: CommonOptions = command.optsWithGlobals()
    const findings = await examine(context, options)
    printResult(context, options, findings, findings.map(toText).join('\n'))
    const faults = findings.filter(({ status }) => status === 'failed').length
    if (faults > 0) throw new Refused(faults === 1 ? 'One problem must be fixed.' : `${faults} problems must be fixed.`)
  })
}

/** Later checks depend on earlier ones. */
async function examine(context: CommandContext, options: CommonOptions): Promise<Finding[]> {
  const { readSettings } = await import('../settings/read.ts')
  const { env, cwd } = context
  const read = readSettings({ file: options.config, ...(env && { env }), ...(cwd && { cwd }) })
  if (!read.ok) return read.problems.map((problem) => failed('settings', problem, ''))
  const { checkAddress, checkCertificates, checkClock, checkFiles, checkHashing } = await import(
    '../server/doctor/checks.ts'
  )
  const { checkDatabase } = await import('../server/doctor/database-checks.ts')
  const { checkMail } = await import('../server/doctor/mail-checks.ts')
  const { checkProviders } = await import('../server/doctor/provider-checks.ts')
  const { checkOutgoing } = await import('../server/doctor/outgoing-checks.ts')
  const { settings } = read
  const nowMs = context.clock()
  return [
    { check: 'settings', status: 'ok', message: 'The settings can be read.', advice: '' },
    ...checkAddress(settings),
    ...checkCertificates(settings),
    checkClock(nowMs),
    ...checkFiles(settings),
    await checkHashing(),
    await checkMail(settings.mail.url === null ? withDemoMail(settings) : settings),
    ...(await checkProviders(settings, context.clock)),
    ...(await checkOutgoing(settings)),
    ...(await checkDatabase(settings, nowMs)),
  ]
}

const marks = { ok: '✓', note: '–', warning: '!', failed: '✗' }

function toText({ status, message, advice }: Finding): string {
  return `${marks[status]} ${message}${advice === '' ? '' : `\n  ${advice}`}`
}
