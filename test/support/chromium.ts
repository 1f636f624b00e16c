import type { Browser } from 'puppeteer-core';
import { launchChromium } from '../../src/platform/chromium/chromium.js';
import { CACHE_FOLDER } from './folders.js';

/** The service's browser, unpacked once for all specs. */
export async function launch(): Promise<Browser> {
  const { browser } = await launchChromium({ cacheDir: CACHE_FOLDER });
  return browser;
}
