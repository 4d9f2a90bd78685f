import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { catalogue, readCatalogues } from './scripts/messages.ts'

/** Builds the page that shows the kit, for its tests. `npx vite -c vite.kit.config.ts` serves it during work on it; no service does. */
export default defineConfig({
  root: fileURLToPath(new URL('pages/kit/', import.meta.url)),
  logLevel: 'warn',
  plugins: [
    {
      name: 'texts',
      transformIndexHtml(html) {
        const { account: _, console: __, mail: ___, ...texts } = catalogue(readCatalogues(), 'en')
        const module = `export default ${JSON.stringify(texts)}`
        return html.replace('%texts%', () => `data:text/javascript,${encodeURIComponent(module)}`)
      },
    },
  ],
})
