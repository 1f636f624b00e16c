import { Injectable } from '@nestjs/common';
import {
  Attachments,
  DocumentPdfs,
  type DocumentView,
  isFile,
  PdfRenderer,
  profileOf,
} from '../../documents/index.js';
import { EInvoices } from '../../einvoices/index.js';
import { ATTACHMENT_LIMITS } from '../../kernel/attachment-limits.js';
import type { Uuid } from '../../kernel/ids.js';
import { PortalDocuments, receiptHtml } from '../../portal/index.js';
import { type LetterFile, pdfFile, xmlFile } from '../domain/letter.js';

const bytesOf = (files: readonly LetterFile[]) =>
  files.reduce((sum, { content }) => sum + content.length, 0);

const isSendable = (files: readonly LetterFile[]) =>
  bytesOf(files) <= ATTACHMENT_LIMITS.letterBytes;

interface About {
  accountId: Uuid;
  documentId: Uuid;
}

/** Files that go with letters. Without `withFiles` they have a name only, and nothing is printed. */
@Injectable()
export class LetterFiles {
  constructor(
    private readonly pdfs: DocumentPdfs,
    private readonly eInvoices: EInvoices,
    private readonly attachments: Attachments,
    private readonly portal: PortalDocuments,
    private readonly renderer: PdfRenderer,
  ) {}

  async logoOf(accountId: Uuid, view: Pick<DocumentView, 'seller'>): Promise<string | null> {
    return this.pdfs.logoOf(accountId, view);
  }

  async ofDocument(
    { accountId, documentId }: About,
    { number }: DocumentView,
    withFiles: boolean,
  ): Promise<LetterFile> {
    if (!withFiles) return pdfFile(`${number}.pdf`);
    const { fileName, pdf } = await this.pdfs.get(accountId, documentId);
    return pdfFile(fileName, pdf);
  }

  /**
   * A document as it goes out: its PDF, its e-invoice beside or in it, and the files that support it.
   * A letter that would be too large for mail servers has fewer of them; the page has all.
   */
  async goingOut(about: About, view: DocumentView, withFiles: boolean): Promise<LetterFile[]> {
    const bill = await this.billOf(about, view, withFiles);
    const files = (view.details.attachments ?? []).filter(isFile);
    const bytes = files.reduce((sum, { size }) => sum + size, bytesOf(bill));
    if (bytes > ATTACHMENT_LIMITS.letterBytes) return bill;
    const { accountId, documentId } = about;
    const attached = withFiles
      ? await this.attachments.filesOf(accountId, documentId, view)
      : files.map((file) => ({ ...file, content: Buffer.alloc(0) }));
    return [
      ...bill,
      ...attached.map(({ name, media_type: type, content }) => ({ name, type, content })),
    ];
  }

  private async billOf(
    about: About,
    view: DocumentView,
    withFiles: boolean,
  ): Promise<LetterFile[]> {
    const { accountId, documentId } = about;
    const profile = profileOf(view);
    if (profile === 'factur-x' && withFiles) {
      const { fileName, bytes } = await this.eInvoices.hybrid(accountId, documentId);
      const hybrid = [pdfFile(fileName, bytes)];
      if (isSendable(hybrid)) return hybrid;
    }
    const pdf = await this.ofDocument(about, view, withFiles);
    if (profile === null || profile === 'factur-x') return [pdf];
    if (!withFiles) return [pdf, xmlFile(`${view.number}.xml`)];
    const { fileName, bytes } = await this.eInvoices.xml(accountId, documentId, profile);
    const both = [pdf, xmlFile(fileName, bytes)];
    return isSendable(both) ? both : [pdf];
  }

  async ofReceipt(
    { accountId, documentId }: About,
    { number }: DocumentView,
    withFiles: boolean,
  ): Promise<LetterFile> {
    const name = `${number}-receipt.pdf`;
    if (!withFiles) return pdfFile(name);
    const portal = await this.portal.page(accountId, documentId);
    const at = portal.view.updatedAt;
    const content = await this.renderer.render(receiptHtml(portal), { owner: accountId, at });
    return pdfFile(name, content);
  }
}
