import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'puppeteer-core';
import { isRunning } from '../process-identity.js';
import { unpackChromium, unpackFallbackFonts } from './bundled-chromium.js';
import { within } from '../within.js';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chrome-headless-shell',
];
const USUAL_PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/usr/lib/chromium',
  '/opt/google/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const PROBE_TIMEOUT_MS = 15_000;
const LAUNCH_TIMEOUT_MS = 15_000;

const FLAGS = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--font-render-hinting=none',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  // Pages are offline anyhow; these leave the browser itself nothing to reach, loopback included.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
];

interface ChromiumOptions {
  /** From the configuration; nothing else is tried when it is set. */
  executablePath?: string | null;
  /** The folder of the unpacked Chromium and of profiles. */
  cacheDir: string;
  log?: (line: string) => void;
}

interface ChromiumExecutable {
  path: string;
  source: 'configured' | 'installed' | 'bundled';
  /** As the executable prints it: `Chromium 147.0.7727.55`. */
  version: string;
  libraryPath?: string;
}

interface LaunchedChromium extends ChromiumExecutable {
  browser: Browser;
}

/**
 * The Chromium that would be used: the configured one, an installed one that runs, the bundled
 * one (unpacked on first use).
 *
 * @throws when none runs, with the remedy
 */
export async function findChromium(options: ChromiumOptions): Promise<ChromiumExecutable> {
  const { executablePath, cacheDir } = options;
  if (executablePath) {
    const version = await probe(executablePath);
    if (version) return { path: executablePath, source: 'configured', version };
    throw new Error(`CHROMIUM_PATH: ${executablePath} does not run; unset it or correct it`);
  }
  for (const path of candidates()) {
    const version = (await isExecutable(path)) ? await probe(path) : undefined;
    if (version) return { path, source: 'installed', version };
  }
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const bundled = await unpackChromium(cacheDir);
  if (bundled) {
    for (const libraryPath of [undefined, bundled.libraryPath]) {
      const version = await probe(bundled.path, libraryPath);
      if (version) return { path: bundled.path, source: 'bundled', version, libraryPath };
    }
  }
  throw new Error('no Chromium runs here; install chromium, or set CHROMIUM_PATH to one');
}

/** The pipe ties Chromium to this process: it ends with us, however we end. */
export async function launchChromium(options: ChromiumOptions): Promise<LaunchedChromium> {
  const executable = await findChromium(options);
  // Chromium's sandbox does not work for root.
  if (process.getuid?.() === 0) return start(executable, options.cacheDir, ['--no-sandbox']);
  try {
    return await start(executable, options.cacheDir, []);
  } catch (error) {
    if (!(await lacksSandbox(executable, options.cacheDir))) throw error;
    options.log?.('Chromium cannot use its sandbox on this system and runs without it');
    return start(executable, options.cacheDir, ['--no-sandbox']);
  }
}

/** Its last words: over a pipe, all that a failed start tells us is that the pipe was closed. */
async function lacksSandbox(
  { path, libraryPath }: ChromiumExecutable,
  cacheDir: string,
): Promise<boolean> {
  const home = await mkdtemp(join(cacheDir, `profile-${process.pid}-`));
  const args = ['--headless', ...FLAGS, `--user-data-dir=${home}`, '--dump-dom', 'about:blank'];
  try {
    const env = environment(home, libraryPath);
    await promisify(execFile)(path, args, { env, timeout: PROBE_TIMEOUT_MS });
    return false;
  } catch (error) {
    return /sandbox|zygote|namespace/i.test(String((error as { stderr?: string }).stderr));
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function start(
  executable: ChromiumExecutable,
  cacheDir: string,
  extraFlags: string[],
): Promise<LaunchedChromium> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  await removeStaleProfiles(cacheDir);
  const profile = await mkdtemp(join(cacheDir, `profile-${process.pid}-`));
  // Processes of a browser that was killed write for some more seconds.
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 20 });
  const givenUp = new AbortController();
  try {
    const fontConfig = await writeFontConfig(profile, await unpackFallbackFonts(cacheDir));
    // Loaded with the first browser: most commands of the operator have none.
    const { default: puppeteer } = await import('puppeteer-core');
    const launching = puppeteer.launch({
      executablePath: executable.path,
      headless: executable.source === 'bundled' ? 'shell' : true,
      pipe: true,
      args: [...FLAGS, ...extraFlags],
      env: { ...environment(profile, executable.libraryPath), FONTCONFIG_FILE: fontConfig },
      userDataDir: profile,
      signal: givenUp.signal,
      // Our own shutdown decides when Chromium ends: renders may still be running.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    // Puppeteer's own time-out does not see a process that ends while they shake hands.
    const browser = await within(LAUNCH_TIMEOUT_MS, 'starting Chromium', launching);
    browser.once('disconnected', () => void removeProfile().catch(() => undefined));
    return { ...executable, browser };
  } catch (error) {
    givenUp.abort();
    await removeProfile().catch(() => undefined);
    throw error;
  }
}

/** Not our own environment: it holds secrets that a renderer has no business to know. */
function environment(home: string, libraryPath?: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LANG: 'en_US.UTF-8',
    TZ: 'UTC',
    ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
  };
}

/** Our fonts and none of the system: a document looks the same wherever it is printed. */
async function writeFontConfig(profile: string, fallback: string | undefined): Promise<string> {
  const system = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>';
  const path = join(profile, 'fonts.conf');
  const entries = [
    // Chromium needs one font to fall back to.
    fallback ? `<dir>${escapeXml(fallback)}</dir>` : system,
    `<cachedir>${escapeXml(join(profile, 'fontconfig'))}</cachedir>`,
  ];
  await writeFile(path, `<?xml version="1.0"?>\n<fontconfig>${entries.join('')}</fontconfig>\n`);
  return path;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The version, or undefined when the file does not run: missing libraries, a stub for a snap. */
async function probe(path: string, libraryPath?: string): Promise<string | undefined> {
  const env = environment('/nonexistent', libraryPath);
  const run = promisify(execFile)(path, ['--version'], { env, timeout: PROBE_TIMEOUT_MS });
  return run.then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}

function candidates(): Set<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const named = [...folders, ...USUAL_PLACES].flatMap((folder) =>
    NAMES.map((name) => join(folder, name)),
  );
  return new Set([...named, ...USUAL_PLACES.filter((place) => place.startsWith('/App'))]);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function removeStaleProfiles(cacheDir: string): Promise<void> {
  const entries = await readdir(cacheDir);
  const stale = entries.filter((entry) => {
    const pid = /^profile-(\d+)-/.exec(entry)?.[1];
    return pid !== undefined && !isRunning(Number(pid));
  });
  await Promise.all(
    stale.map((entry) => rm(join(cacheDir, entry), { recursive: true, force: true })),
  );
}
