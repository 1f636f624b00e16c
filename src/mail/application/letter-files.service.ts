import { Injectable } from '@nestjs/common';
import { DocumentPdfs, type DocumentView, PdfRenderer, profileOf } from '../../documents/index.js';
import { type EInvoiceFile, EInvoices } from '../../einvoices/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { PortalPages, receiptHtml } from '../../portal/index.js';
import type { LetterToSend } from '../domain/letter.js';

type File = LetterToSend['attachments'][number];

interface About {
  accountId: Uuid;
  documentId: Uuid;
}

const NOTHING = Buffer.alloc(0);

/** Files that go with letters. Without `withFiles` they have a name only, and nothing is printed. */
@Injectable()
export class LetterFiles {
  constructor(
    private readonly pdfs: DocumentPdfs,
    private readonly eInvoices: EInvoices,
    private readonly pages: PortalPages,
    private readonly renderer: PdfRenderer,
  ) {}

  async logoOf(accountId: Uuid, view: DocumentView): Promise<string | null> {
    return this.pdfs.logoOf(accountId, view);
  }

  async ofDocument(
    { accountId, documentId }: About,
    { number }: DocumentView,
    withFiles: boolean,
  ): Promise<File> {
    if (!withFiles) return { name: `${number}.pdf`, content: NOTHING };
    const { fileName, pdf } = await this.pdfs.get(accountId, documentId);
    return { name: fileName, content: pdf };
  }

  /** A document as it goes out: its PDF, and its e-invoice beside or in it. */
  async goingOut(about: About, view: DocumentView, withFiles: boolean): Promise<File[]> {
    const { accountId, documentId } = about;
    const profile = profileOf(view);
    if (profile === 'factur-x' && withFiles) {
      return [fileOf(await this.eInvoices.hybrid(accountId, documentId))];
    }
    const pdf = await this.ofDocument(about, view, withFiles);
    if (profile === null || profile === 'factur-x') return [pdf];
    if (!withFiles) return [pdf, { name: `${view.number}.xml`, content: NOTHING }];
    return [pdf, fileOf(await this.eInvoices.xml(accountId, documentId, profile))];
  }

  async ofReceipt(
    { accountId, documentId }: About,
    { number }: DocumentView,
    withFiles: boolean,
  ): Promise<File> {
    const name = `${number}-receipt.pdf`;
    if (!withFiles) return { name, content: NOTHING };
    const portal = await this.pages.ofDocument(accountId, documentId);
    const at = portal.view.updatedAt;
    const content = await this.renderer.render(receiptHtml(portal), { owner: accountId, at });
    return { name, content };
  }
}

const fileOf = ({ fileName, bytes }: EInvoiceFile): File => ({ name: fileName, content: bytes });
