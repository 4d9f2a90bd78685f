/** References to files in configuration files, which are the operator's but may name anything. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { workplace } from './run.ts'

it('reads no more of a device without an end than a file may have', async (t) => {
  const place = workplace(t)
  const reference = `\${file:/dev/zero}`
  const scopes = [{ name: 'orders', description: reference }]
  writeFileSync(join(place.folder, 'site.json'), JSON.stringify({ scopes }))
  await place.refuses('apply site.json', /The file \/dev\/zero cannot be read as a text of at most 16 MiB\./)
  await place.refuses('apply /dev/zero', /\/dev\/zero cannot be read as a text of at most 16 MiB\./)
})
