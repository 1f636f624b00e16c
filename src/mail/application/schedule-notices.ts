import { Injectable } from '@nestjs/common';
import { publicId, uuidOf } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { MailSender } from '../domain/mail-sender.js';
import { AskedEndsQuery } from '../infrastructure/asked-ends.query.js';
import { type MailedFact, MailFactsRepository } from '../infrastructure/mail-facts.repository.js';
import { MessageOutcomes } from './message-outcomes.js';

/** Tells the seller that a client wants a schedule ended, whatever the settings say. */
@Injectable()
export class ScheduleNotices {
  constructor(
    private readonly facts: MailFactsRepository,
    private readonly schedules: AskedEndsQuery,
    private readonly messages: MessageOutcomes,
    private readonly sender: MailSender,
  ) {}

  async queue(tx: Tx, facts: readonly MailedFact[]): Promise<void> {
    const asked = facts.flatMap(askedIn);
    if (asked.length === 0 || !this.sender.isConfigured) return;
    const accounts = asked.map(({ accountId }) => accountId);
    const sellers = await this.facts.sellerAddresses(tx, accounts);
    const ends = await this.schedules.find(tx, asked);
    for (const { accountId, id, fact } of asked) {
      const change = ends.get(id);
      if (!change) continue;
      await this.messages.begin(tx, sellers.get(accountId) ?? null, {
        accountId,
        documentId: null,
        kind: 'schedule_end_asked',
        fact,
        change,
      });
    }
  }
}

function askedIn({ accountId, eventId, type, data }: MailedFact) {
  if (type !== 'schedule.end_asked' || !('schedule' in data)) return [];
  const id = uuidOf('sch', data.schedule.id) ?? '';
  return [{ accountId, id, fact: `event:${publicId('evt', eventId)}` }];
}
