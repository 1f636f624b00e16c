import { Injectable } from '@nestjs/common';
import { DocumentPdfs, type DocumentView, PdfRenderer } from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { PortalPages, receiptHtml } from '../../portal/index.js';
import type { LetterToSend } from '../domain/letter.js';

type File = LetterToSend['attachments'][number];

interface About {
  accountId: Uuid;
  documentId: Uuid;
}

/** Files that go with letters. Without `withFiles` they have a name only, and nothing is printed. */
@Injectable()
export class LetterFiles {
  constructor(
    private readonly pdfs: DocumentPdfs,
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
    if (!withFiles) return { name: `${number}.pdf`, content: Buffer.alloc(0) };
    const { fileName, pdf } = await this.pdfs.get(accountId, documentId);
    return { name: fileName, content: pdf };
  }

  async ofReceipt(
    { accountId, documentId }: About,
    { number }: DocumentView,
    withFiles: boolean,
  ): Promise<File> {
    const name = `${number}-receipt.pdf`;
    if (!withFiles) return { name, content: Buffer.alloc(0) };
    const portal = await this.pages.ofDocument(accountId, documentId);
    const at = portal.view.updatedAt;
    const content = await this.renderer.render(receiptHtml(portal), { owner: accountId, at });
    return { name, content };
  }
}
