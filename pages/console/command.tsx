import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { addressOf, type Call, useCalls } from './api.ts'
import { commandOf } from './commands.ts'
import { words } from './texts.ts'

/** The calls that this page made, as commands that can be repeated. */
export function ShowAsCommand() {
  const calls = useCalls()
  const text = words().command
  if (calls.length === 0) return null
  return (
    <details class="command">
      <summary>{text.title}</summary>
      <p class="quiet">{text.lead}</p>
      {calls.map((one) => (
        <Shown key={`${one.method} ${addressOf(one).href}`} call={one} />
      ))}
    </details>
  )
}

function Shown({ call }: { call: Call }) {
  const command = commandOf(call)
  return (
    <>
      <Copyable text={curlOf(call)} />
      {command && <Copyable text={command} />}
    </>
  )
}

export function Copyable({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the keys, too */}
      <pre tabIndex={0} dir="ltr">
        <code>{text}</code>
      </pre>
      <Button onClick={copy}>{copied ? words().command.copied : words().command.copy}</Button>
    </div>
  )
}

/** With an access token in the environment: tokens of this page never leave it. */
export function curlOf(call: Call): string {
  const { method, path, body, etag } = call
  const parts = [
    'curl',
    ...(path.endsWith('/stream') ? ['-N'] : []),
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(addressOf(call).href),
    '-H',
    '"Authorization: Bearer $TOKEN"',
    ...(etag ? ['-H', quoted(`If-Match: ${etag}`)] : []),
    ...(body === undefined ? [] : ['-H', quoted('Content-Type: application/json'), '-d', bodyOf(body)]),
  ]
  return parts.join(' ')
}

/** A password stays out of what is shown: it comes from the environment. */
function bodyOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('password' in body)) return quoted(JSON.stringify(body))
  const shown = quoted(JSON.stringify({ ...body, password: '' }))
  return shown.replace('"password":""', () => `"password":"'"$PASSWORD"'"`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
