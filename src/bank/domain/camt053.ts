import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import {
  type BankBalance,
  type StatedBankEntry,
  malformedStatement,
  type ParsedBankStatement,
  type BankStatementSection,
  tidyIban,
  tidyText,
} from './bank-statement.js';
import { parseMinorUnits } from './decimal-text.js';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element.js';

/** Banks differ in what stands before the name of the message. */
const MESSAGE = /(?:^|[:/])(camt\.\d{3})\.001\.(\d{2})$/;
const KNOWN = { first: '02', last: '13' };

/**
 * Reads a camt.053 (ISO 20022, BankToCustomerStatement), versions 001.02 to 001.13. It takes the
 * entries that the bank booked; the transactions of a batch stand alone if each has its amount.
 * @throws DomainError `malformed_statement`
 */
export function readCamt053(root: XmlElement): ParsedBankStatement {
  const message = messageIn(root);
  const statements = elementsAt(message, 'Stmt');
  if (statements.length === 0) throw malformedStatement('The file has no statement (Stmt) in it.');
  const read = statements.map((statement, index) => readStatement(statement, index));
  return {
    format: 'camt.053',
    sections: read.map(({ section }) => section),
    pending: read.reduce((sum, { pending }) => sum + pending, 0),
  };
}

/** Some banks wrap the document with a header of theirs. */
function messageIn(root: XmlElement): XmlElement {
  const document = [root, ...root.children].find(({ name }) => name === 'Document');
  const [, kind, version = ''] = MESSAGE.exec(document?.namespace ?? '') ?? [];
  if (!document || (kind !== undefined && kind !== 'camt.053')) {
    throw malformedStatement(`Send a camt.053; this is ${kind ?? `<${root.name.slice(0, 40)}>`}.`);
  }
  if (kind !== undefined && (version < KNOWN.first || version > KNOWN.last)) {
    throw malformedStatement(
      `camt.053.001.${version} is not supported; send a version from ${KNOWN.first} to ${KNOWN.last}.`,
    );
  }
  const message = elementAt(document, 'BkToCstmrStmt');
  if (message) return message;
  throw malformedStatement('The document is no BankToCustomerStatement (BkToCstmrStmt).');
}

function readStatement(statement: XmlElement, index: number) {
  const reference = tidyText(textAt(statement, 'Id'));
  const where = `statement ${index + 1}`;
  const currency = textAt(statement, 'Acct', 'Ccy');
  const entries = elementsAt(statement, 'Ntry').map((entry, position) => ({
    entry,
    where: `${where}, entry ${position + 1}`,
  }));
  const booked = entries.filter(({ entry, where: at }) => statusOf(entry, at) === 'BOOK');
  const section: BankStatementSection = {
    reference,
    account:
      tidyIban(textAt(statement, 'Acct', 'Id', 'IBAN')) ??
      tidyText(textAt(statement, 'Acct', 'Id', 'Othr', 'Id')),
    currency: currency !== undefined && isCurrency(currency) ? currency : null,
    opening: balanceOf(statement, ['OPBD', 'PRCD'], where),
    closing: balanceOf(statement, ['CLBD'], where),
    entries: booked.flatMap(({ entry, where: at }) => readEntry(entry, at)),
  };
  return { section, pending: entries.length - booked.length };
}

/** A code of its own since version 08, text before. */
function statusOf(entry: XmlElement, where: string): string {
  const status =
    textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts', 'Prtry') ?? textAt(entry, 'Sts');
  if (status !== undefined) return status;
  throw malformedStatement(`${said(where)} has no status (Sts).`);
}

