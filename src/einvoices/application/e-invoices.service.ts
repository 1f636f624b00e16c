import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assert } from '../../kernel/assert.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  accountsFor,
  Attachments,
  DocumentPdfs,
  DocumentRefusal,
  DocumentsQuery,
  type DocumentView,
  type EInvoiceProfile,
  EInvoiceProfiles,
  printed,
  profileOf,
} from '../../documents/index.js';
import { type FilesInBase64, semanticInvoice } from '../domain/document-invoice.js';
import { hybridPdf } from '../domain/pdf/hybrid-pdf.js';
import { PROFILES } from '../domain/profile.js';
import { EInvoiceRefusal } from '../domain/refusals.js';
import { type EInvoiceFinding, brokenRulesOf } from '../domain/rules/judge.js';
import { writeInvoice } from '../domain/writer.js';
import { EInvoiceRepository, type EInvoiceXml } from '../infrastructure/e-invoice.repository.js';

export interface EInvoiceFile {
  fileName: string;
  bytes: Buffer;
  sha256: Buffer;
}

/** The name that readers of hybrid PDFs look for. */
const EMBEDDED_NAME = 'factur-x.xml';

/**
 * A document's e-invoices: each profile is written once, when it is first asked for, and served from
 * the database from then on.
 */
@Injectable()
export class EInvoices {
  constructor(
    private readonly repository: EInvoiceRepository,
    private readonly documents: DocumentsQuery,
    private readonly pdfs: DocumentPdfs,
    private readonly attachments: Attachments,
    profiles: EInvoiceProfiles,
  ) {
    profiles.judgeBy((view, profile) =>
      this.findings(view, profile).filter(({ severity }) => severity === 'fatal'),
    );
  }

  /**
   * @param said without it, in the profile that goes out with the document
   * @throws DomainError `no_e_invoice` for a draft, for what is no invoice, and without any profile
   */
  async xml(
    accountId: Uuid,
    documentId: Uuid,
    said: EInvoiceProfile | undefined,
  ): Promise<EInvoiceFile> {
    const { profile, view } = said
      ? { profile: said, view: undefined }
      : await this.chosen(accountId, documentId);
    const { number, xml, sha256 } = await this.kept(accountId, documentId, profile, view);
    return { fileName: `${number}.xml`, bytes: xml, sha256 };
  }

  /** The PDF of its issue with the XML in it: both are stored, and this is the same each time. */
  async hybrid(accountId: Uuid, documentId: Uuid): Promise<EInvoiceFile> {
    const view = await this.issuedInvoice(accountId, documentId);
    const { xml } = await this.kept(accountId, documentId, 'factur-x', view);
    const { fileName, pdf } = await this.pdfs.get(accountId, documentId, true);
    const bytes = await hybridPdf(pdf, {
      fileName: EMBEDDED_NAME,
      description: PROFILES['factur-x'].title,
      xml,
      at: view.transitions.issued ?? view.createdAt,
    });
    return { fileName, bytes, sha256: digestOf(bytes) };
  }

  /**
   * The rules of a profile that a document breaks: also a draft, with the parties that it is given.
   * @throws DomainError `no_e_invoice` for a quote
   */
  findings(view: DocumentView, profile: EInvoiceProfile): EInvoiceFinding[] {
    assertBills(view);
    return brokenRulesOf(invoiceOf(view), PROFILES[profile]);
  }

  private async chosen(accountId: Uuid, documentId: Uuid) {
    const view = await this.issuedInvoice(accountId, documentId);
    const profile = profileOf(view);
    if (profile) return { profile, view };
    throw EInvoiceRefusal.no_e_invoice.of(
      'Send profile, such as peppol: no e-invoice goes out with this document by itself.',
    );
  }

  private async issuedInvoice(accountId: Uuid, documentId: Uuid): Promise<DocumentView> {
    const view = await this.documents.find(accountId, documentId);
    if (!view) throw DocumentRefusal.document_not_found.of();
    if (view.status === 'draft') throw EInvoiceRefusal.no_e_invoice.of();
    assertBills(view);
    return view;
  }

  /** @param view of the document, where it was read already */
  private async kept(
    accountId: Uuid,
    documentId: Uuid,
    profile: EInvoiceProfile,
    view?: DocumentView,
  ): Promise<EInvoiceXml> {
    const stored = await this.repository.find(accountId, documentId, profile);
    if (stored) return stored;
    const issued = view ?? (await this.issuedInvoice(accountId, documentId));
    return this.write(accountId, documentId, profile, issued);
  }

  private async write(
    accountId: Uuid,
    documentId: Uuid,
    profile: EInvoiceProfile,
    view: DocumentView,
  ): Promise<EInvoiceXml> {
    const attached = await this.attachments.filesOf(accountId, documentId, view);
    const files = new Map(
      attached.map(({ sha256, content }) => [sha256, content.toString('base64')]),
    );
    const pieces = Array.from(writeInvoice(invoiceOf(view, files), PROFILES[profile]), (piece) =>
      Buffer.from(piece),
    );
    const xml = Buffer.concat(pieces);
    const { number } = view;
    assert(number, 'what is issued has a number');
    const written = { number, xml, sha256: digestOf(xml) };
    if (await this.store(accountId, documentId, profile, written)) return written;
    // Another process may have been first: everybody gets the one that is stored.
    return (await this.repository.find(accountId, documentId, profile)) ?? written;
  }

  /** @returns whether it is the one that is stored: a database may take no changes for a while */
  private async store(
    accountId: Uuid,
    documentId: Uuid,
    profile: EInvoiceProfile,
    { xml, sha256 }: EInvoiceXml,
  ): Promise<boolean> {
    try {
      return await this.repository.insert({
        account_id: accountId,
        document_id: documentId,
        profile,
        release: PROFILES[profile].release,
        xml,
        sha256,
      });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') return false;
      throw error;
    }
  }
}

/** The words of the paper stand for terms that only words say. */
function invoiceOf(view: DocumentView, files?: FilesInBase64) {
  const { terms } = printed(view);
  // Before them stands what the document says in words of its own.
  const cashDiscounts = terms.slice(terms.length - view.cashDiscounts.length);
  return semanticInvoice(view, { cashDiscounts, accounts: accountsFor(view) }, files);
}

function assertBills({ kind }: DocumentView): void {
  if (kind !== 'quote') return;
  throw EInvoiceRefusal.no_e_invoice.of(
    'Only an issued invoice or credit note has an e-invoice; this one is a quote.',
  );
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
