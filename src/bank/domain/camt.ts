import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import { tidyIban, tidyText } from '../../kernel/tidy-text.js';
import {
  type BankBalance,
  type StatedBankEntry,
  malformedStatement,
  type ParsedBankStatement,
  type BankStatementSection,
  tidyReference,
} from './bank-statement.js';
import { parseMinorUnits } from './decimal-text.js';
import { statedState, type StatedState, unknownState } from './stated-state.js';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element.js';

/** Banks differ in what stands before the name of the message. */
const MESSAGE = /(?:^|[:/])(camt\.\d{3})\.001\.(\d{2})$/;
const KNOWN = { first: '02', last: '13' };

/** The name of a message, and the parts of it that have entries. */
const KINDS = {
  'camt.052': { name: 'BankToCustomerAccountReport', message: 'BkToCstmrAcctRpt', part: 'Rpt' },
  'camt.053': { name: 'BankToCustomerStatement', message: 'BkToCstmrStmt', part: 'Stmt' },
  'camt.054': {
    name: 'BankToCustomerDebitCreditNotification',
    message: 'BkToCstmrDbtCdtNtfctn',
    part: 'Ntfctn',
  },
} as const;
type Kind = keyof typeof KINDS;

/**
 * Reads camt.052, 053 and 054 (ISO 20022: report, statement, notification), versions 001.02 to
 * 001.13. It takes the entries that the bank booked; the transactions of a batch stand alone if
 * each has its amount.
 */
export function readCamt(root: XmlElement, bookedStates: readonly string[]): ParsedBankStatement {
  const { kind, message } = messageIn(root);
  const { part } = KINDS[kind];
  const statements = elementsAt(message, part);
  if (statements.length === 0) {
    throw malformedStatement(`The file has no statement (${part}) in it.`);
  }
  const read = statements.map((statement, index) => readStatement(statement, index, bookedStates));
  return {
    format: kind,
    sections: read.map(({ section }) => section),
    pending: read.reduce((sum, { pending }) => sum + pending, 0),
    rejected: read.reduce((sum, { rejected }) => sum + rejected, 0),
    unused: [],
  };
}

/** Some banks wrap the document with a header of theirs. */
function messageIn(root: XmlElement): { kind: Kind; message: XmlElement } {
  const document = [root, ...root.children].find(({ name }) => name === 'Document');
  const [, said, version = ''] = MESSAGE.exec(document?.namespace ?? '') ?? [];
  if (!document || (said !== undefined && !Object.hasOwn(KINDS, said))) {
    throw malformedStatement(
      `Send a camt.052, camt.053 or camt.054; this is ${said ?? `<${root.name.slice(0, 40)}>`}.`,
    );
  }
  if (said !== undefined && (version < KNOWN.first || version > KNOWN.last)) {
    throw malformedStatement(
      `${said}.001.${version} is not supported; send a version from ${KNOWN.first} to ${KNOWN.last}.`,
    );
  }
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const message = elementAt(document, KINDS[kind].message);
    if (message && (said === undefined || said === kind)) return { kind, message };
  }
  const kind = (said ?? 'camt.053') as Kind;
  const { name, message } = KINDS[kind];
  throw malformedStatement(`The document is no ${name} (${message}).`);
}

function readStatement(statement: XmlElement, index: number, bookedStates: readonly string[]) {
  const reference = tidyText(textAt(statement, 'Id'));
  const where = `statement ${index + 1}`;
  const currency = textAt(statement, 'Acct', 'Ccy');
  const entries = elementsAt(statement, 'Ntry').map((entry, position) => ({
    entry,
    where: `${where}, entry ${position + 1}`,
    state: stateOf(entry, `${where}, entry ${position + 1}`, bookedStates),
  }));
  const inState = (wanted: StatedState) => entries.filter(({ state }) => state === wanted);
  const section: BankStatementSection = {
    reference,
    account:
      tidyIban(textAt(statement, 'Acct', 'Id', 'IBAN')) ??
      tidyText(textAt(statement, 'Acct', 'Id', 'Othr', 'Id')),
    currency: currency !== undefined && isCurrency(currency) ? currency : null,
    opening: balanceOf(statement, ['OPBD', 'PRCD'], where),
    closing: balanceOf(statement, ['CLBD'], where),
    entries: inState('booked').flatMap(({ entry, where: at }) => readEntry(entry, at)),
  };
  return { section, pending: inState('pending').length, rejected: inState('rejected').length };
}

