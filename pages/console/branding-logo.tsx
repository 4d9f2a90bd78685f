import { useEffect, useId, useState } from 'preact/hooks'
import type { pictureMembers } from '../../src/protocol/branding/brand.ts'
import { Button } from '../kit/button.tsx'
import { Explained } from '../kit/field.tsx'
import { chooseButtonOf, FileChoice } from '../kit/file-choice.tsx'
import type { Result } from './api.ts'
import { faultOf } from './change.tsx'
import { words } from './texts.ts'

type Props = {
  member: (typeof pictureMembers)[number]
  label: string
  hint: string
  value: string | null
  set(value: string | null): void
  isFixed: boolean
  result: Result<unknown> | null
}

/** A picture that is chosen from the files of the device. It is sent with the form. */
export function LogoField({ member, label, hint, value, set, isFixed, result }: Props) {
  const id = useId()
  const [fault, setFault] = useState<Unfit | null>(null)
  /** The last one that was chosen here. */
  const [file, setFile] = useState<{ name: string; url: string } | null>(null)
  const text = words().branding
  const isMailed = member.startsWith('logo_mail')
  const told = fault === null ? faultOf(result, member) : text[fault]

  async function choose(file: File): Promise<void> {
    const read = await pictureOf(file, isMailed)
    setFault('fault' in read ? read.fault : null)
    if ('fault' in read) return
    setFile({ name: file.name, url: read.url })
    set(read.url)
  }

  return (
    <fieldset class="plain-set" disabled={isFixed}>
      <Explained id={id} label={label} fault={told} hint={hint}>
        {value !== null && (
          <div class="chosen-logo">
            <img class={member.endsWith('_dark') ? 'on-dark' : undefined} src={value} alt="" />
            <Button
              onClick={() => {
                set(null)
                // The button goes with the picture.
                document.getElementById(chooseButtonOf(id))?.focus()
              }}
              aria-label={`${text.remove}: ${label}`}
            >
              {text.remove}
            </Button>
          </div>
        )}
        <FileChoice
          id={id}
          label={label}
          words={{ choose: text.chooseFile, drop: text.dropFile }}
          accept={isMailed ? 'image/png' : 'image/svg+xml,image/png,image/webp'}
          name={file !== null && file.url === value ? file.name : null}
          fault={told}
          hint={hint}
          choose={choose}
        />
      </Explained>
    </fieldset>
  )
}

type Unfit = 'noImage' | 'noPng' | 'tooLarge'
type Read = { url: string } | { fault: Unfit }

const bytesAtMost = 20 * 1024
const mailBytesAtMost = 5 * 1024
/** Of a picture that is made smaller: three times the height at which it is shown. */
const heightAtMost = 96

/** Reads the file by its content. The service judges it again. `isMailed`: nothing but PNG is shown where it goes. */
async function pictureOf(file: File, isMailed: boolean): Promise<Read> {
  const type = typeOf(new Uint8Array(await file.arrayBuffer()))
  if (type === undefined) return { fault: 'noImage' }
  if (isMailed && type !== 'image/png') return { fault: 'noPng' }
  if (file.size <= bytesAtMost) return { url: await urlOf(file, type) }
  return type === 'image/svg+xml'
    ? { fault: 'tooLarge' }
    : smaller(file, isMailed ? ['image/png'] : ['image/png', 'image/webp'])
}

function typeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 1024))
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'image/webp'
  return /<svg[\s>]/.test(start) ? 'image/svg+xml' : undefined
}

async function smaller(file: File, types: readonly string[]): Promise<Read> {
  try {
    const bitmap = await createImageBitmap(file)
    const canvas = document.createElement('canvas')
    canvas.height = Math.min(heightAtMost, bitmap.height)
    canvas.width = Math.round((bitmap.width / bitmap.height) * canvas.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    for (const type of types) {
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type))
      if (blob !== null && blob.type === type && blob.size <= bytesAtMost) return { url: await urlOf(blob, type) }
    }
    return { fault: 'tooLarge' }
  } catch {
    return { fault: 'noImage' }
  }
}

function urlOf(blob: Blob, type: string): Promise<string> {
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result).replace(/^data:[^;,]*/, `data:${type}`))
    reader.readAsDataURL(blob)
  })
}

/** Heights of a PNG for mails, the best first: three times, twice, and as it is shown. */
const mailHeights = [heightAtMost, 64, 32]

/** Resolves to the picture as a PNG for mails; null: it is one already, or cannot be made one that is small enough. */
export async function mailPictureOf(url: string | null): Promise<string | null> {
  if (url === null || url.startsWith('data:image/png')) return null
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    const ratio = image.naturalWidth / image.naturalHeight || 1
    for (const height of mailHeights) {
      const canvas = document.createElement('canvas')
      canvas.height = height
      canvas.width = Math.max(1, Math.round(height * ratio))
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
      const made = canvas.toDataURL('image/png')
      // Two of them go out with their originals in one request.
      if (made.startsWith('data:image/png') && made.length <= mailBytesAtMost) return made
    }
  } catch {
    // The page asks for one.
  }
  return null
}

/** Resolves to the width of a picture at a height of 32, as pages show it. */
export function logoWidthOf(url: string): Promise<number> {
  return new Promise((done) => {
    const image = new Image()
    const told = () => {
      const ratio = image.naturalWidth / image.naturalHeight || 1
      done(Math.min(192, Math.max(16, Math.round(32 * ratio))))
    }
    image.onload = told
    image.onerror = told
    image.src = url
  })
}

/** Returns the same; undefined until it is known. */
export function useLogoWidth(url: string | null): number | undefined {
  const [known, setKnown] = useState<{ url: string; width: number } | null>(null)
  useEffect(() => {
    if (url === null) return
    void logoWidthOf(url).then((width) => setKnown({ url, width }))
  }, [url])
  return known?.url === url ? known?.width : undefined
}
