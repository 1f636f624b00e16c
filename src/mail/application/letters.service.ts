import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { Documents, type DocumentView, Locale, printed } from '../../documents/index.js';
import type { LetterToSend } from '../domain/letter.js';
import { type DocumentKindToSeller, isToSeller, type Message } from '../domain/message.js';
import { letterHtml } from '../infrastructure/letter-template.js';
import { type AboutDocument, ClientLetters } from './client-letters.service.js';
import { accentOf, factsOf, type SaidInLetter } from './letter-facts.js';
import { LetterFiles } from './letter-files.service.js';
import { quoteLetterToSeller } from './quotes/quote-letters.js';
import { SellerLetters } from './seller-letters.service.js';
import { StatementLetters } from './statements/statement-letters.js';

/** Writes what a message says, from the document as it is when it leaves. */
@Injectable()
export class Letters {
  constructor(
    private readonly accounts: Accounts,
    private readonly documents: Documents,
    private readonly files: LetterFiles,
    private readonly clients: ClientLetters,
    private readonly sellers: SellerLetters,
    private readonly statements: StatementLetters,
  ) {}

  /**
   * @param view the document that it is about; null: the message says itself what it tells
   * @param withFiles false: what is attached has a name only, and nothing is printed
   */
  async write(
    { change, ...message }: Message,
    view: DocumentView | null,
    withFiles = true,
  ): Promise<LetterToSend> {
    const { accountId, documentId } = message;
    if (change && 'month' in change) return this.statements.write(accountId, change, withFiles);
    if (change) {
      return { ...(await this.sellers.write(accountId, change)), accent: accentOf(null) };
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
    const account = await this.accounts.find(accountId);
    const { kind } = message;
    const isForSeller = isToSeller(kind);
    const language = isForSeller ? account.language : view.language;
    const locale = Locale.of(language);
    const { mail } = locale.texts;
    const logo = isForSeller ? null : await this.files.logoOf(accountId, view);
    const said = isForSeller
      ? toSeller(kind, view, { locale, timeZone: account.timeZone })
      : await this.clients.write({ message, view, account, locale, withFiles });
    return {
      language: locale.language,
      direction: locale.direction,
      sellerName: view.seller.name,
      logo,
      accent: accentOf(isForSeller ? null : view.seller.template),
      quoted: message.note,
      closing: isForSeller ? '' : mail.reply,
      replyTo: isForSeller ? view.customer.email : view.seller.email,
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
}

/** The client's answer, or its want, told to the seller in the seller's own language. */
function toSeller(
  kind: DocumentKindToSeller,
  view: DocumentView,
  reader: { locale: Locale; timeZone: string },
): SaidInLetter {
  if (kind !== 'answer') return quoteLetterToSeller(kind, view, reader);
  const { locale } = reader;
  const { mail } = locale.texts;
  const { heading } = printed({ ...view, language: locale.language });
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