/** A code of its own since version 08, text before. */
function stateOf(entry: XmlElement, where: string, bookedStates: readonly string[]): StatedState {
  const status =
    textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts', 'Prtry') ?? textAt(entry, 'Sts');
  if (status === undefined) throw malformedStatement(`${said(where)} has no status (Sts).`);
  const state = statedState(status, bookedStates);
  if (state !== undefined) return state;
  throw malformedStatement(`${said(where)}: ${unknownState(status)}`);
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
    ...amountWithFee(entry, direction, where),
    bookedOn: dateOf(elementAt(entry, 'BookgDt') ?? value, where),
    valueOn: value ? dateOf(value, where) : null,
    transactionType: tidyText(textAt(entry, 'AddtlNtryInf')),
    returnReason: null,
  };
  const bankReference = tidyReference(textAt(entry, 'AcctSvcrRef'));
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls');
  const whole = amountOf(entry, where);
  const [only] = details;
  if (only && details.length === 1) {
    const one = detailsOf(only, common);
    return [{ ...common, ...one, bankReference: one.bankReference ?? bankReference }].map((read) =>
      withEntryText(read, entry),
    );
  }
  const parts = details.map((one) => ({
    details: one,
    amount: amountIn(one, whole, where),
    direction: textAt(one, 'CdtDbtInd') === undefined ? direction : directionOf(one, where),
  }));
  if (addsUp(parts, { direction, amount: whole })) {
    return parts.map(({ details: one, amount, direction: way }, index) => {
      const part = {
        ...common,
        amount: amount ?? whole,
        fee: Money.zero(whole.currency),
        direction: way,
        batch: { amount: whole, direction, bankReference },
      };
      const read = detailsOf(one, part);
      // Those of a batch may share the batch's reference, and each is to be known again.
      const shared = bankReference && `${bankReference}/${index + 1}`;
      return { ...part, ...read, bankReference: read.bankReference ?? shared };
    });
  }
  // A batch that is not taken apart says nothing of who paid what.
  return [withEntryText({ ...nothing, ...common, bankReference }, entry)];
}

const nothing = {
  counterpartyName: null,
  counterpartyIban: null,
  remittance: null,
  structuredReference: null,
  endToEndId: null,
  bankReference: null,
};

/**
 * The amount that the other side paid, and the bank's fee: charges that make the amount of the
 * entry with the original amount. Charges that do not add up are left where they are.
 */
function amountWithFee(
  entry: XmlElement,
  direction: StatedBankEntry['direction'],
  where: string,
): Pick<StatedBankEntry, 'amount' | 'fee'> {
  const amount = amountOf(entry, where);
  const { currency } = amount;
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls');
  const [only] = details;
  const unchanged = { amount, fee: Money.zero(currency) };
  if (!only || details.length > 1) return unchanged;
  const charged = [entry, only].map((one) =>
    elementsAt(one, 'Chrgs').flatMap((all) => [all, ...elementsAt(all, 'Rcrd')]),
  );
  const first = charged.find((all) => all.some((one) => elementAt(one, 'Amt'))) ?? [];
  const fees = first.flatMap((one) => (elementAt(one, 'Amt') ? [amountOf(one, where)] : []));
  const original = amountIn({ ...only, children: childrenBut(only, 'Amt') }, amount, where);
  if (!original || fees.length === 0 || fees.some((one) => one.currency !== currency)) {
    return unchanged;
  }
  const fee = Money.sum(fees, currency);
  const sum = direction === 'credit' ? original.minus(fee) : original.plus(fee);
  return sum.compare(amount) === 0 ? { amount: original, fee } : unchanged;
}

const childrenBut = ({ children }: XmlElement, name: string) =>
  children.filter((one) => one.name !== name);

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
  return {
    counterpartyName: tidyText(nameOf(party) ?? nameOf(`Ultmt${party}`)),
    counterpartyIban: tidyIban(textAt(parties, account, 'Id', 'IBAN')),
    // Several references are read as text, in which more than one may be found.
    remittance: tidyText([...texts, ...(references.length > 1 ? references : [])].join(' '), 2000),
    structuredReference: references.length === 1 ? tidyReference(references[0]) : null,
    endToEndId: tidyReference(textAt(details, 'Refs', 'EndToEndId')),
    bankReference: tidyReference(textAt(details, 'Refs', 'AcctSvcrRef')),
    returnReason: returnReasonOf(details),
  };
}

/** `MD06 Refund requested`: the code is one of ISO 20022, the words are the bank's. */
function returnReasonOf(details: XmlElement): string | null {
  const back = elementAt(details, 'RtrInf');
  if (!back) return null;
  const code = textAt(back, 'Rsn', 'Cd') ?? textAt(back, 'Rsn', 'Prtry');
  const words = elementsAt(back, 'AddtlInf').map(({ text }) => text.trim());
  return tidyText([code, ...words].join(' ')) ?? 'returned';
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
