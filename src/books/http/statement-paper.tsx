import { renderToString } from 'preact-render-to-string';
import {
  type Buyer,
  FieldList,
  type Locale,
  paperHtml,
  PartyBlock,
  printedBuyer,
  printedSeller,
  type Seller,
  type Texts,
} from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import { Money } from '../../kernel/money.js';
import {
  type CustomerStatement,
  type CustomerStatementLine,
  statementBalance,
} from '../domain/customer-statement.js';

/** All that a statement of account says on paper. */
export interface PrintedStatement {
  locale: Locale;
  heading: string;
  /** Both days belong to it. */
  from: IsoDate;
  to: IsoDate;
  seller: Seller;
  buyer: Buyer;
  /** Data URI. */
  logo: string | null;
  /** One for each currency. */
  statements: readonly CustomerStatement[];
}

/** A statement of account to print. */
export function statementHtml(paper: PrintedStatement): string {
  const { locale, heading, seller } = paper;
  return paperHtml({
    language: locale.language,
    heading,
    seller: seller.name,
    footer: seller.template?.footer ?? null,
    accentColor: seller.template?.accent_color ?? null,
    body: renderToString(<StatementParts {...paper} />),
  });
}

function StatementParts({ locale, heading, from, to, ...paper }: PrintedStatement) {
  const { texts } = locale;
  const { seller, buyer, logo, statements } = paper;
  const period = locale.period({ start: from, end: to });
  const isInFavor = statements.some(({ closing }) => statementBalance(closing) < 0n);
  return (
    <>
      <header>
        <div>
          <h1>{heading}</h1>
        </div>
        {logo && <img class="logo" src={logo} alt={seller.name} />}
      </header>
      <section class="fields parties">
        <PartyBlock party={printedSeller(seller, locale)} />
        <div>
          <PartyBlock party={printedBuyer(buyer, texts.recipient.invoice, locale)} />
        </div>
        <FieldList fields={[{ name: texts.statement.date, value: period }]} />
      </section>
      {statements.map((statement) => (
        <section key={statement.currency} class="block">
          {statements.length > 1 && <h2 class="own">{statement.currency}</h2>}
          <StatementTable {...{ statement, locale, from, to }} />
        </section>
      ))}
      {isInFavor && <p>{texts.statement.inYourFavor}</p>}
    </>
  );
}

interface TableProps {
  statement: CustomerStatement;
  locale: Locale;
  from: IsoDate;
  to: IsoDate;
}

function StatementTable({ statement, locale, from, to }: TableProps) {
  const { statement: texts } = locale.texts;
  const { opening, lines, debit, credit, closing, currency } = statement;
  const amount = (minor: bigint) => locale.money(Money.of(minor, currency));
  const some = (minor: bigint) => (minor === 0n ? '' : amount(minor));
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col">{texts.date}</th>
          <th scope="col">{texts.movement}</th>
          {[texts.debit, texts.credit, texts.balance].map((name) => (
            <th key={name} scope="col" class="figure">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Row
          date={locale.date(from)}
          name={texts.opening}
          figures={['', '', amount(statementBalance(opening))]}
        />
        {lines.map((line, index) => (
          <Row
            key={index}
            date={locale.date(line.effectiveOn)}
            name={nameOf(line, locale.texts)}
            detail={detailOf(line)}
            figures={[some(line.debit), some(line.credit), amount(line.balance)]}
          />
        ))}
        <Row
          date={locale.date(to)}
          name={texts.closing}
          figures={[some(debit), some(credit), amount(statementBalance(closing))]}
          isResult
        />
      </tbody>
    </table>
  );
}

interface RowProps {
  date: string;
  name: string;
  detail?: string;
  figures: string[];
  isResult?: boolean;
}

function Row({ date, name, detail = '', figures, isResult = false }: RowProps) {
  return (
    <tr class={isResult ? 'strong' : undefined}>
      <td>{date}</td>
      <td>
        <bdi>{name}</bdi>
        {detail && (
          <small class="adjustment">
            <bdi>{detail}</bdi>
          </small>
        )}
      </td>
      {figures.map((figure, index) => (
        <td key={index} class="figure">
          <bdi>{figure}</bdi>
        </td>
      ))}
    </tr>
  );
}

/** `Invoice INV-00001` */
function nameOf({ type, factNumber, documentNumber }: CustomerStatementLine, texts: Texts) {
  return [movementName(type, texts), factNumber ?? documentNumber].filter(Boolean).join(' ');
}

/** The document that a credit note is for, and the words of the payer. */
function detailOf({ factNumber, documentNumber, reference }: CustomerStatementLine): string {
  const other = factNumber === null || factNumber === documentNumber ? null : documentNumber;
  return [other, reference].filter(Boolean).join(' · ');
}

function movementName(type: CustomerStatementLine['type'], texts: Texts): string {
  const { statement, titles, status, pay } = texts;
  const names: Record<CustomerStatementLine['type'], string> = {
    issue: titles.invoice,
    credit_note: titles.credit_note,
    payment: pay.title,
    unmatched_receipt: pay.title,
    refund: texts.refunded,
    rejection: status.rejected,
    void: status.void,
    credit_note_void: status.void,
    write_off: status.uncollectible,
    write_off_reversal: statement.owedAgain,
    waiver: texts.waived,
    reversal: statement.reversed,
    refund_return: statement.refundReturned,
    refund_reversal: statement.refundReturned,
    dispute: statement.disputed,
    move: statement.moved,
    tax_relief: statement.moved,
    payout: statement.moved,
    bank_entry: statement.moved,
  };
  return names[type];
}
