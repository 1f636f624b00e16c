import { Injectable } from '@nestjs/common';
import { PortalTokens } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MailRefusalsRepository } from '../infrastructure/mail-refusals.repository.js';

/** Readers who want no more reminders. */
@Injectable()
export class ReminderRefusals {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly uow: UnitOfWork,
    private readonly refusals: MailRefusalsRepository,
    private readonly clock: Clock,
  ) {}

  /** Whether the link is a good one. */
  async assertLink(token: string): Promise<void> {
    await this.tokens.resolve(token);
  }

  /**
   * No more reminders from that seller, for all who were reminded of this document. Said twice, it
   * is the same.
   */
  async refuse(token: string): Promise<void> {
    const { accountId, documentId } = await this.tokens.resolve(token);
    const now = this.clock.now();
    await this.uow.run(async (tx) => this.refusals.refuse(tx, accountId, documentId, now));
  }
}
