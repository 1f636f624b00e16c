import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { DocumentsQuery } from '../src/documents/infrastructure/documents.query.js';
import { pdfHtml } from '../src/documents/infrastructure/printing/pdf-template.js';
import { SystemClock } from '../src/kernel/clock.js';
import { launchChromium } from '../src/platform/chromium/chromium.js';
import { dataSourceOptions } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import type { Contestant, Stage } from './contestants.js';
import type { LoadJob } from './load-job.js';
import { asRound, noRounds, refuseFailures, type Rounds, type Timing } from './money-load.js';
import type { LoadGenerator } from './processes.js';

const RENDERS = 30;
const WARM_UP_RENDERS = 10;
const PORTAL_PAGES = 100;

/** The paths that are read of a contestant, and the answer that is expected. */
export interface Reading {
  paths: string[];
  headers: Record<string, string>;
  expect: LoadJob['expect'];
}

/** GETs by many connections, of the service and the build before it, in turn, there and back. */
export async function measureReads(
  contestants: readonly Contestant[],
  readingOf: (contestant: Contestant) => Promise<Reading>,
  generator: LoadGenerator,
  timing: Timing,
): Promise<Rounds> {
  const rounds = noRounds();
  const read = contestants.filter(({ name }) => name === 'service' || name === 'before');
  const readings = new Map<Contestant, Reading>();
  for (const one of read) readings.set(one, await readingOf(one));
  for (let round = 0; round <= timing.rounds; round += 1) {
    for (const contestant of round % 2 === 0 ? read : read.toReversed()) {
      const { name, server } = contestant;
      const cpuBefore = await server.cpuMs();
      const result = await generator.run({
        kind: 'reads',
        port: server.port,
        connections: timing.connections,
        seconds: round === 0 ? timing.warmUpSeconds : timing.seconds,
        ...readings.get(contestant)!,
        prefix: '',
        secret: '',
        links: [],
      });
      refuseFailures(name, result);
      const cpuMs = (await server.cpuMs()) - cpuBefore;
      if (round > 0) rounds[name].push(asRound(result, cpuMs));
    }
  }
  return rounds;
}

const documentPaths = ({ payments }: Contestant): string[] =>
  payments.paths.map((path) => path.replace(/\/payments$/, ''));

export async function documentReading(contestant: Contestant): Promise<Reading> {
  return {
    paths: documentPaths(contestant),
    headers: contestant.payments.headers,
    expect: { status: 200, body: '"id"' },
  };
}

/** First pages of lists: the newest, those still open, and those that are late. */
export async function listReading({ payments }: Contestant): Promise<Reading> {
  const queries = ['', '?status=open', '?is_overdue=true&sort=due_date'];
  return {
    paths: queries.map((query) => `/v1/finance/documents${query}`),
    headers: payments.headers,
    expect: { status: 200, body: '"has_more"' },
  };
}

const FIELDS = 'number,status,customer.name,issue_date,due_date,currency,total,amount_due';
const NEWEST = 30;
const NEWEST_LINES = 5;

