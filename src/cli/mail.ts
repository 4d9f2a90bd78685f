/** `latchkey mail …`: the mails that the service sends. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { readFixedBrand } from '../branding/fixed-brand.ts'
import { loadCatalogue } from '../mail/catalogues.ts'
import { mailRecord } from '../mail/mail-record.ts'
import { writeMail } from '../mail/rendering.ts'
import { brandOf, defaultName, noBrand } from '../protocol/branding/brand.ts'
import { mailTransport } from '../server/mail-transport.ts'
import { Refused } from '../server/refused.ts'
import type { MailRecord } from '../storage/port/mails.ts'
import { isoTime, shortTime } from '../text.ts'
import { emailFault } from '../users/email.ts'
import {
  besideDemo,
  type CommandContext,
  type CommonOptions,
  printResult,
  withCommonOptions,
  withStorage,
} from './context.ts'
import { table } from './text.ts'

export function register(parent: Command, context: CommandContext): void {
  const mail = withCommonOptions(parent.command('mail').description('mails to people'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(mail.command(signature).description(description))

  leaf('list', 'list the newest 1,000 mails, newest first, and their states').action((_options, command: Command) =>
    withStorage(context, command, async ({ storage, print }) => {
      const records = await storage.mails.list()
      print(records.map(mailRecord), records.length === 0 ? 'There are no mails.' : toTable(records))
    }),
  )

  leaf('retry <id>', 'send a failed or waiting mail again').action((id: string, _options, command: Command) =>
    withStorage(context, command, async ({ storage, event, print }) => {
      const found = await storage.mails.find(id)
      if (found === undefined) throw new Refused(`There is no mail ${id}.`)
      const { userId, purpose } = found
      const retried = event('mail_retried', { userId }, { mail: id, purpose })
      if (!(await storage.mails.retry(id, context.clock(), [retried]))) {
        throw new Refused(whyNot((await storage.mails.find(id)) ?? found, context.clock()))
      }
      const queued = (await storage.mails.find(id)) ?? found
      print(mailRecord(queued), `The mail ${id} is queued. A running server sends it.`)
    }),
  )

  leaf('test <address>', 'send a test mail now, without the queue').action(
    async (address: string, _options, command: Command) => {
      const options: CommonOptions = command.optsWithGlobals()
      const settings = besideDemo(context, options)
      const fault = emailFault(address)
      if (fault !== undefined) throw new Refused(`The address ${fault}.`)
      const transport = mailTransport(settings)
      if (transport === undefined)
        throw new Refused('Mail:Url is not set, so no mail is sent. Give the command the settings of the server.')
      const { oauth, pages } = settings
      const catalogue = await loadCatalogue(pages.defaultLanguage)
      const brand = brandOf(await readFixedBrand(settings), noBrand)
      const by = { brand, issuer: oauth.issuer }
      const content = { purpose: 'test', language: catalogue.language }
      const written = writeMail(address, content, catalogue, by)
      try {
        await transport.send({
          ...written,
          id: randomUUID(),
          to: address,
          atMs: context.clock(),
          service: brand.name ?? defaultName,
        })
      } catch (error) {
        throw new Refused(`${transport.place} did not accept the mail: ${(error as Error).message}`)
      }
      printResult(context, options, { to: address, through: transport.place }, `${transport.place} accepted the mail.`)
    },
  )
}

function whyNot({ id, state, endsAtMs }: MailRecord, nowMs: number): string {
  if (state === 'sent') return `The mail ${id} is sent, so there is nothing to retry.`
  if (state === 'queued') return `The mail ${id} is due or being sent, so there is nothing to retry.`
  if (endsAtMs <= nowMs) return `The mail ${id} was of use until ${isoTime(endsAtMs)} only.`
  return `The content of the mail ${id} is gone.`
}

function toTable(records: readonly MailRecord[]): string {
  const rows = records.map(({ id, to, purpose, state, attempts, nextAtMs, error }) => [
    ...[id, to, purpose, state, String(attempts)],
    nextAtMs === null ? '' : shortTime(nextAtMs),
    error ?? '',
  ])
  return table(['ID', 'TO', 'PURPOSE', 'STATE', 'ATTEMPTS', 'NEXT ATTEMPT', 'ERROR'], rows)
}
