import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Confirmation, invitationKeptMs } from '../../src/users/confirmation.ts'
import { valuesOf } from '../support/values.ts'
import { aConfirmation, aMail, anEvent, aUser, countOf, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const anInvitation = (changes: Partial<Confirmation> = {}) => aConfirmation({ purpose: 'invite', ...changes })

export function invitationContract(storageFor: StorageFor): void {
  describe('invitations', () => {
    it('are read by page from either end, all or those in a state', async (t) => {
      const { confirmations, invitations } = await storageFor(t)
      const waiting = [anInvitation(), anInvitation({ begunBy: 'ada' }), anInvitation()]
      const opened = anInvitation({ confirmedAtMs: now - 1 })
      const expired = anInvitation({ expiresAtMs: now })
      const all = [...waiting, opened, expired]
      for (const one of [...all, aConfirmation()]) await confirmations.put(one)
      const ids = valuesOf(all, 'id')
      const first = { after: undefined, limit: 2, order: 'oldest' } as const
      const page = async (of: Parameters<typeof invitations.page>[0], state?: 'waiting' | 'opened' | 'expired') =>
        valuesOf(await invitations.page(of, now, state), 'id')
      assert.deepEqual(await page(first), ids.slice(0, 2))
      assert.deepEqual(await page({ ...first, after: ids[1] }), ids.slice(2, 4))
      assert.deepEqual(await page({ ...first, order: 'newest' }), ids.slice(3).reverse())
      assert.deepEqual(await page({ ...first, order: 'newest', after: ids[3] }), [ids[2], ids[1]])
      assert.deepEqual(await page({ ...first, limit: 501 }, 'waiting'), ids.slice(0, 3))
      assert.deepEqual(await page(first, 'opened'), [opened.id])
      assert.deepEqual(await page(first, 'expired'), [expired.id])
      assert.deepEqual(await invitations.open(now), all.slice(0, 4))
      assert.deepEqual(await invitations.page({ ...first, after: ids[3] }, now), [expired])
      assert.deepEqual(await invitations.ofSubject(expired.subject), expired)
      assert.equal(await invitations.ofSubject('nobody'), undefined)
    })

    it('are kept for thirty days after their end, and other confirmations are not', async (t) => {
      const storage = await storageFor(t)
      const { confirmations, sweep } = storage
      const [sent, other] = [anInvitation(), aConfirmation()]
      for (const one of [sent, other]) await confirmations.put(one)
      const endMs = sent.expiresAtMs + invitationKeptMs
      assert.equal(await sweep(endMs - 1, 10), 1)
      assert.equal(await confirmations.find(other.id), undefined)
      assert.equal(await sweep(endMs, 10), 1)
      assert.equal(await confirmations.find(sent.id), undefined)
    })

    it('are sent again or withdrawn once, whoever asks at the same time, or make an account', async (t) => {
      const storage = await storageFor(t)
      const { audit, confirmations, invitations, users } = storage
      for (const withRegistration of [false, true]) {
        const kind = withRegistration ? 'account_registered' : 'invitation_sent_again'
        const sent = anInvitation()
        await confirmations.put(sent)
        const event = () => anEvent({ kind, clientId: sent.id })
        const next = () => anInvitation({ subject: sent.subject })
        const outcomes = await Promise.all([
          ...Array.from({ length: 6 }, () => invitations.sendAgain(sent, next(), now, [event()])),
          ...Array.from({ length: 6 }, () => invitations.withdraw(sent, now, [event()])),
          withRegistration && confirmations.register(sent.id, aUser(), [event()]).then((came) => came === 'created'),
        ])
        assert.equal(countOf(outcomes, true), 1)
        assert.equal((await audit.list({ clientId: sent.id }, undefined, 20)).length, 1)
        assert.equal(await confirmations.find(sent.id), undefined)
        const left = await invitations.open(now)
        assert.equal(left.length, outcomes.slice(0, 6).includes(true) ? 1 : 0)
        for (const one of left) assert.equal(await invitations.withdraw(one, now), true)
      }
      assert.ok((await users.list()).length <= 1)
    })

    it('take their mail along while it waits, and leave one that is being sent or was sent', async (t) => {
      const { audit, confirmations, invitations, mails } = await storageFor(t)
      const withMail = async () => {
        const mail = aMail({ purpose: 'invite', userId: null })
        const sent = anInvitation({ details: { email: mail.to, mailId: mail.id } })
        await audit.append([{ ...anEvent(), mails: [mail] }])
        await confirmations.put(sent)
        return { mail, sent }
      }
      const [withdrawn, again, begun] = [await withMail(), await withMail(), await withMail()]
      assert.equal(await invitations.withdraw(withdrawn.sent, now), true)
      assert.equal(await mails.find(withdrawn.mail.id), undefined)
      const next = anInvitation({ subject: again.sent.subject })
      assert.equal(await invitations.sendAgain(again.sent, next, now), true)
      assert.equal(await mails.find(again.mail.id), undefined)
      assert.deepEqual(await invitations.open(now), [begun.sent, next])
      assert.equal(await mails.claim(begun.mail.id, 0, now + 60_000), true)
      assert.equal(await invitations.withdraw(begun.sent, now), true)
      assert.equal((await mails.find(begun.mail.id))?.state, 'queued')
      // What lost a race takes nothing along.
      const kept = await withMail()
      assert.equal(await invitations.withdraw({ ...kept.sent, id: begun.sent.id }, now), false)
      assert.equal((await mails.find(kept.mail.id))?.state, 'queued')
    })
  })
}