/** The newest documents, of few lines as most are. */
export async function newestReading(contestant: Contestant): Promise<Reading> {
  const { server, payments } = contestant;
  const url = `http://127.0.0.1:${server.port}/v1/finance/documents`;
  const lines = Array.from({ length: NEWEST_LINES }, (_, index) => ({
    description: `Consulting, work package ${index + 1}`,
    quantity: '1.5',
    unit_amount: 10_000,
    tax_rate: '19',
  }));
  const customer = { name: 'Globex GmbH', address: ['Hauptstraße 1', '10115 Berlin'] };
  const body = JSON.stringify({ customer: { ...customer, country: 'DE' }, lines, issue: true });
  for (let made = 0; made < NEWEST; made += 1) {
    const headers = { ...payments.headers, 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
  const expect = { status: 200, body: '"has_more"' };
  return { paths: ['/v1/finance/documents'], headers: payments.headers, expect };
}

/** The same list with the fields that a page of it shows. The build before has only whole ones. */
export async function fieldsReading(contestant: Contestant): Promise<Reading> {
  const query = contestant.name === 'before' ? '' : `?fields=${FIELDS}`;
  return { ...(await newestReading(contestant)), paths: [`/v1/finance/documents${query}`] };
}

/** The client's page of some documents, as a browser asks for it. */
export async function portalReading(contestant: Contestant): Promise<Reading> {
  const paths: string[] = [];
  for (const path of documentPaths(contestant).slice(0, PORTAL_PAGES)) {
    const url = `http://127.0.0.1:${contestant.server.port}${path}/portal-tokens`;
    const answer = await fetch(url, { method: 'POST', headers: contestant.payments.headers });
    const { url: page } = (await answer.json()) as { url: string };
    paths.push(new URL(page).pathname);
  }
  const headers = { Accept: 'text/html', 'Accept-Language': 'de' };
  return { paths, headers, expect: { status: 200, body: '</html>' } };
}

/** A PDF that the caller has already: it is only asked whether it is still the same. */
export async function knownPdfReading(contestant: Contestant): Promise<Reading> {
  const [path = ''] = pdfPaths(contestant, 1);
  const { headers } = contestant.payments;
  const answer = await fetch(`http://127.0.0.1:${contestant.server.port}${path}`, { headers });
  await answer.arrayBuffer();
  const known = { ...headers, 'If-None-Match': answer.headers.get('etag') ?? '' };
  return { paths: [path], headers: known, expect: { status: 304, body: '' } };
}

/** PDFs that are stored already. */
export async function pdfReading(contestant: Contestant): Promise<Reading> {
  const { headers } = contestant.payments;
  const paths = pdfPaths(contestant, RENDERS);
  for (const path of paths) await fetchPdf(contestant, path);
  return { paths, headers, expect: { status: 200, body: '%PDF-' } };
}

/** Milliseconds of each first render, by each build and by a bare warm page alone. */
export interface Renders {
  serviceMs: number[];
  beforeMs: number[];
  rawMs: number[];
}

/**
 * The service's first answer for a document (read, template, print, store, send), against
 * `setContent` and `page.pdf` alone of the same HTML, and the build before. All run in turn.
 */
export async function measureRenders(stage: Stage, service: Contestant): Promise<Renders> {
  const before = stage.contestants.find(({ name }) => name === 'before');
  const options = {
    url: service.databaseUrl,
    poolSize: 2,
    lockTimeoutMs: 0,
    statementTimeoutMs: 0,
  };
  const dataSource = await new DataSource(dataSourceOptions(options)).initialize();
  const documents = new DocumentsQuery(new Database(dataSource), new SystemClock());
  const cacheDir = join(stage.folder, 'cache', 'chromium');
  const { browser } = await launchChromium({ cacheDir });
  const renders: Renders = { serviceMs: [], beforeMs: [], rawMs: [] };
  try {
    const page = await browser.newPage();
    await page.setJavaScriptEnabled(false);
    const { accountId, documentIds } = stage.seeded;
    const count = WARM_UP_RENDERS + RENDERS;
    const paths = pdfPaths(service, count);
    const beforePaths = before ? pdfPaths(before, count) : [];
    for (const [index, id] of documentIds.slice(0, count).entries()) {
      const view = await documents.find(accountId, id);
      if (!view) throw new Error('a document is missing');
      const html = pdfHtml(view);
      const rawMs = await timed(async () => {
        await page.setContent(html, { waitUntil: 'load' });
        await page.pdf({ preferCSSPageSize: true, printBackground: true });
      });
      const serviceMs = await timed(() => fetchPdf(service, paths[index]!));
      const beforeMs = before && (await timed(() => fetchPdf(before, beforePaths[index]!)));
      if (index < WARM_UP_RENDERS) continue;
      renders.rawMs.push(rawMs);
      renders.serviceMs.push(serviceMs);
      if (beforeMs !== undefined) renders.beforeMs.push(beforeMs);
    }
    return renders;
  } finally {
    await browser.close();
    await dataSource.destroy();
  }
}

/** Of the first documents. */
const pdfPaths = (contestant: Contestant, count: number): string[] =>
  documentPaths(contestant)
    .slice(0, count)
    .map((path) => `${path}/pdf`);

async function fetchPdf(service: Contestant, path: string): Promise<void> {
  const url = `http://127.0.0.1:${service.server.port}${path}`;
  const answer = await fetch(url, { headers: service.payments.headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status === 200 && bytes.toString('latin1', 0, 5) === '%PDF-') return;
  throw new Error(`no PDF: ${answer.status} ${bytes.toString('utf8', 0, 300)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
