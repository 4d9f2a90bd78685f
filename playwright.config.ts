import { defineConfig } from '@playwright/test'
import { findChromium } from './test/support/chromium.ts'

const chromium = await findChromium()
/** For the browser what `test/support/loopback-only.ts` is for Node.js; an address counts as a name here. */
const loopbackOnly = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.*, EXCLUDE [::1]'

export default defineConfig({
  testDir: 'test/pages',
  // Node.js itself runs these as they are, faster than when they are translated first.
  build: { external: ['**/src/**', '**/test/support/**', '**/test/storage/**'] },
  // `scripts/test-runs.ts` says what the two runs are.
  projects: [
    { name: 'short', testMatch: '**/*.spec.ts', testIgnore: '**/*.long.spec.ts' },
    { name: 'long', testMatch: '**/*.long.spec.ts' },
  ],
  // Cleared at each start; the results of other tests lie beside it.
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // One more than cores: tests wait for pages as often as they compute.
  workers: 3,
  // `scripts/second-look.ts` says what becomes of a failure.
  retries: 0,
  // Only a failure waits that long: a machine whose cores are busy is no reason for one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    // A trace costs as much time as the tests themselves: `--trace retain-on-failure` where one is wanted.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium.executablePath,
      env: { ...definedOnly(process.env), ...chromium.env },
      // Containers give little shared memory, and tests run as root there.
      args: ['--disable-dev-shm-usage', `--host-resolver-rules=${loopbackOnly}`],
      chromiumSandbox: false,
    },
  },
})

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
