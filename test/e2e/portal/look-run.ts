import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import { LANGUAGES } from '../../../src/documents/index.js';
import { shareTestServer } from '../../support/database-server.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openBrowser } from './browser.js';
import { portalStates } from './portal-states.js';

// npm run look                          pictures of every state, language and size, in ./look
// npm run look -- --languages en,ar --folder /tmp/look

const SIZES = [
  { name: 'phone', width: 390, scheme: 'light' },
  { name: 'phone-dark', width: 390, scheme: 'dark' },
  { name: 'desk', width: 1280, scheme: 'light' },
];
/** In one language only: the ends of what has to fit. */
const ENDS = [
  { name: 'small', width: 320, scheme: 'light' },
  { name: '4k', width: 3840, scheme: 'light' },
];

interface Picture {
  language: string;
  state: string;
  size: string;
  file: string;
}

const { values } = parseArgs({
  options: {
    languages: { type: 'string', default: LANGUAGES.join(',') },
    folder: { type: 'string', default: 'look' },
  },
});
const languages = values.languages.split(',');
const unknown = languages.filter((language) => !LANGUAGES.includes(language));
if (unknown.length > 0) throw new Error(`--languages: known are ${LANGUAGES.join(', ')}`);
const folder = resolve(values.folder);
await mkdir(folder, { recursive: true });

const server = await shareTestServer();
const [service, browser] = await Promise.all([startTestService(), openBrowser()]);
try {
  const client = await service.aClient();
  await client.patch('/v1/finance/seller', {
    name: 'Acme Studio',
    email: 'billing@acme.example',
    phone: '+49 30 1234567',
    bank_accounts: [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bank_name: 'Bank' }],
  });
  const page = await browser.newPage();
  const pictures: Picture[] = [];
  for (const language of languages) {
    for (const [state, make] of Object.entries(portalStates(service, client))) {
      const token = await make({ language });
      pictures.push(...(await taken(page, token, { language, state })));
      await keepPdf(service, token, { language, state });
    }
    const refused = { language, state: 'a link that is gone' };
    pictures.push(...(await taken(page, `${'x'.repeat(43)}?language=${language}`, refused)));
    console.log(`${language}: ${pictures.length} pictures so far`);
  }
  await writeFile(join(folder, 'index.html'), indexOf(pictures));
  console.log(`look at ${join(folder, 'index.html')}`);
} finally {
  await browser.close();
  await service.close();
  await server.stop();
}

async function taken(
  page: Page,
  token: string,
  { language, state }: { language: string; state: string },
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const size of language === languages[0] ? [...SIZES, ...ENDS] : SIZES) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: size.scheme }]);
    await page.setViewport({ width: size.width, height: 844 });
    await page.goto(`${service.url}/v1/portal/${token}`);
    const file = `${nameOf(language, state)}-${size.name}.png` as const;
    await page.screenshot({ path: join(folder, file) as `${string}.png`, fullPage: true });
    pictures.push({ language, state, size: size.name, file });
  }
  return pictures;
}

async function keepPdf(
  { call }: TestService,
  token: string,
  { language, state }: { language: string; state: string },
): Promise<void> {
  const { bytes } = await call(`/v1/portal/documents/${token}/pdf`);
  await writeFile(join(folder, `${nameOf(language, state)}.pdf`), bytes);
}

function nameOf(language: string, state: string): string {
  return `${language}-${state.replaceAll(' ', '-')}`;
}

/** A page with all of them, side by side. */
function indexOf(pictures: readonly Picture[]): string {
  const names = new Set(pictures.map(({ language, state }) => nameOf(language, state)));
  const sections = [...names].map((name) => {
    const shown = pictures
      .filter(({ language, state }) => nameOf(language, state) === name)
      .map(({ file, size }) => `<a href="${file}"><img src="${file}" alt="${size}"></a>`);
    return `<h2>${name}</h2><p><a href="${name}.pdf">PDF</a></p><div>${shown.join('')}</div>`;
  });
  const style =
    'body { font: 16px system-ui, sans-serif } div { display: flex; gap: 1rem; align-items: start } img { height: 24rem; border: 1px solid #999 }';
  return `<!doctype html><meta charset="utf-8"><title>How it looks</title><style>${style}</style>${sections.join('\n')}`;
}
