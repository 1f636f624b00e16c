import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { documentNotFound } from '../domain/document-refusals.js';
import type { DocumentView } from '../domain/document-view.js';
import type { Template } from '../domain/printing/template.js';
import { letterLayoutOf } from '../domain/printing/paper-layouts.js';
import { type CopyMark, copyMarkOf } from '../domain/printing/copy-mark.js';
import { Locale } from '../domain/printing/formatting.js';
import { dataUriOf } from '../domain/parties/logo.js';
import { IssuedPdfs } from '../infrastructure/document-pdf.repository.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { PdfRenderer, type PrintOptions } from '../infrastructure/printing/pdf-renderer.js';
import { rowOfLine, tablesOf } from '../domain/printing/tables.js';
import { type PaperExtras, pdfHtml } from '../infrastructure/printing/pdf-template.js';
import { SellerLogos } from '../infrastructure/seller-logos.repository.js';

export interface StoredPdf {
  fileName: string;
  pdf: Buffer;
  sha256: Buffer;
}

/** More lines than that are on several sheets, and need no print to know it. */
const MOST_LINES_ON_A_SHEET = 100;

/**
 * A document's PDF: rendered once when first asked for, then served as it was stored. A document
 * that asks for nothing any more has two: that of its issue, and a copy with a mark on each page.
 */
@Injectable()
export class DocumentPdfs {
  /** Renders under way in this process, so that a rush on a new document renders it once. */
  private readonly rendering = new Map<string, Promise<StoredPdf>>();

  constructor(
    private readonly issued: IssuedPdfs,
    private readonly documents: DocumentsQuery,
    private readonly logos: SellerLogos,
    private readonly renderer: PdfRenderer,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @param asIssued without a mark of what became of it */
  async get(accountId: Uuid, documentId: Uuid, asIssued = false): Promise<StoredPdf> {
    const issued = await this.issued.find(accountId, documentId);
    const isMarked = !asIssued && (issued?.is_marked ?? false);
    const stored = isMarked ? null : await this.issued.bytesOf(accountId, issued);
    if (issued && stored) return { fileName: `${issued.number}.pdf`, ...stored };
    const key = `${accountId} ${documentId} ${isMarked}`;
    const running = this.rendering.get(key);
    if (running) return running;
    const timeZone = isMarked ? (issued?.time_zone ?? 'UTC') : null;
    const render = this.render(accountId, documentId, timeZone).finally(() =>
      this.rendering.delete(key),
    );
    this.rendering.set(key, render);
    return render;
  }

  /** A document as another template would show it; it is stored nowhere. */
  async preview(accountId: Uuid, documentId: Uuid, template: Template): Promise<StoredPdf> {
    const view = await this.documents.find(accountId, documentId);
    if (!view) throw documentNotFound();
    const mark = view.status === 'draft' ? copyMarkOf(view, 'UTC') : null;
    return this.print(accountId, { ...view, seller: { ...view.seller, template } }, mark);
  }

  /** @param timeZone of a copy that may have a mark; null for the PDF of the issue */
  private async render(
    accountId: Uuid,
    documentId: Uuid,
    timeZone: string | null,
  ): Promise<StoredPdf> {
    const view = await this.documents.find(accountId, documentId);
    if (!view) throw documentNotFound();
    const isDraft = view.status === 'draft';
    const mark = isDraft || timeZone !== null ? copyMarkOf(view, timeZone ?? 'UTC') : null;
    const fresh = await this.print(accountId, view, mark);
    // A draft still changes, and the mark is not of the issue; only what was issued is kept.
    if (isDraft || timeZone !== null || this.config.readOnly) return fresh;
    if (await this.store(accountId, documentId, view, fresh)) return fresh;
    // Another process may have been first: everybody gets the one that is stored.
    const kept = await this.issued.find(accountId, documentId);
    return { ...fresh, ...(await this.issued.bytesOf(accountId, kept)) };
  }

  private async print(
    accountId: Uuid,
    view: DocumentView,
    mark: CopyMark | null,
  ): Promise<StoredPdf> {
    const logo = await this.logoOf(accountId, view);
    const options = {
      owner: accountId,
      at: view.transitions.issued ?? view.updatedAt,
      tables: tablesOf(view.lines.length),
    };
    const pdf = await this.printed(view, { logo, mark }, options);
    const sha256 = createHash('sha256').update(pdf).digest();
    return { fileName: fileNameOf(view, mark), pdf, sha256 };
  }

  private async printed(
    view: DocumentView,
    extras: PaperExtras,
    options: PrintOptions,
  ): Promise<Buffer> {
    const { template } = view.seller;
    const html = pdfHtml(view, extras);
    if (!template?.carried_sums && letterLayoutOf(view.seller) === null) {
      return this.renderer.render(html, options);
    }
    if (view.lines.length <= MOST_LINES_ON_A_SHEET) {
      const { pdf, sheets } = await this.renderer.renderWithRows(html, options);
      if (new Set(sheets).size < 2) return pdf;
    }
    const carry = await this.linesThatEndSheets(view, extras, options);
    return this.renderer.render(pdfHtml(view, { ...extras, carry }), options);
  }

  /**
   * It is printed once more, with room for sums on each sheet: where sheets end cannot be told
   * before (decision 139).
   */
  private async linesThatEndSheets(
    view: DocumentView,
    extras: PaperExtras,
    options: PrintOptions,
  ): Promise<number[]> {
    const html = pdfHtml(view, { ...extras, carry: 'room' });
    const rows = await this.renderer.sheetsOfRows(html, options);
    const sheetOf = (index: number) => rows[rowOfLine(index)];
    return view.lines.flatMap((_, index) => {
      const next = index + 1 < view.lines.length ? sheetOf(index + 1) : undefined;
      return next !== undefined && next !== sheetOf(index) ? [index] : [];
    });
  }

  /** @returns whether it is the one that is stored: a database may take no changes for a while */
  private async store(
    accountId: Uuid,
    documentId: Uuid,
    view: DocumentView,
    made: StoredPdf,
  ): Promise<boolean> {
    const { language } = Locale.of(view.language);
    try {
      return await this.issued.insert({
        account_id: accountId,
        document_id: documentId,
        language,
        pdf: made.pdf,
        sha256: made.sha256,
        created_at: this.clock.now(),
      });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') return false;
      throw error;
    }
  }

  /** The seller's logo as it was when the document was issued, as a data URI. */
  async logoOf(accountId: Uuid, { seller }: Pick<DocumentView, 'seller'>): Promise<string | null> {
    const logo = seller.logo && (await this.logos.find(accountId, seller.logo));
    return logo ? dataUriOf(logo) : null;
  }
}

function fileNameOf({ number }: DocumentView, mark: CopyMark | null): string {
  return `${number ?? 'draft'}${mark?.suffix ?? ''}.pdf`;
}
