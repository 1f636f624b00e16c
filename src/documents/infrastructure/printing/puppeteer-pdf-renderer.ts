import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { DomainError } from '../../../kernel/domain-error.js';
import { FairQueue } from '../../../platform/fair-queue.js';
import { tracing } from '../../../platform/tracing/tracing.js';
import { within } from '../../../platform/within.js';
import { withoutGlyph } from './fonts.js';
import { archivalPdf } from './archival-pdf.js';
import { readPdf, sheetsOfRows } from './printed-pdf.js';
import { PdfRenderer, type PdfWithRows, type PrintOptions } from './pdf-renderer.js';
import type { PrintFigures } from './print-figures.js';
import { DocumentRefusal } from '../../domain/refusals.js';

const PAGES = 2;
const WAITING_LIMIT = 200;
const RENDER_TIMEOUT_MS = 30_000;
/** Of several tables: such are printed one at a time, and have more time (decision 257). */
const LARGE_TIMEOUT_MS = 120_000;
/** To give back its memory takes a page seconds. */
const LARGE_CLOSE_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
const OPEN_TIMEOUT_MS = 10_000;
const RENDERS_PER_PAGE = 500;
const ATTEMPTS = 3;

export interface PuppeteerPdfRendererOptions {
  launch: () => Promise<Browser>;
  log?: (line: string) => void;
  figures?: PrintFigures;
  waitingLimit?: number;
  timeoutMs?: number;
  openTimeoutMs?: number;
}

/** The page or its browser ended, or never began: rarely the document's fault, so tried again. */
class PageLost extends Error {}

class RenderTimeout extends Error {}

/** A page at work, or ready for it. It prints one document at a time. */
interface PrintPage {
  page: Page;
  /** Printing by DevTools' own commands takes three quarters of the time of puppeteer's calls. */
  devTools: CDPSession;
  /** Of the page's only frame. */
  frameId: string;
  lost: Promise<never>;
  renders: number;
}

/**
 * Prints on warm pages that see nothing but the document: no script, no network, no files. A page
 * is reused, because a new one costs more than the printing; after any error it is thrown away.
 */
export class PuppeteerPdfRenderer extends PdfRenderer {
  private browser?: Promise<Browser>;
  private readonly idle: PrintPage[] = [];
  private readonly turns: FairQueue;
  private readonly largeTurns: FairQueue;
  private closed = false;

  constructor(private readonly options: PuppeteerPdfRendererOptions) {
    super();
    const waiting = options.waitingLimit ?? WAITING_LIMIT;
    const refusal = () =>
      busy(
        this.closed
          ? 'The service is shutting down.'
          : 'Too many PDF files are being made; try again in a moment.',
      );
    this.turns = new FairQueue({ places: PAGES, waiting, refusal });
    this.largeTurns = new FairQueue({ places: 1, waiting, refusal });
    options.figures?.watchQueues({
      prints: () => this.turns.standing,
      large_prints: () => this.largeTurns.standing,
    });
  }

  async render(html: string, options: PrintOptions = {}): Promise<Buffer> {
    return this.inTurn(options, async () =>
      archivalPdf(await this.printAtLast(html, options), { at: options.at ?? null }),
    );
  }

  async sheetsOfRows(html: string, options: PrintOptions = {}): Promise<number[]> {
    return this.inTurn(options, async () =>
      sheetsOfRows(await readPdf(await this.printAtLast(html, options)), options.tables),
    );
  }

  override async renderWithRows(html: string, options: PrintOptions = {}): Promise<PdfWithRows> {
    return this.inTurn(options, async () => {
      const printed = await this.printAtLast(html, options);
      return {
        sheets: sheetsOfRows(await readPdf(printed), options.tables),
        pdf: await archivalPdf(printed, { at: options.at ?? null }),
      };
    });
  }

  /** A large one waits for other large ones first: one page at least prints for all others. */
  private async inTurn<Made>(options: PrintOptions, make: () => Promise<Made>): Promise<Made> {
    return tracing.span('pdf', {}, async () => this.made(options, make));
  }

  private async made<Made>(
    { owner = '', ...options }: PrintOptions,
    make: () => Promise<Made>,
  ): Promise<Made> {
    if (this.closed) throw busy('The service is shutting down.');
    const queues = isLarge(options) ? [this.largeTurns, this.turns] : [this.turns];
    const entered: FairQueue[] = [];
    const begunAt = performance.now();
    let outcome = 'made';
    try {
      await tracing.span('wait for a page', {}, async () => {
        for (const queue of queues) {
          await queue.enter(owner);
          entered.push(queue);
        }
      });
      return await make();
    } catch (error) {
      const refusal = this.asUnavailable(error);
      outcome = refusal.code;
      throw refusal;
    } finally {
      this.options.figures?.printed(outcome, (performance.now() - begunAt) / 1000);
      for (const queue of entered) queue.leave(owner);
    }
  }

  withoutGlyph(text: string): string[] {
    return withoutGlyph(text);
  }

  async warm(): Promise<void> {
    const blank = '<!doctype html><title>Warm-up</title><p>0';
    await Promise.all(Array.from({ length: PAGES }, () => this.render(blank)));
  }

  async close(): Promise<void> {
    this.closed = true;
    this.largeTurns.refuseAll();
    this.turns.refuseAll();
    const browser = await this.browser?.catch(() => undefined);
    await browser?.close();
  }

