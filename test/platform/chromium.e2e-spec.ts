import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findChromium, launchChromium } from '../../src/platform/chromium/chromium.js';
import { CACHE_FOLDER } from '../support/folders.js';

const NO_SANDBOX = 'Chromium cannot use its sandbox on this system and runs without it';
/** Chromium's output if nobody may make a namespace. */
const LAST_WORDS = 'FATAL:zygote_host_impl_linux.cc Check failed: Operation not permitted (1)';

describe('Chromium, for somebody who is not root', () => {
  let folder: string;
  let real: Awaited<ReturnType<typeof findChromium>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-chromium-'));
    real = await findChromium({ cacheDir: CACHE_FOLDER });
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });

  /** The real Chromium, but on a system where it ends with these words when it has its sandbox. */
  async function endingWith(words: string): Promise<string> {
    const path = join(folder, `chromium-${words.length}`);
    const lines = [
      '#!/bin/sh',
      ...(real.libraryPath ? [`export LD_LIBRARY_PATH='${real.libraryPath}'`] : []),
      `case " $* " in *" --no-sandbox "* | *" --version "*) exec '${real.path}' "$@" ;; esac`,
      `echo '${words}' >&2`,
      'exit 133',
    ];
    await writeFile(path, lines.join('\n'));
    await chmod(path, 0o755);
    return path;
  }

  it('prints without its sandbox where the system forbids one, and says so', async () => {
    const said: string[] = [];
    const executablePath = await endingWith(LAST_WORDS);
    const log = (line: string) => said.push(line);
    const { browser } = await launchChromium({ executablePath, cacheDir: folder, log });
    const page = await browser.newPage();
    await page.setContent('<p>printed</p>');
    const pdf = Buffer.from(await page.pdf());
    await browser.close();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(said).toEqual([NO_SANDBOX]);
  });

  it('keeps its sandbox where it ends for another reason', async () => {
    const said: string[] = [];
    const executablePath = await endingWith('error while loading shared libraries');
    const log = (line: string) => said.push(line);
    const launched = launchChromium({ executablePath, cacheDir: folder, log });
    await expect(launched).rejects.toThrow();
    expect(said).toEqual([]);
  });
});
