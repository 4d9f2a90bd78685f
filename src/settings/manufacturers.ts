/** The root certificates of manufacturers of authenticators, whose attestation an operator trusts. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The message is for the operator. */
export class UnusableManufacturers extends Error {
  override readonly name = 'UnusableManufacturers'
}

/** Reads the root certificates of manufacturers, a file of PEM. Throws `UnusableManufacturers`. */
export async function readManufacturers(file: string): Promise<readonly X509Certificate[]> {
  const fault = (what: string): Error => new UnusableManufacturers(`Accounts:PasskeyManufacturers: ${file} ${what}.`)
  const text = await readFile(file, 'utf8').catch(() => {
    throw fault('cannot be read')
  })
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw fault('has no certificate in PEM')
  return blocks.map((block, at) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw fault(`has a certificate that cannot be read, number ${at + 1}`)
    }
  })
}
