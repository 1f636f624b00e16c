import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { DocumentsQuery } from '../src/documents/infrastructure/documents.query.js';
import { pdfHtml } from '../src/documents/infrastructure/printing/pdf-template.js';
import { SystemClock } from '../src/kernel/clock.js';
import { publicId } from '../src/kernel/ids.js';
import { launchChromium } from '../src/platform/chromium/chromium.js';
import { dataSourceOptions } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import type { Contestant, Stage } from './contestants.js';
import { asRound, refuseFailures, type Round, type Timing, WARM_UP_SECONDS } from './money-load.js';
import type { LoadGenerator } from './processes.js';

const RENDERS = 30;
const WARM_UP_RENDERS = 10;

/** GET of documents, or of PDFs that are stored already, by many connections. */
export async function measureReads(
  paths: string[],
  expected: string,
  service: Contestant,
  generator: LoadGenerator,
  timing: Timing,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round <= timing.rounds; round += 1) {
    const cpuBefore = await service.server.cpuMs();
    const result = await generator.run({
      kind: 'reads',
      port: service.server.port,
      connections: timing.connections,
      seconds: round === 0 ? WARM_UP_SECONDS : timing.seconds,
      paths,
      headers: service.payments.headers,
      expect: { status: 200, body: expected },
      prefix: '',
      secret: '',
      links: [],
    });
    refuseFailures('service', result);
    const cpuMs = (await service.server.cpuMs()) - cpuBefore;
    if (round > 0) rounds.push(asRound(result, cpuMs));
  }
  return rounds;
}

export function documentPaths(stage: Stage): string[] {
  return stage.seeded.documentIds.map((id) => `/v1/finance/documents/${publicId('doc', id)}`);
}

/** Milliseconds of each first render, by the service and by a bare warm page alone. */
export interface Renders {
  serviceMs: number[];
  rawMs: number[];
  paths: string[];
}

/**
 * The service's first answer for a document (read, template, print, store, send), against
 * `setContent` and `page.pdf` alone of the same HTML. All run one after the other.
 */
export async function measureRenders(stage: Stage, service: Contestant): Promise<Renders> {
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
  const renders: Renders = { serviceMs: [], rawMs: [], paths: [] };
  try {
    const page = await browser.newPage();
    await page.setJavaScriptEnabled(false);
    const { accountId, documentIds } = stage.seeded;
    for (const [index, id] of documentIds.slice(0, WARM_UP_RENDERS + RENDERS).entries()) {
      const view = await documents.find(accountId, id);
      if (!view) throw new Error('a document is missing');
      const html = pdfHtml(view);
      const rawMs = await timed(async () => {
        await page.setContent(html, { waitUntil: 'load' });
        await page.pdf({ preferCSSPageSize: true, printBackground: true });
      });
      const path = `/v1/finance/documents/${publicId('doc', id)}/pdf`;
      const serviceMs = await timed(() => fetchPdf(service, path));
      if (index < WARM_UP_RENDERS) continue;
      renders.rawMs.push(rawMs);
      renders.serviceMs.push(serviceMs);
      renders.paths.push(path);
    }
    return renders;
  } finally {
    await browser.close();
    await dataSource.destroy();
  }
}

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
