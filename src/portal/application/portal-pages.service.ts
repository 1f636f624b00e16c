import { Injectable } from '@nestjs/common';
import { PortalTokens, PortalViews } from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { type PortalDocument, PortalDocuments, type PortalView } from './portal-documents.js';

/** A document for whoever has a token of it. */
@Injectable()
export class PortalPages {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly views: PortalViews,
    private readonly documents: PortalDocuments,
  ) {}

  async open(token: string): Promise<PortalDocument> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    return this.documents.find(accountId, documentId);
  }

  /** @param isPerson their visit is kept */
  async openPage(token: string, isPerson = false): Promise<PortalView> {
    const opened = await this.tokens.resolve(token);
    if (isPerson) await this.views.note(opened);
    return this.documents.page(opened.accountId, opened.documentId);
  }

  /** The same for a receipt, with the account whose turn it is to print. */
  async openReceipt(token: string): Promise<PortalView & { accountId: Uuid }> {
    const { accountId } = await this.tokens.resolve(token);
    return { ...(await this.openPage(token)), accountId };
  }
}
