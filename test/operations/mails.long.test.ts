/** `latchkey serve` sends mails that it queued itself and that commands queued, with several processes on one database. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { workplace } from '../cli/run.ts'
import { Browser } from '../support/browser.ts'
import { freePort, password, startService } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { mailServer } from '../support/smtp-server.ts'

it('two processes on one database send each mail once, those of commands and of requests', async (t) => {
  const place = workplace(t)
  place.nowMs = Date.now()
  const expected = 6
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const server = await mailServer({
    disabledCommands: ['STARTTLS'],
    onReceived: () => {
      if (server.received.length === expected) resolve()
    },
  })
  t.after(() => server.stop())
  const env = {
    Database__Url: `sqlite:${join(place.folder, 'data', 'latchkey.db')}`,
    Mail__Url: `smtp://127.0.0.1:${server.port}?tls=off`,
  }
  const seeding = await startService(env)
  await seeding.stop()
  const user = await place.withStorage(({ users }) => users.findByName('alice'))
  assert.ok(user)
  await place.withStorage(({ users }) => users.update(user.id, (at) => ({ ...at, createdAtMs: 0 })))
  await place.json('user set-password alice --password-stdin', { stdin: password, env })
  const { port } = seeding.settings.server
  const first = await startProcess({ port, folder: place.folder, env })
  const second = await startProcess({ port: await freePort(), folder: place.folder, env })
  t.after(() => Promise.all([first.kill(), second.kill()]))
  await new Browser(seeding).signIn()
  for (let at = 0; at < 3; at += 1) {
    await new Browser(seeding).submit('/Account/ForgotPassword', { email: 'alice@example.com' })
  }
  await place.json('user set alice email=new@example.com', { env })
  await all
  const subjects = server.received.map(({ subject, recipients }) => `${recipients}: ${subject}`).sort()
  const reset = 'alice@example.com: Reset your password for Latchkey'
  assert.deepEqual(subjects, [
    'alice@example.com: New sign-in to your Latchkey account',
    ...[reset, reset, reset],
    'alice@example.com: The email address of your Latchkey account was changed',
    'alice@example.com: The password of your Latchkey account was changed',
  ])
})
