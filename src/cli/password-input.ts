/** Reads a new password: twice without echo on a terminal, or from standard input. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Problem } from '../problem.ts'
import { isBreachedPassword } from '../secrets/breached-passwords.ts'
import { isCommonPassword } from '../secrets/frequent-passwords.ts'
import { maxPasswordBytes } from '../secrets/password.ts'
import { Refused } from '../server/refused.ts'
import type { Settings } from '../settings/settings.ts'
import { newPasswordError, operatorPasswordProblem, passwordProblem } from '../users/new-password.ts'
import { type CommandContext, Misused } from './context.ts'

/** A password that operators may set, and why people may not choose it; empty: they may. */
export type EnteredPassword = { readonly password: string; readonly warning: string }

/**
 * `owner`: whose password it is. `advice`: the alternative when there is no terminal. Throws `Refused` for a password of
 * a wrong length only: operators also set passwords that people are refused, and are told.
 */
export async function readNewPassword(
  context: CommandContext,
  fromStdin: boolean,
  settings: Settings,
  owner: { readonly name: string; readonly email: string },
  advice: string,
): Promise<EnteredPassword> {
  if (!fromStdin && context.stdin.isTTY !== true) {
    throw new Misused(`There is no terminal to ask for the password. Pipe it in with --password-stdin${advice}.`)
  }
  const password = fromStdin ? await readAll(context.stdin) : await askTwice(context)
  const checked = await checkPassword(settings, owner, password)
  if ('problem' in checked) throw Refused.because([checked.problem])
  return { password, warning: checked.warning === '' ? '' : ` Warning: ${checked.warning}` }
}

/**
 * Returns why the password cannot be set, or why people may not choose it: operators may set it, and are told. `warning`
 * empty: they may.
 */
export async function checkPassword(
  { accounts, brand, outbound }: Settings,
  owner: { readonly name: string; readonly email: string },
  password: string,
): Promise<{ readonly problem: Problem } | { readonly warning: string }> {
  const { minLength, breachCheck } = accounts.password
  const names = { username: owner.name, email: owner.email, service: brand.name }
  const error = await newPasswordError(password, names, {
    minLength,
    isCommon: isCommonPassword,
    isBreached: async (text) => breachCheck !== null && isBreachedPassword(breachCheck, text, outbound),
  })
  if (error === undefined) return { warning: '' }
  const problem = operatorPasswordProblem(error, password, minLength)
  return problem === undefined ? { warning: passwordProblem(error, password, minLength).message } : { problem }
}

/** Reads to the end of the input and drops one trailing newline. */
async function readAll(stdin: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    // Allows two bytes for the newline and one to detect an excess.
    if (size > maxPasswordBytes + 3) break
    chunks.push(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(Buffer.concat(chunks))
      .replace(/\r?\n$/, '')
  } catch {
    throw new Refused('The password on standard input is not valid UTF-8.')
  }
}

async function askTwice({ stdin, stderr }: CommandContext): Promise<string> {
  // Line editing on a terminal, without output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  const ask = (prompt: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const cancel = () => reject(new Refused('Cancelled; nothing was changed.'))
    lines.once('SIGINT', cancel).once('close', cancel)
    lines.question('', (answer) => {
      lines.off('SIGINT', cancel).off('close', cancel)
      resolve(answer)
    })
    // Printed last, because an answer may follow the prompt immediately.
    stderr.write(prompt)
    return promise.finally(() => stderr.write('\n'))
  }
  try {
    const password = await ask('Password: ')
    if ((await ask('The same again: ')) !== password)
      throw new Refused('The two passwords differ; nothing was changed.')
    return password
  } finally {
    lines.close()
  }
}
