import { EU_COUNTRIES } from '../../../kernel/eu-countries.js';
import { firstCharacters } from '../../../kernel/first-characters.js';
import type { Money } from '../../../kernel/money.js';
import type { DocumentView } from '../document-view.js';
import { isCreditorReference, isQrReference, MOST_OF_REFERENCE } from '../payment-reference.js';
import { accountsFor, type BankAccount } from '../parties/bank-account.js';
import type { Party } from '../parties/party.js';

/** A code that a banking app reads into a credit transfer. */
export interface PaymentCode {
  standard: 'epc' | 'swiss';
  /** The lines that the code says. */
  payload: string;
}

type IbanAccount = BankAccount & { iban: string };

const EEA = new Set([...EU_COUNTRIES, 'IS', 'LI', 'NO']);
/** Outside of it the bank has to be named, too. */
const SEPA_BEYOND = new Set('AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '));
const MOST_MINOR = 99_999_999_999n;
const EPC_MOST_BYTES = 331;

/**
 * The code for each bank account of an invoice, null where there is none. It says the amount, the
 * account and the reference that stand beside it. A code that a bank would refuse is not made.
 */
export function paymentCodesFor(view: DocumentView, amount: Money): (PaymentCode | null)[] {
  return accountsFor(view).map(({ iban, ...account }) =>
    iban === null ? null : codeFor(view, { ...account, iban }, amount),
  );
}

function codeFor(view: DocumentView, account: IbanAccount, amount: Money): PaymentCode | null {
  const { currency, minor } = amount;
  if (view.kind !== 'invoice' || view.number === null) return null;
  const country = account.iban.slice(0, 2);
  if (minor <= 0n || minor > MOST_MINOR) return null;
  // Marks without a shape are no name.
  if (cut(holderOf(view, account), 70) === '') return null;
  if (['CH', 'LI'].includes(country) && ['CHF', 'EUR'].includes(currency)) {
    return swissCode(view, account, amount);
  }
  return currency === 'EUR' ? epcCode(view, account, amount) : null;
}

/** EPC069-12, version 002: a SEPA credit transfer in euro, in UTF-8. */
function epcCode(view: DocumentView, account: IbanAccount, amount: Money): PaymentCode | null {
  const country = account.iban.slice(0, 2);
  if (!EEA.has(country) && !(SEPA_BEYOND.has(country) && account.bic !== null)) return null;
  const said = view.paymentReference ?? view.number ?? '';
  const isStructured = isCreditorReference(said);
  const [reference, text] = isStructured ? [said, ''] : ['', cut(said, MOST_OF_REFERENCE)];
  // Latin letters have two bytes at most, others more: the name gives way.
  for (let length = 70; length > 0; length -= 10) {
    const payload = [
      'BCD',
      '002',
      '1',
      'SCT',
      account.bic ?? '',
      cut(holderOf(view, account), length),
      account.iban,
      `EUR${amount.toDecimalString()}`,
      '',
      reference,
      text,
    ]
      .join('\n')
      .trimEnd();
    if (Buffer.byteLength(payload) <= EPC_MOST_BYTES) return { standard: 'epc', payload };
  }
  return null;
}

/** Institution identifiers of QR-IBANs, which go with another kind of reference. */
const isQrIban = (iban: string) => /^..\d\d3[01]/.test(iban);
/** Basic Latin, Latin-1, Latin Extended-A, and five characters more. */
const SWISS_TEXT = /^[\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u20ac]*$/;

/** Swiss Implementation Guidelines QR-bill, version 2.3, with structured addresses. */
function swissCode(view: DocumentView, account: IbanAccount, amount: Money): PaymentCode | null {
  const { seller, customer } = view;
  const creditor = swissAddress(seller, holderOf(view, account));
  const reference = swissReference(view, isQrIban(account.iban));
  if (!creditor || reference === null) return null;
  const debtor = swissAddress(customer, customer.legal_name ?? customer.name);
  const fields = [
    'SPC',
    '0200',
    '1',
    account.iban,
    ...creditor,
    // Nobody but the creditor is the last one to be paid.
    ...NOBODY,
    amount.toDecimalString(),
    amount.currency,
    ...(debtor ?? NOBODY),
    ...reference,
    'EPD',
  ];
  return fields.every((field) => SWISS_TEXT.test(field))
    ? { standard: 'swiss', payload: fields.join('\n') }
    : null;
}

/**
 * Kind, reference and message. A QR-IBAN and the reference of 27 digits go with each other alone:
 * null for a QR-IBAN without one.
 */
function swissReference(
  { number, paymentReference: said }: DocumentView,
  isToQrIban: boolean,
): string[] | null {
  const message = cut(number ?? '', MOST_OF_REFERENCE);
  if (isToQrIban) return said && isQrReference(said) ? ['QRR', said, message] : null;
  if (said === null) return ['NON', '', message];
  return isCreditorReference(said)
    ? ['SCOR', said, message]
    : ['NON', '', cut(said, MOST_OF_REFERENCE)];
}

const NOBODY = ['', '', '', '', '', '', ''];

/** Seven fields; null where one that is needed is not known. */
function swissAddress(party: Party, name: string): string[] | null {
  const { address, postal_code: code, city, country } = party;
  if (!code || !city || !country) return null;
  const fields = ['S', cut(name, 70), cut(address[0] ?? '', 70), '', cut(code, 16), cut(city, 35)];
  return [...fields, country].every((field) => SWISS_TEXT.test(field))
    ? [...fields, country]
    : null;
}

function holderOf({ seller }: DocumentView, account: IbanAccount): string {
  return account.holder ?? seller.legal_name ?? seller.name;
}

/** One line, of so many characters: a name must not start another field. */
function cut(text: string, length: number): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return firstCharacters(line, length).trim();
}
