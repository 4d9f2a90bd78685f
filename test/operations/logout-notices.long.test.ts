/** `latchkey serve` sends the logout tokens that commands queued, while it runs and after its start. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { workplace } from '../cli/run.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { relyingParty } from '../support/relying-party.ts'
import { password, startService } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'

it('sends the notices of user end-sessions, set-password and lock, and after its start those of while it was stopped', async (t) => {
  const place = workplace(t)
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const told: string[] = []
  const rp = await relyingParty((response, { form }) => {
    told.push(claimsOf(form.get('logout_token') ?? '').sid)
    response.end()
    if (told.length === 3) resolve()
  })
  t.after(() => rp.close())
  const url = `sqlite:${join(place.folder, 'data', 'latchkey.db')}`
  const stopped = await startService({ Database__Url: url })
  await place.json(`client set demo backchannel_logout_uri=${rp.origin}/out`)
  const visit = async () => {
    const { body } = await postToken(stopped, codeFields(await obtainCode(new Browser(stopped))))
    return claimsOf(body.id_token).sid as string
  }
  const sids = [await visit()]
  await place.json('user end-sessions alice')
  const { issuer } = stopped
  await stopped.stop()

  const { port } = stopped.settings.server
  const running = await startProcess({ port, folder: place.folder, env: { Database__Url: url } })
  t.after(() => running.kill())
  assert.equal(new URL(issuer).port, String(port))
  sids.push(await visit())
  await place.json('user set-password alice --password-stdin', { stdin: password })
  sids.push(await visit())
  await place.json('user lock alice')
  await all
  assert.deepEqual(told.sort(), sids.sort())
})
