import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** Builds the pages people sign in on into static files that the service serves from its own origin. */
export default defineConfig({
  root: fileURLToPath(new URL('pages/', import.meta.url)),
  // Absolute asset addresses: the same index.html answers at /Account/Login and at /connect/authorize.
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('dist/pages/', import.meta.url)),
    emptyOutDir: true,
    target: 'baseline-widely-available',
    assetsDir: 'assets',
    // The content security policy allows no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
