/** Reads a new password: twice without echo on a terminal, or from standard input. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { maxPasswordBytes } from '../secrets/password.ts'
import { Refused } from '../server/refused.ts'
import { passwordProblems } from '../users/registration.ts'
import { type CommandContext, Misused } from './context.ts'

/** `advice`: the alternative when there is no terminal. The length is counted in code points. */
export async function readNewPassword(
  context: CommandContext,
  fromStdin: boolean,
  minLength: number,
  advice: string,
): Promise<string> {
  if (!fromStdin && context.stdin.isTTY !== true) {
    throw new Misused(`There is no terminal to ask for the password. Pipe it in with --password-stdin${advice}.`)
  }
  const password = fromStdin ? await readAll(context.stdin) : await askTwice(context)
  const problems = passwordProblems(password, minLength, maxPasswordBytes)
  if (problems.length > 0) throw Refused.because(problems)
  return password
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
