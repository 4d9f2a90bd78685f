/** What is told to be pasted into a shell. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
import { commandOf } from '../../src/import/commands.ts'

it('commands of an import are read by a shell as they were meant, and hostile names are in none', () => {
  const names = ["o'neil", '$(id)', '`id`', 'a b', '!x', 'a;b', '"', '\\', '*', '~', 'zoë', 'a#b', '{a,b}', '&']
  for (const name of names) {
    const { command = '' } = commandOf('user add-role', name, 'staff')
    const words = execFileSync('sh', ['-c', `latchkey() { printf '%s\\n' "$@"; }; ${command}`]).toString()
    assert.equal(words, `user\nadd-role\n${name}\nstaff\n`)
  }
  for (const name of ['', '-rf', '--force-all-9', 'a\nb', '\u001b[2J', '\u202e', '\ud800']) {
    assert.deepEqual(commandOf('user add-role', name), {}, JSON.stringify(name))
  }
})
