import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { documentNotFound } from '../domain/document-refusals.js';
import type { DocumentView } from '../domain/document-view.js';
import { Locale } from '../domain/printing/formatting.js';
import { dataUriOf } from '../domain/parties/logo.js';
import { findPdf, insertPdf } from '../infrastructure/document-pdf.repository.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { PdfRenderer } from '../infrastructure/pdf-renderer.js';
import { pdfHtml } from '../infrastructure/pdf-template.js';
import { SellerLogos } from '../infrastructure/seller-logos.repository.js';

export interface StoredPdf {
  fileName: string;
  pdf: Buffer;
  sha256: Buffer;
}

/** A document's PDF: rendered once when first asked for, then served from the database. */
@Injectable()
export class DocumentPdfs {
  /** Renders under way in this process, so that a rush on a new document renders it once. */
  private readonly rendering = new Map<string, Promise<StoredPdf>>();

  constructor(
    private readonly database: Database,
    private readonly documents: DocumentsQuery,
    private readonly logos: SellerLogos,
    private readonly renderer: PdfRenderer,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `document_not_found`, `pdf_busy` */
  async get(accountId: Uuid, documentId: Uuid): Promise<StoredPdf> {
    const stored = await this.findStored(accountId, documentId);
    if (stored) return stored;
    const key = `${accountId} ${documentId}`;
    const running = this.rendering.get(key);
    if (running) return running;
    const render = this.render(accountId, documentId).finally(() => this.rendering.delete(key));
    this.rendering.set(key, render);
    return render;
  }

  private async render(accountId: Uuid, documentId: Uuid): Promise<StoredPdf> {
    const view = await this.documents.find(accountId, documentId);
    if (!view) throw documentNotFound();
    const logo = await this.logoOf(accountId, view);
    const pdf = await this.renderer.render(pdfHtml(view, logo), accountId);
    const sha256 = createHash('sha256').update(pdf).digest();
    // A draft still changes; only what was issued is kept.
    if (view.status === 'draft') return { fileName: fileNameOf(view), pdf, sha256 };
    const fresh = { fileName: fileNameOf(view), pdf, sha256 };
    if (!(await this.store(accountId, documentId, view, fresh))) return fresh;
    // Another process may have been first: everybody gets the one that is stored.
    return (await this.findStored(accountId, documentId)) ?? fresh;
  }

  /** @returns whether it could be: a database that takes no changes now still shows documents */
  private async store(
    accountId: Uuid,
    documentId: Uuid,
    view: DocumentView,
    made: StoredPdf,
  ): Promise<boolean> {
    const { language } = Locale.of(view.language);
    try {
      await insertPdf(this.database, {
        account_id: accountId,
        document_id: documentId,
        language,
        pdf: made.pdf,
        sha256: made.sha256,
        created_at: this.clock.now(),
      });
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') return false;
      throw error;
    }
  }

  /** The seller's logo as it was when the document was issued, as a data URI. */
  async logoOf(accountId: Uuid, { seller }: DocumentView): Promise<string | null> {
    const logo = seller.logo && (await this.logos.find(accountId, seller.logo));
    return logo ? dataUriOf(logo) : null;
  }

  /** An issued document keeps its language, so there is one file of it. */
  private async findStored(accountId: Uuid, documentId: Uuid): Promise<StoredPdf | undefined> {
    const row = await findPdf(this.database, accountId, documentId);
    return row && { fileName: `${row.number}.pdf`, pdf: row.pdf, sha256: row.sha256 };
  }
}

function fileNameOf(view: DocumentView): string {
  return `${view.number ?? 'draft'}.pdf`;
}
