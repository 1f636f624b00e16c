import puppeteer, { type Browser } from 'puppeteer-core';
import { findChromium } from '../../../src/platform/chromium/chromium.js';
import { CACHE_FOLDER } from '../../support/folders.js';

/**
 * The Chromium that prints our documents, as a visitor's browser. That of the service cannot reach
 * any host, loopback included, so it is started here without those flags.
 */
export async function openBrowser(): Promise<Browser> {
  const { path, source, libraryPath } = await findChromium({ cacheDir: CACHE_FOLDER });
  return puppeteer.launch({
    executablePath: path,
    headless: source === 'bundled' ? 'shell' : true,
    pipe: true,
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    ...(libraryPath && { env: { ...process.env, LD_LIBRARY_PATH: libraryPath } }),
  });
}
