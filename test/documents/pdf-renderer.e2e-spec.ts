import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Browser } from 'puppeteer-core';
import { fontFacesFor } from '../../src/documents/infrastructure/printing/fonts.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { launchChromium } from '../../src/platform/chromium/chromium.js';
import { openedPdf } from '../support/pdf-text.js';
import { PATIENCE_MS } from '../support/patience.js';
import { tries } from '../support/share.js';

const KILLS = tries({ pushed: 20, full: 50 });
const CACHE_DIR = join(tmpdir(), `quittance-chromium-${process.getuid?.() ?? 0}`);
// A page is as wide as its text says, so that a PDF tells which document it was made of.
const pageOfWidth = (millimetres: number) =>
  `<!doctype html><style>@page{size:${millimetres}mm 100mm;margin:0}</style><p>${millimetres}`;

describe('PDF renderer', () => {
  let renderer: PuppeteerPdfRenderer;
  let browsers: Browser[];

  const launch = async () => {
    const { browser } = await launchChromium({ cacheDir: CACHE_DIR });
    browsers.push(browser);
    return browser;
  };

  beforeAll(async () => {
    browsers = [];
    renderer = new PuppeteerPdfRenderer({ launch });
    await renderer.warm();
  });

  afterAll(async () => {
    await renderer.close();
  });

  it('makes a PDF', async () => {
    const pdf = await renderer.render('<!doctype html><title>T</title><p>Hello');
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('prints with its own fonts and none of the system', async () => {
    // Symbols and Tifinagh that fonts of many systems have.
    const html = `<!doctype html><style>${fontFacesFor('Aą', 'en')}p{font-family:Noto Sans}</style><p>Aą ⵣ ᚠ ꓐ`;
    const pdf = openedPdf(await renderer.render(html));
    const names = [...pdf.matchAll(/\/FontName \/[A-Z]+\+([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(['NotoSans-Regular', 'OpenSans-Regular']));
    expect(names.filter((name) => name === 'NotoSans-Regular')).toHaveLength(2);
  });

  it('does not mix documents that are made at the same time', async () => {
    const widths = Array.from({ length: 24 }, (_, index) => 60 + index * 5);
    const pdfs = await Promise.all(widths.map((width) => renderer.render(pageOfWidth(width))));
    expect(pdfs.map(widthOf)).toEqual(widths);
  });

  it.each([0, 5, 20, 60])('survives a crash of the browser %d ms into a render', async (wait) => {
    const fragile = new PuppeteerPdfRenderer({ launch });
    await fragile.warm();
    const browser = browsers.at(-1);
    const widths = [70, 80, 90, 95];
    const running = Promise.all(widths.map((width) => fragile.render(pageOfWidth(width))));
    await sleep(wait);
    browser?.process()?.kill('SIGKILL');
    expect((await running).map(widthOf)).toEqual(widths);
    expect(widthOf(await fragile.render(pageOfWidth(120)))).toBe(120);
    expect(browsers.at(-1)).not.toBe(browser);
    await fragile.close();
  });

  it('answers across kills, which leave no process and no folder', async () => {
    const before = await traces();
    const fragile = new PuppeteerPdfRenderer({ launch });
    await fragile.warm();
    for (let round = 0; round < KILLS; round += 1) {
      const rendering = fragile.render(pageOfWidth(60 + round));
      await sleep((round % 10) * 8);
      const [browser, ...others] = (await traces()).processes.filter(
        (id) => !before.processes.includes(id),
      );
      // The browser itself, or one of the processes that it started.
      const victim = round % 2 === 0 ? browser : (others[round % (others.length || 1)] ?? browser);
      if (victim !== undefined) killed(victim);
      expect(widthOf(await rendering)).toBe(60 + round);
    }
    await fragile.close();
    await vi.waitFor(async () => {
      const after = await traces();
      expect(after.processes.filter((id) => !before.processes.includes(id))).toEqual([]);
      expect(after.folders.filter((name) => !before.folders.includes(name))).toEqual([]);
    }, PATIENCE_MS);
  });

  it('gives up a browser that opens no page, and prints with another', async () => {
    let launches = 0;
    const firstHangs = async () => {
      const browser = await launch();
      launches += 1;
      if (launches === 1) browser.process()?.kill('SIGSTOP');
      return browser;
    };
    const lost: string[] = [];
    const hung = new PuppeteerPdfRenderer({
      launch: firstHangs,
      openTimeoutMs: 10_000,
      log: (line) => lost.push(line),
    });
    expect(widthOf(await hung.render(pageOfWidth(61)))).toBe(61);
    expect(launches).toBe(2);
    // No attempt was lost to the browser that was being ended.
    expect(lost).toHaveLength(1);
    await hung.close();
  });

  it('ends a render that takes too long, and works on', async () => {
    const hasty = new PuppeteerPdfRenderer({ launch, timeoutMs: 300 });
    try {
      const endless = `<!doctype html>${'<table><tr><td>'.repeat(200)}x${'<p>y'.repeat(200_000)}`;
      await expect(hasty.render(endless)).rejects.toMatchObject({ code: 'pdf_timeout' });
    } finally {
      await hasty.close();
    }
    expect(widthOf(await renderer.render(pageOfWidth(66)))).toBe(66);
  });

  it('refuses what does not fit into its queue, and everything once closed', async () => {
    const small = new PuppeteerPdfRenderer({ launch, waitingLimit: 1 });
    const settled = await Promise.allSettled(
      [61, 62, 63, 64].map((width) => small.render(pageOfWidth(width))),
    );
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(settled[3]).toMatchObject({ reason: { kind: 'unavailable', code: 'pdf_busy' } });
    await small.close();
    await expect(small.render('<p>')).rejects.toMatchObject({ code: 'pdf_busy' });
  });

  describe('given a hostile document', () => {
    let server: Server;
    let hits: string[];
    let folder: string;
    let secretFile: string;
    let origin: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quittance-secret-'));
      secretFile = `file://${join(folder, 'secret.html')}`;
      await writeFile(join(folder, 'secret.html'), `<body style="background:#f00">${SECRET}`);
      hits = [];
      server = createServer((request, response) => {
        hits.push(request.url ?? '');
        response.setHeader('Content-Type', 'text/html');
        response.end(`<body>${SECRET}`);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });

    afterAll(async () => {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    });

    const SECRET = 'MOST-SECRET';
    const payloads: Record<string, (url: string, file: string) => string> = {
      image: (url, file) => `<img src="${url}/a"><img src="${file}">`,
      frame: (url, file) => `<iframe src="${url}/b"></iframe><iframe src="${file}"></iframe>`,
      'object and embed': (url, file) => `<object data="${file}"></object><embed src="${url}/c">`,
      'meta refresh': (url) => `<meta http-equiv="refresh" content="0;url=${url}/d">`,
      'meta refresh to a file': (_, file) => `<meta http-equiv="refresh" content="0;url=${file}">`,
      script: (url) => `<script>fetch('${url}/e');document.write('<img src="${url}/e2">')</script>`,
      'event handler': (url) => `<img src="data:," onerror="location='${url}/f'">`,
      svg: (url, file) =>
        `<svg><image href="${url}/g"/><use href="${file}#x"/><foreignObject>` +
        `<iframe xmlns="http://www.w3.org/1999/xhtml" src="${file}"></iframe></foreignObject></svg>`,
      'style sheet': (url, file) =>
        `<link rel="stylesheet" href="${url}/h"><style>@import url(${url}/h2);` +
        `@font-face{font-family:x;src:url(${url}/h3)}p{font-family:x;background:url(${file})}</style><p>x`,
      'base, srcdoc and preload': (url, file) =>
        `<base href="${url}/"><img src="i"><link rel="preload" as="image" href="i2">` +
        `<link rel="dns-prefetch" href="${url}"><link rel="preconnect" href="${url}">` +
        `<iframe srcdoc="&lt;iframe src='${file}'&gt;&lt;/iframe&gt;&lt;img src='${url}/i3'&gt;"></iframe>`,
    };

    it.each(Object.keys(payloads))('leaks nothing: %s', async (name) => {
      const html = payloads[name]?.(origin, secretFile) ?? '';
      const plain = await renderer.render(`<!doctype html><body>${html}`);
      // Time for a request that was only started by the render.
      await sleep(100);
      expect(hits).toEqual([]);
      expect(openedPdf(plain)).not.toContain('1 0 0 rg');
      expect(widthOf(await renderer.render(pageOfWidth(77)))).toBe(77);
    });

    it('would notice a leak', async () => {
      const red = await renderer.render('<!doctype html><body style="background:#f00">');
      expect(openedPdf(red)).toContain('1 0 0 rg');
    });
  });
});

interface Traces {
  processes: string[];
  folders: string[];
}

/** The processes of the browsers that this one started, and their folders. */
async function traces(): Promise<Traces> {
  const own = `profile-${process.pid}-`;
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isOurs = async (id: string) => {
    const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
    const state = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => ') Z');
    return environment.includes(`HOME=${join(CACHE_DIR, own)}`) && !/\) Z/.test(state);
  };
  const ours = await Promise.all(ids.map(isOurs));
  return {
    processes: ids.filter((_, at) => ours[at]),
    folders: (await readdir(CACHE_DIR)).filter((name) => name.startsWith(own)),
  };
}

/** It may have ended by itself since. */
function killed(id: string): void {
  try {
    process.kill(Number(id), 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Of the first page, in millimetres. */
function widthOf(pdf: Buffer): number {
  const points = /\/MediaBox \[0 0 ([\d.]+) /.exec(openedPdf(pdf))?.[1];
  return Math.round((Number(points) / 72) * 25.4);
}
