import type { CsvColumn } from './csv-columns.js';
import type { StatedState } from './stated-state.js';

/** The ways in which the file of one bank differs from what its headers say. Names as in `headerName`. */
export interface CsvLayout {
  bank: string;
  /** All of these: no other bank's file has them. */
  headers: readonly string[];
  /** The only headers that a column is taken from; the first that the file has, but for texts. */
  columns: Partial<Record<CsvColumn, readonly string[]>>;
  /** Words for the state of a row that mean so in this file alone. */
  states?: Readonly<Record<string, StatedState>>;
  /** Of dates with dashes, which may be read in two ways. */
  dayFirst?: true;
  /** The amount is what moved, with the fee in it; otherwise the fee comes on top. */
  feeInside?: true;
  /** Set if rows without a date are not booked yet. */
  undatedIsPending?: true;
}

/** A row of the kind `Memo` moves nothing. */
const PAYPAL_STATES = {
  credit: 'booked',
  debit: 'booked',
  haben: 'booked',
  soll: 'booked',
  memo: 'rejected',
} as const;

const LAYOUTS: readonly CsvLayout[] = [
  {
    bank: 'Sparkasse, CSV-CAMT',
    headers: ['lastschrift ursprungsbetrag', 'auslagenersatz ruecklastschrift'],
    columns: { fee: ['auslagenersatz ruecklastschrift'] },
    feeInside: true,
  },
  {
    bank: 'Commerzbank',
    headers: ['umsatzart', 'buchungstext', 'kategorie'],
    columns: {
      remittance: ['buchungstext'],
      transaction_type: ['umsatzart'],
      account: ['iban auftraggeberkonto', 'iban kontoinhaber'],
      payer_name: [],
    },
  },
  {
    bank: 'ING (NL), in English',
    headers: ['name description', 'counterparty', 'notifications'],
    columns: {
      counterparty_name: ['name description'],
      counterparty_iban: ['counterparty'],
      remittance: ['notifications'],
    },
  },
  {
    bank: 'Wise',
    headers: ['transferwise id', 'running balance'],
    columns: {
      bank_reference: ['transferwise id'],
      remittance: ['description', 'payment reference'],
      counterparty_iban: ['payee account number'],
      transaction_type: ['transaction details type'],
      fee: ['total fees'],
      booked_on: ['date'],
    },
    dayFirst: true,
    feeInside: true,
  },
  {
    bank: 'Revolut',
    headers: ['started date', 'completed date', 'state'],
    columns: { booked_on: ['completed date'] },
    undatedIsPending: true,
  },
  {
    bank: 'Revolut Business',
    headers: ['date started', 'date completed', 'payment currency'],
    columns: {
      booked_on: ['date completed'],
      currency: ['payment currency'],
      net: ['total amount'],
      bank_reference: ['id'],
      counterparty_iban: ['beneficiary iban'],
      // The one of the account's own people who paid.
      payer_name: [],
      status: ['state'],
    },
    undatedIsPending: true,
  },
  {
    bank: 'PayPal',
    headers: ['gross', 'fee', 'net', 'from email address', 'transaction id'],
    states: PAYPAL_STATES,
    columns: {
      account: [],
      end_to_end_id: ['reference txn id'],
      amount: ['gross'],
      status: ['status', 'balance impact'],
      remittance: ['invoice number', 'subject', 'note', 'item title'],
      structured_reference: [],
    },
  },
  {
    bank: 'PayPal, in German',
    headers: ['brutto', 'gebuhr', 'netto', 'transaktionscode'],
    states: PAYPAL_STATES,
    columns: {
      end_to_end_id: ['zugehoriger transaktionscode'],
      amount: ['brutto'],
      bank_reference: ['transaktionscode'],
      status: ['status', 'auswirkung auf guthaben'],
      remittance: ['rechnungsnummer', 'betreff', 'hinweis', 'artikelbezeichnung'],
    },
  },
  {
    bank: 'Stripe, balance or payout reconciliation',
    headers: ['balance_transaction_id', 'gross', 'fee', 'net', 'reporting_category'],
    columns: {
      booked_on: ['created_utc', 'created'],
      value_on: ['available_on_utc', 'available_on'],
      amount: ['gross'],
      bank_reference: ['balance_transaction_id'],
      end_to_end_id: ['source_id'],
      counterparty_name: ['customer_name'],
      remittance: ['invoice_number', 'description'],
      transaction_type: ['reporting_category'],
      status: [],
    },
  },
  {
    bank: 'Stripe, balance history',
    headers: ['id', 'source', 'amount', 'fee', 'net', 'created', 'available on'],
    columns: {
      booked_on: ['created'],
      value_on: ['available on'],
      bank_reference: ['id'],
      end_to_end_id: ['source'],
      counterparty_name: [],
      status: [],
    },
  },
];

/** The layout of a file by the names of its headers; undefined for one that we do not know. */
export function layoutOf(names: ReadonlySet<string>): CsvLayout | undefined {
  return LAYOUTS.find(({ headers }) => headers.every((name) => names.has(name)));
}
