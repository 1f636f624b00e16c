import { Injectable } from '@nestjs/common';
import { PortalTokens, PortalViews } from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { type ClientSchedule, ClientSchedules } from '../../schedules/index.js';
import { type PortalDocument, PortalDocuments, type PortalView } from './portal-documents.js';

/** Its holder is told of it beside the document. */
interface WithSchedule {
  /** Null: no schedule made it. */
  schedule: ClientSchedule | null;
}

export type OpenedDocument = PortalDocument & WithSchedule;
export type OpenedPage = PortalView & WithSchedule;

/** A document for whoever has a token of it. */
@Injectable()
export class PortalPages {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly views: PortalViews,
    private readonly documents: PortalDocuments,
    private readonly schedules: ClientSchedules,
  ) {}

  async open(token: string): Promise<OpenedDocument> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    const [document, schedule] = await Promise.all([
      this.documents.find(accountId, documentId),
      this.schedules.of(accountId, documentId),
    ]);
    return { ...document, schedule };
  }

  /** @param isPerson their visit is kept */
  async openPage(token: string, isPerson = false): Promise<OpenedPage> {
    const opened = await this.tokens.resolve(token);
    if (isPerson) await this.views.note(opened);
    const { accountId, documentId } = opened;
    const [page, schedule] = await Promise.all([
      this.documents.page(accountId, documentId),
      this.schedules.of(accountId, documentId),
    ]);
    return { ...page, schedule };
  }

  /** The same for a receipt, with the account whose turn it is to print. */
  async openReceipt(token: string): Promise<PortalView & { accountId: Uuid }> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    return { ...(await this.documents.page(accountId, documentId)), accountId };
  }
}
