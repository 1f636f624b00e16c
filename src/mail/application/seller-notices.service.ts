import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { defaultsOf, type SellerChange, SellerProfiles, sellerOf } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { isEmailAddress } from '../../kernel/mailbox.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  changedDetails,
  type DetailsChange,
  type SellerDetails,
  shownDetails,
} from '../domain/details-change.js';
import { MailSender } from '../domain/mail-sender.js';
import { queuedMessage } from '../domain/message.js';
import { MessageRepository } from '../infrastructure/message.repository.js';

/**
 * Tells the seller that its bank details were changed, or the address that it is told at. It is
 * queued in the transaction of the change, so that there is none without the other.
 */
@Injectable()
export class SellerNotices {
  constructor(
    profiles: SellerProfiles,
    private readonly messages: MessageRepository,
    private readonly sender: MailSender,
    private readonly clock: Clock,
  ) {
    profiles.onChange((tx, change) => this.tell(tx, change));
  }

  private tell(tx: Tx, { by, before: account, after: changed }: SellerChange): void {
    if (!this.sender.isConfigured) return;
    const [before, after] = [detailsOf(account), detailsOf(changed)];
    const details = changedDetails(before, after);
    if (details.length === 0) return;
    const now = tx.now();
    const change: DetailsChange = {
      sellerName: before.name,
      language: account.language,
      timeZone: account.timeZone,
      at: now.toISOString(),
      by: { ...by.actor, address: by.origin?.address ?? null },
      changed: details,
      before: shownDetails(before),
      after: shownDetails(after),
    };
    const isMoved = details.includes('email');
    // An address that is new has nothing to be warned of, unless the money goes elsewhere, too.
    const readers = isMoved && details.length > 1 ? [before, after] : [before];
    for (const [index, { email }] of readers.entries()) {
      if (email === null || !isEmailAddress(email)) continue;
      const fact = `seller:${changed.version}:${index + 1}`;
      const message = queuedMessage({
        id: tx.newId(),
        accountId: by.accountId,
        documentId: null,
        kind: 'details_changed',
        fact,
        recipients: [email],
        change,
        createdAt: now,
        nextAttemptAt: this.clock.serverNow(),
      });
      this.messages.insert(tx, message);
    }
  }
}

function detailsOf(account: AccountRow): SellerDetails {
  const seller = sellerOf(account.seller);
  const { name, email, bank_accounts: bankAccounts, template, legal_information: legal } = seller;
  const { payee, subject_notes: notes = [] } = defaultsOf(account);
  const ofTemplate = template
    ? [
        template.footer,
        ...template.texts.map(({ text }) => text),
        ...template.blocks.flatMap(({ heading, text }) => [heading, text]),
      ]
    : [];
  const written = [account.documentNotes, legal, ...notes.map(({ text }) => text), ...ofTemplate];
  return { name, email, bankAccounts, payee, words: written.filter((text) => text != null) };
}
