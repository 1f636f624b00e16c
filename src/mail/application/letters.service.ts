import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import {
  accentShades,
  Documents,
  type DocumentView,
  Locale,
  printed,
} from '../../documents/index.js';
import type { Letter, LetterToSend } from '../domain/letter.js';
import type { Message } from '../domain/message.js';
import { letterHtml } from '../infrastructure/letter-template.js';
import { type AboutDocument, ClientLetters } from './client-letters.service.js';
import { factsOf, type SaidInLetter } from './letter-facts.js';
import { LetterFiles } from './letter-files.service.js';
import { SellerLetters } from './seller-letters.service.js';

const BUTTON_COLOR = '#1b4fd8';

/** Writes what a message says, from the document as it is when it leaves. */
@Injectable()
export class Letters {
  constructor(
    private readonly accounts: Accounts,
    private readonly documents: Documents,
    private readonly files: LetterFiles,
    private readonly clients: ClientLetters,
    private readonly sellers: SellerLetters,
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
    const isToSeller = message.kind === 'answer';
    const account = await this.accounts.find(accountId);
    const language = isToSeller ? account.language : view.language;
    const locale = Locale.of(language);
    const { mail } = locale.texts;
    const logo = isToSeller ? null : await this.files.logoOf(accountId, view);
    const said = isToSeller
      ? answerOf(view, language)
      : await this.clients.write({ message, view, account, locale, withFiles });
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
}

function accentOf(view: DocumentView | null): Letter['accent'] {
  const color = view?.seller.template?.accent_color ?? BUTTON_COLOR;
  const { light, onLight } = accentShades(color);
  return { ground: light, letters: onLight };
}

/** The client's answer, told to the seller in the seller's own language. */
function answerOf(view: DocumentView, language: string | null): SaidInLetter {
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