function balanceOf(statement: XmlElement, codes: string[], where: string): BankBalance | null {
  const balances = elementsAt(statement, 'Bal');
  for (const code of codes) {
    const found = balances.find((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code);
    if (!found) continue;
    const at = `the balance ${code} of ${where}`;
    const amount = amountOf(found, at);
    const isDebit = directionOf(found, at) === 'debit';
    return {
      amount: isDebit ? amount.negated() : amount,
      date: dateOf(elementAt(found, 'Dt'), at),
    };
  }
  return null;
}

function readEntry(entry: XmlElement, where: string): StatedBankEntry[] {
  const direction = directionOf(entry, where);
  const value = elementAt(entry, 'ValDt');
  const common = {
    direction,
    isReversal: isTrue(textAt(entry, 'RvslInd'), where),
    amount: amountOf(entry, where),
    bookedOn: dateOf(elementAt(entry, 'BookgDt') ?? value, where),
    valueOn: value ? dateOf(value, where) : null,
  };
  const bankReference = tidyText(textAt(entry, 'AcctSvcrRef'));
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls');
  const [only] = details;
  if (only && details.length === 1) {
    const one = detailsOf(only, common);
    return [{ ...common, ...one, bankReference: one.bankReference ?? bankReference }].map((read) =>
      withEntryText(read, entry),
    );
  }
  const parts = details.map((one) => ({
    details: one,
    amount: amountIn(one, common.amount, where),
    direction: textAt(one, 'CdtDbtInd') === undefined ? direction : directionOf(one, where),
  }));
  if (addsUp(parts, common)) {
    return parts.map(({ details: one, amount, direction: way }, index) => {
      const part = { ...common, amount: amount ?? common.amount, direction: way };
      const read = detailsOf(one, part);
      // Those of a batch may share the batch's reference, and each is to be known again.
      const shared = bankReference && `${bankReference}/${index + 1}`;
      return { ...part, ...read, bankReference: read.bankReference ?? shared };
    });
  }
  // A batch that is not taken apart says nothing of who paid what.
  const whole = { ...nothing, ...common, bankReference };
  return [withEntryText(whole, entry)];
}

const nothing = {
  counterpartyName: null,
  counterpartyIban: null,
  remittance: null,
  structuredReference: null,
  endToEndId: null,
  bankReference: null,
};

type Part = { amount: Money | null; direction: StatedBankEntry['direction'] };

/** Whether the parts of a batch are its whole. */
function addsUp(
  parts: readonly Part[],
  whole: Pick<StatedBankEntry, 'amount' | 'direction'>,
): boolean {
  const { currency } = whole.amount;
  let sum = Money.zero(currency);
  for (const { amount, direction } of parts) {
    if (!amount) return false;
    sum = direction === whole.direction ? sum.plus(amount) : sum.minus(amount);
  }
  return parts.length > 0 && sum.compare(whole.amount) === 0;
}

/** Of a part of a batch, in the currency of the account; null where none is given in that. */
function amountIn(details: XmlElement, { currency }: Money, where: string): Money | null {
  for (const path of [[], ['AmtDtls', 'TxAmt'], ['AmtDtls', 'InstdAmt']]) {
    const holder = elementAt(details, ...path);
    const given = elementAt(holder, 'Amt');
    if (given && given.attributes.get('Ccy') === currency) return amountOf(holder, where);
  }
  return null;
}

function detailsOf(
  details: XmlElement,
  { direction, isReversal }: Pick<StatedBankEntry, 'direction' | 'isReversal'>,
) {
  const parties = elementAt(details, 'RltdPties');
  // A reversal names the parties as the reversed one did.
  const isTheirs = (direction === 'credit') !== isReversal;
  const [party, account] = isTheirs ? ['Dbtr', 'DbtrAcct'] : ['Cdtr', 'CdtrAcct'];
  const nameOf = (one: string) => textAt(parties, one, 'Nm') ?? textAt(parties, one, 'Pty', 'Nm');
  const remittance = elementAt(details, 'RmtInf');
  const structured = elementsAt(remittance, 'Strd');
  const texts = [
    ...elementsAt(remittance, 'Ustrd').map(({ text }) => text),
    ...structured.flatMap((one) => [
      ...elementsAt(one, 'RfrdDocInf', 'Nb').map(({ text }) => text),
      ...elementsAt(one, 'AddtlRmtInf').map(({ text }) => text),
    ]),
  ];
  const references = structured.flatMap(
    (one) => textAt(one, 'CdtrRefInf', 'Ref') ?? textAt(one, 'CdtrRefInf', 'CdtrRef') ?? [],
  );
  const endToEndId = textAt(details, 'Refs', 'EndToEndId');
  return {
    counterpartyName: tidyText(nameOf(party) ?? nameOf(`Ultmt${party}`)),
    counterpartyIban: tidyIban(textAt(parties, account, 'Id', 'IBAN')),
    // Several references are read as text, in which more than one may be found.
    remittance: tidyText([...texts, ...(references.length > 1 ? references : [])].join(' '), 2000),
    structuredReference: references.length === 1 ? tidyText(references[0]) : null,
    endToEndId: endToEndId === 'NOTPROVIDED' ? null : tidyText(endToEndId),
    bankReference: tidyText(textAt(details, 'Refs', 'AcctSvcrRef')),
  };
}

/** If the payer's words are missing, the bank's own take their place. */
function withEntryText(transaction: StatedBankEntry, entry: XmlElement): StatedBankEntry {
  const remittance = transaction.remittance ?? tidyText(textAt(entry, 'AddtlNtryInf'), 2000);
  return { ...transaction, remittance };
}

function amountOf(holder: XmlElement | undefined, where: string): Money {
  const amount = elementAt(holder, 'Amt');
  const currency = amount?.attributes.get('Ccy') ?? '';
  if (!isCurrency(currency)) {
    throw malformedStatement(
      `The amount of ${where} has no currency of ISO 4217 (Ccy "${currency.slice(0, 20)}").`,
    );
  }
  const minor = parseMinorUnits((amount?.text ?? '').trim().replace(/^\+/, ''), currency);
  if (minor !== undefined) return Money.of(minor, currency);
  const text = (amount?.text ?? '').trim().slice(0, 40);
  throw malformedStatement(`The amount of ${where}, "${text}", is no amount in ${currency}.`);
}

function directionOf(holder: XmlElement, where: string): StatedBankEntry['direction'] {
  const indicator = textAt(holder, 'CdtDbtInd');
  if (indicator === 'CRDT') return 'credit';
  if (indicator === 'DBIT') return 'debit';
  throw malformedStatement(`${said(where)} does not say whether it is a credit (CdtDbtInd).`);
}

function dateOf(holder: XmlElement | undefined, where: string): IsoDate {
  const date = (textAt(holder, 'Dt') ?? textAt(holder, 'DtTm') ?? '').slice(0, 10);
  if (isCalendarDate(date) && date >= '1900') return date;
  throw malformedStatement(`${said(where)} has no date that exists (${date || 'none is given'}).`);
}

function isTrue(text: string | undefined, where: string): boolean {
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw malformedStatement(`RvslInd of ${where} is neither true nor false.`);
}

const said = (where: string) => where.charAt(0).toUpperCase() + where.slice(1);
