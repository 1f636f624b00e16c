import { Injectable } from '@nestjs/common';
import { Accounts } from '../../../auth/index.js';
import {
  type CustomerStatement,
  CustomerStatementQuery,
  customerStatementsOf,
  type PrintedStatement,
  statementBalance,
  statementHtml,
} from '../../../books/index.js';
import {
  Customers,
  DocumentRefusal,
  Locale,
  PdfRenderer,
  sellerOf,
} from '../../../documents/index.js';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { type LetterFile, type LetterToSend, pdfFile } from '../../domain/letter.js';
import { MailRefused } from '../../domain/mail-sender.js';
import { MailRefusal } from '../../domain/refusals.js';
import { daysOfMonth, type StatedMonth } from '../../domain/stated-month.js';
import { accentOf } from '../letter-facts.js';
import { LetterFiles } from '../letter-files.service.js';

/** More of one month are no letter: the API has them. */
const MOST_MOVEMENTS = 5000;

/** Brings a customer its statement of account, as it is when the letter leaves. */
@Injectable()
export class StatementLetters {
  constructor(
    private readonly accounts: Accounts,
    private readonly customers: Customers,
    private readonly statements: CustomerStatementQuery,
    private readonly files: LetterFiles,
    private readonly renderer: PdfRenderer,
  ) {}

  /** @throws DomainError `customer_archived`, `statement_empty` */
  async assertSendable(accountId: Uuid, stated: StatedMonth): Promise<void> {
    const customer = await this.customerOf(accountId, stated);
    if (customer.archivedAt) throw DocumentRefusal.customer_archived.of();
    if ((await this.of(accountId, customer.id, stated.month)).length === 0)
      throw MailRefusal.statement_empty.of();
  }

  /** @param withFiles false: the file has a name only, and nothing is printed */
  async write(accountId: Uuid, stated: StatedMonth, withFiles: boolean): Promise<LetterToSend> {
    const { month } = stated;
    const account = await this.accounts.find(accountId);
    const { id, profile: buyer } = await this.customerOf(accountId, stated);
    const seller = sellerOf(account.seller);
    const locale = Locale.of(buyer.language ?? account.language);
    const { texts, language, direction } = locale;
    const { from, to } = daysOfMonth(month);
    const statements = await this.of(accountId, id, month);
    const heading = texts.statement.heading(locale.month(from));
    const logo = await this.files.logoOf(accountId, { seller });
    const paper = { locale, heading, from, to, seller, buyer, logo, statements };
    const isInFavor = statements.some(({ closing }) => statementBalance(closing) < 0n);
    return {
      language,
      direction,
      subject: texts.documentFrom(heading, seller.name),
      sellerName: seller.name,
      logo,
      accent: accentOf(seller.template),
      paragraphs: [texts.statement.attached, ...(isInFavor ? [texts.statement.inYourFavor] : [])],
      facts: balancesOf(statements, locale),
      quoted: null,
      button: null,
      closing: texts.mail.reply,
      refusal: null,
      replyTo: seller.email,
      attachments: [await this.fileOf(accountId, month, paper, withFiles)],
    };
  }

  private async fileOf(
    accountId: Uuid,
    month: string,
    paper: PrintedStatement,
    withFiles: boolean,
  ): Promise<LetterFile> {
    const name = `statement-${month}.pdf`;
    if (!withFiles) return pdfFile(name);
    const tables = paper.statements.length;
    const content = await this.renderer.render(statementHtml(paper), { owner: accountId, tables });
    return pdfFile(name, content);
  }

  private async customerOf(accountId: Uuid, { customer }: StatedMonth) {
    return this.customers.find(accountId, uuidOf('cus', customer) ?? '');
  }

  private async of(accountId: Uuid, customerId: Uuid, month: string): Promise<CustomerStatement[]> {
    const filter = { customerId, ...daysOfMonth(month), currency: null };
    const found = await this.statements.read(accountId, filter, MOST_MOVEMENTS + 1);
    if (found.movements.length > MOST_MOVEMENTS) {
      throw new MailRefused(`the statement has more than ${MOST_MOVEMENTS} movements`);
    }
    return customerStatementsOf(found.openings, found.movements);
  }
}

/** As it stands at the end. */
function balancesOf(
  statements: readonly CustomerStatement[],
  locale: Locale,
): LetterToSend['facts'] {
  const { closing: name } = locale.texts.statement;
  return statements.map(({ currency, closing }) => ({
    name: statements.length === 1 ? name : `${name} (${currency})`,
    value: locale.money(Money.of(statementBalance(closing), currency)),
  }));
}
