import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import {
  type DocumentView,
  type Locale,
  payableOf,
  printed,
  StandingPortalLinks,
} from '../../documents/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { PortalDocuments } from '../../portal/index.js';
import type { Message } from '../domain/message.js';
import { type ExtensionKind, isExtensionKind } from '../domain/written-letter.js';
import { factsOf, refundedIn, type SaidInLetter } from './letter-facts.js';
import { LetterFiles } from './letter-files.service.js';
import { LetterKinds } from './letter-kinds.js';
import { expiringQuoteLetter } from './quotes/quote-letters.js';
import { LetterSources } from './letter-sources.js';

export type AboutDocument = Omit<Message, 'change'> & { documentId: Uuid };

interface ClientLetter {
  message: AboutDocument;
  view: DocumentView;
  account: AccountRow;
  locale: Locale;
  withFiles: boolean;
}

/** Writes to clients about their documents. */
@Injectable()
export class ClientLetters {
  constructor(
    private readonly accounts: Accounts,
    private readonly files: LetterFiles,
    private readonly links: StandingPortalLinks,
    private readonly portal: PortalDocuments,
    private readonly kinds: LetterKinds,
    private readonly sources: LetterSources,
  ) {}

  /** Of one of our kinds, or as another module or an extension writes it. */
  async write(wanted: ClientLetter): Promise<SaidInLetter> {
    const { kind } = wanted.message;
    const source = this.sources.of(kind);
    if (source) return source.write({ ...wanted, url: await this.linkOf(wanted.message) });
    return isExtensionKind(kind) ? this.ofExtension(kind, wanted) : this.ofOurs(wanted);
  }

  private async ofOurs({ message, view, locale, withFiles }: ClientLetter): Promise<SaidInLetter> {
    const { texts } = locale;
    const { mail } = texts;
    const { heading } = printed(view);
    const url = await this.linkOf(message);
    if (message.kind === 'receipt') {
      const amount =
        message.amount === null
          ? await this.receivedFor(message, view)
          : Money.of(message.amount, view.currency);
      return {
        subject: texts.payments.receiptFor(heading),
        paragraphs: [mail.received(locale.money(amount))],
        facts: [
          { name: printed(view).title, value: view.number ?? '' },
          ...refundedIn(view, locale),
          { name: texts.amountDue, value: locale.money(payableOf(view)) },
        ],
        button: { text: mail.openReceipt, url: `${url}/receipt` },
        refusal: null,
        attachments: [await this.files.ofReceipt(message, view, withFiles)],
      };
    }
    if (message.kind === 'quote_expiring') {
      const pdf = await this.files.ofDocument(message, view, withFiles);
      return expiringQuoteLetter(view, locale, { url, pdf });
    }
    const isReminder = message.kind === 'reminder';
    const named = texts.documentFrom(heading, view.seller.name);
    return {
      subject: isReminder ? mail.reminder(named) : named,
      paragraphs: [
        isReminder ? await this.asked(message, view, locale) : mail.sent(view.seller.name),
        mail.attached,
      ],
      facts: factsOf(view, locale),
      button: { text: mail.open, url },
      refusal: isReminder ? { text: mail.stop, url: `${url}/stop-reminders` } : null,
      attachments: isReminder
        ? [await this.files.ofDocument(message, view, withFiles)]
        : await this.files.goingOut(message, view, withFiles),
    };
  }

  private async ofExtension(
    kind: ExtensionKind,
    { message, view, account, locale, withFiles }: ClientLetter,
  ): Promise<SaidInLetter> {
    const { subject, text, html, withPdf } = await this.kinds.write(kind, view, account);
    return {
      subject,
      paragraphs: text.split(/\r?\n\s*\n/).map((one) => one.trim()),
      ...(html !== undefined && { markup: { kind, html } }),
      facts: [],
      button: { text: locale.texts.mail.open, url: await this.linkOf(message) },
      refusal: null,
      attachments: withPdf ? [await this.files.ofDocument(message, view, withFiles)] : [],
    };
  }

  /** The sentence of a reminder, before or after the due date; of a debit, if one is to come. */
  private async asked(
    { accountId, documentId }: AboutDocument,
    { dueDate }: DocumentView,
    locale: Locale,
  ): Promise<string> {
    const { mail, collection: texts } = locale.texts;
    const { collection, timeZone } = await this.portal.page(accountId, documentId);
    if (collection) {
      const { amount, on, provider } = collection;
      return texts.planned(locale.money(amount), locale.date(on), provider);
    }
    if (dueDate === null) return mail.ignore;
    const isLate = dueDate < this.accounts.todayOf({ timeZone });
    const date = locale.date(dueDate);
    return `${isLate ? mail.overdue(date) : mail.dueOn(date)} ${mail.ignore}`;
  }

  /** All that came in for it, as its receipt says. */
  private async receivedFor(
    { accountId, documentId }: AboutDocument,
    { amountPaid }: DocumentView,
  ): Promise<Money> {
    const { credited } = await this.portal.page(accountId, documentId);
    return amountPaid.plus(credited);
  }

  /** The same link each time that the message is tried. */
  private async linkOf({ accountId, documentId, id }: AboutDocument): Promise<string> {
    return this.links.of(accountId, documentId, publicId('msg', id));
  }
}
