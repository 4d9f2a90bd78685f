import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../support/chromium.ts'

/** Starts the Chromium of the tests, without a window. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--disable-dev-shm-usage'],
    chromiumSandbox: false,
  })
}