  /** Called by Nest, after the last request was answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** Again where a page was lost, but not for ever: the document may be what ends it. */
  private async printAtLast(html: string, options: PrintOptions): Promise<Buffer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.print(html, isLarge(options));
      } catch (error) {
        if (!(error instanceof PageLost) || this.closed || attempt === ATTEMPTS) throw error;
        this.options.log?.(`a PDF page was lost and is tried again: ${error.message}`);
      }
    }
  }

  private async print(html: string, isLargeOne: boolean): Promise<Buffer> {
    const printPage = await this.takePage();
    const usual = isLargeOne ? LARGE_TIMEOUT_MS : RENDER_TIMEOUT_MS;
    const timeout = this.options.timeoutMs ?? usual;
    const printing = tracing.span('print', {}, async () =>
      Promise.race([printOn(printPage, html), printPage.lost]),
    );
    try {
      const pdf = await within(timeout, 'printing', printing, RenderTimeout);
      await this.giveBack(printPage, isLargeOne);
      return pdf;
    } catch (error) {
      void this.discard(printPage.page);
      const ended = printPage.page.isClosed() || !printPage.page.browser().connected;
      throw ended && !(error instanceof PageLost) ? new PageLost(String(error)) : error;
    }
  }

  private async takePage(): Promise<PrintPage> {
    const idle = this.idle.pop();
    if (idle) return idle;
    const browser = await this.running();
    const timeout = this.options.openTimeoutMs ?? OPEN_TIMEOUT_MS;
    try {
      return await within(timeout, 'opening a page', openPage(browser), PageLost);
    } catch (error) {
      // It has lost a process that it waits for, and would do so for minutes.
      if (error instanceof PageLost) await killed(browser);
      throw browser.connected ? error : new PageLost(String(error));
    }
  }

  private async giveBack(printPage: PrintPage, isFull: boolean): Promise<void> {
    printPage.renders++;
    // A document that made the page navigate, though it got nowhere, leaves no page to trust.
    const worn = printPage.renders >= RENDERS_PER_PAGE || printPage.page.url() !== 'about:blank';
    // The memory of a large document goes only with its page.
    if (isFull) void this.discard(printPage.page, LARGE_CLOSE_TIMEOUT_MS);
    else if (worn || printPage.page.isClosed()) void this.discard(printPage.page);
    else this.idle.push(printPage);
  }

  private async running(): Promise<Browser> {
    this.browser ??= this.options.launch().then((browser) => {
      this.options.figures?.browserStarted();
      browser.once('disconnected', () => {
        this.browser = undefined;
        this.idle.length = 0;
      });
      return browser;
    });
    try {
      return await this.browser;
    } catch (error) {
      this.browser = undefined;
      throw new PageLost(String(error));
    }
  }

  /** A page that is too busy even to close takes its browser along. */
  private async discard(page: Page, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
    const timer = setTimeout(() => page.browser().process()?.kill('SIGKILL'), timeoutMs);
    await page.close().catch(() => undefined);
    clearTimeout(timer);
  }

  private asUnavailable(error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    this.options.log?.(`a PDF could not be made: ${String(error)}`);
    if (error instanceof RenderTimeout) {
      return DocumentRefusal.pdf_timeout.later(30, 'The PDF took too long to make.');
    }
    return DocumentRefusal.pdf_failed.later(5, 'The PDF cannot be made at the moment.');
  }
}

const isLarge = ({ tables = 1 }: PrintOptions) => tables > 1;

function busy(detail: string): DomainError {
  return DocumentRefusal.pdf_busy.later(2, detail);
}

/** Killed, and known to be: the next attempt is not for a browser that is about to end. */
async function killed(browser: Browser): Promise<void> {
  if (!browser.connected) return;
  const gone = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
  browser.process()?.kill('SIGKILL');
  await gone;
}

async function openPage(browser: Browser): Promise<PrintPage> {
  const page = await browser.newPage();
  const lost = new Promise<never>((_, reject) => {
    page.once('error', (error) => reject(new PageLost(error.message)));
    page.once('close', () => reject(new PageLost('the page was closed')));
    const browserEnded = () => reject(new PageLost('the browser ended'));
    browser.once('disconnected', browserEnded);
    page.once('close', () => browser.off('disconnected', browserEnded));
  });
  // Usually nobody is waiting when a page ends.
  lost.catch(() => undefined);
  await page.setJavaScriptEnabled(false);
  await page.setOfflineMode(true);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const handled = request.url().startsWith('data:') ? request.continue() : request.abort();
    handled.catch(() => undefined);
  });
  const devTools = await page.createCDPSession();
  await devTools.send('Page.enable');
  const { frameTree } = await devTools.send('Page.getFrameTree');
  return { page, devTools, frameId: frameTree.frame.id, lost, renders: 0 };
}

async function printOn({ devTools, frameId }: PrintPage, html: string): Promise<Buffer> {
  const loaded = new Promise<void>((resolve) => {
    devTools.once('Page.loadEventFired', () => resolve());
  });
  await devTools.send('Page.setDocumentContent', { frameId, html });
  await loaded;
  const fonts = { expression: 'document.fonts.ready.then(() => true)', awaitPromise: true };
  await devTools.send('Runtime.evaluate', fonts);
  const { data } = await devTools.send('Page.printToPDF', {
    preferCSSPageSize: true,
    printBackground: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
  });
  return Buffer.from(data, 'base64');
}
