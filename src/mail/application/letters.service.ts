import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import {
  accentShades,
  askedOf,
  Documents,
  type DocumentView,
  Locale,
  payableOf,
  PortalTokens,
  printed,
} from '../../documents/index.js';
import { Clock, dateIn } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { PortalPages } from '../../portal/index.js';
import type { Letter, LetterToSend } from '../domain/letter.js';
import type { Message } from '../domain/message.js';
import { type ExtensionKind, isExtensionKind } from '../domain/written-letter.js';
import { letterHtml } from '../infrastructure/letter-template.js';
import { LetterFiles } from './letter-files.service.js';
import { LetterKinds } from './letter-kinds.js';
import { DetailsLetters } from './details-letters.service.js';
import { endpointLetter } from './seller-letter.js';

const BUTTON_COLOR = '#1b4fd8';

/** The parts that differ between the kinds of letters. */
type Said = Pick<
  LetterToSend,
  'subject' | 'paragraphs' | 'markup' | 'facts' | 'button' | 'refusal' | 'attachments'
>;

type AboutDocument = Omit<Message, 'change'> & { documentId: Uuid };

interface OfExtension {
  message: AboutDocument;
  view: DocumentView;
  account: AccountRow;
  locale: Locale;
  withFiles: boolean;
}

/** Writes what a message says, from the document as it is when it leaves. */
@Injectable()
export class Letters {
  constructor(
    private readonly accounts: Accounts,
    private readonly documents: Documents,
    private readonly files: LetterFiles,
    private readonly tokens: PortalTokens,
    private readonly pages: PortalPages,
    private readonly details: DetailsLetters,
    private readonly kinds: LetterKinds,
    private readonly clock: Clock,
  ) {}

  /**
   * @param view the document that it is about; null: it is to the seller, of a change or an endpoint
   * @param withFiles false: what is attached has a name only, and nothing is printed
   */
  async write(
    { change, ...message }: Message,
    view: DocumentView | null,
    withFiles = true,
  ): Promise<LetterToSend> {
    const { accountId, documentId } = message;
    if (change) {
      const letter =
        'endpoint' in change
          ? endpointLetter(await this.accounts.find(accountId), change)
          : await this.details.write(accountId, change);
      return { ...letter, accent: accentOf(null) };
    }
    if (!view || documentId === null)
      throw new Error('it is about a document, or says what it tells');
    return this.aboutDocument({ ...message, documentId }, view, withFiles);
  }

  private async aboutDocument(
    message: AboutDocument,
    view: DocumentView,
    withFiles: boolean,
  ): Promise<LetterToSend> {
    const { accountId } = message;
    const isToSeller = message.kind === 'answer';
    const account = await this.accounts.find(accountId);
    const language = isToSeller ? account.language : view.language;
    const locale = Locale.of(language);
    const { mail } = locale.texts;
    const logo = isToSeller ? null : await this.files.logoOf(accountId, view);
    const said = isToSeller
      ? answerOf(view, language)
      : isExtensionKind(message.kind)
        ? await this.ofExtension(message.kind, { message, view, account, locale, withFiles })
        : await this.forClient(message, view, locale, withFiles);
    return {
      language: locale.language,
      direction: locale.direction,
      sellerName: view.seller.name,
      logo,
      accent: accentOf(isToSeller ? null : view),
      quoted: message.note,
      closing: isToSeller ? '' : mail.reply,
      replyTo: isToSeller ? view.customer.email : view.seller.email,
      ...said,
    };
  }

  /** The letter as its reader sees it. Nothing is printed for it. */
  async pageOf(message: Message): Promise<string> {
    return letterHtml(await this.write(message, await this.documentOf(message), false));
  }

  /** The document that it is about; null: it is about none. */
  async documentOf({ accountId, documentId }: Message): Promise<DocumentView | null> {
    return documentId === null ? null : this.documents.find(accountId, documentId);
  }

  private async forClient(
    message: AboutDocument,
    view: DocumentView,
    locale: Locale,
    withFiles: boolean,
  ): Promise<Said> {
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
    { message, view, account, locale, withFiles }: OfExtension,
  ): Promise<Said> {
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
    const { collection, timeZone } = await this.pages.ofDocument(accountId, documentId);
    if (collection) {
      const { amount, on, provider } = collection;
      return texts.planned(locale.money(amount), locale.date(on), provider);
    }
    if (dueDate === null) return mail.ignore;
    const isLate = dueDate < dateIn(timeZone, this.clock.now());
    const date = locale.date(dueDate);
    return `${isLate ? mail.overdue(date) : mail.dueOn(date)} ${mail.ignore}`;
  }

  /** All that came in for it, as its receipt says. */
  private async receivedFor(
    { accountId, documentId }: AboutDocument,
    { amountPaid }: DocumentView,
  ): Promise<Money> {
    const { credited } = await this.pages.ofDocument(accountId, documentId);
    return amountPaid.plus(credited);
  }

  /** The same link each time that the message is tried. */
  private async linkOf({ accountId, documentId, id }: AboutDocument): Promise<string> {
    return this.tokens.linkFor(accountId, documentId, publicId('msg', id));
  }
}

function accentOf(view: DocumentView | null): Letter['accent'] {
  const color = view?.seller.template?.accent_color ?? BUTTON_COLOR;
  const { light, onLight } = accentShades(color);
  return { ground: light, letters: onLight };
}

/** The client's answer, told to the seller in the seller's own language. */
function answerOf(view: DocumentView, language: string | null): Said {
  const locale = Locale.of(language);
  const { mail } = locale.texts;
  const { heading } = printed({ ...view, language });
  const client = view.acceptedBy ?? view.customer.name;
  const told =
    view.status === 'rejected' ? mail.rejected(client, heading) : mail.accepted(client, heading);
  return {
    subject: told,
    paragraphs: [told],
    facts: factsOf(view, locale),
    button: null,
    refusal: null,
    attachments: [],
  };
}

function factsOf(view: DocumentView, locale: Locale): LetterToSend['facts'] {
  const { texts } = locale;
  const { title } = printed(view);
  // Money that is on its way is not asked for once more.
  const asked = view.amountDue.isPositive() ? askedOf(view) : view.amountDue;
  const isAsked = view.kind === 'invoice' && asked.isPositive();
  return [
    { name: title, value: view.number ?? '' },
    { name: texts.total, value: locale.money(view.total) },
    ...refundedIn(view, locale),
    ...(view.amountProcessing.isPositive()
      ? [{ name: texts.onItsWay, value: locale.money(view.amountProcessing) }]
      : []),
    ...(isAsked && asked.compare(view.total) !== 0
      ? [{ name: texts.amountDue, value: locale.money(asked) }]
      : []),
    ...(isAsked && view.dueDate !== null
      ? [{ name: texts.dueDate, value: locale.date(view.dueDate) }]
      : []),
  ];
}

/** The money that went back, and how much of the payments it is. */
function refundedIn(view: DocumentView, locale: Locale): LetterToSend['facts'] {
  if (view.refundStatus === 'none') return [];
  const name = locale.texts.refundStatus[view.refundStatus];
  return [{ name, value: locale.money(view.amountRefunded) }];
}
