import type { CashAccount } from './cash-account.js';
import type { LedgerAccount, LossKind } from './ledger.js';
import type { LossAccount, TaxedAccount } from './taxed-account.js';

export const CHART_TEMPLATES = ['plain', 'skr03', 'skr04'] as const;
export type ChartTemplate = (typeof CHART_TEMPLATES)[number];

/** The numbers of an accountant's chart for the accounts of the ledger. */
export interface ChartAccounts {
  numbers: Readonly<Record<LedgerAccount, string>>;
  revenue: readonly TaxedAccount[];
  losses: readonly LossAccount[];
  cashAccounts: readonly CashAccount[];
}

/** Zero-rated in one way each: gross and net are the same. */
const untaxed = (numbers: Record<string, string>): TaxedAccount[] =>
  Object.entries(numbers).map(([category, number]) => ({
    category,
    rate: null,
    number,
    taxKey: null,
    posting: 'gross',
  }));

/** Of accounts that know their tax: DATEV takes it out of the gross amount, without a key. */
const automatic = (rate: string, number: string): TaxedAccount => ({
  category: 'S',
  rate,
  number,
  taxKey: null,
  posting: 'gross',
});

const lossesOf = (loss: LossKind, accounts: readonly TaxedAccount[]): LossAccount[] =>
  accounts.map((account) => ({ ...account, loss }));

const till = (number: string): CashAccount[] => [
  { bankAccount: null, method: 'cash', currency: null, number },
];

/** Receivables, credit and the clearing of credit notes are all the customer's: one account. */
export const CHART_TEMPLATE: Record<ChartTemplate, ChartAccounts> = {
  plain: {
    numbers: {
      receivables: '1200',
      rejected_receivables: '1210',
      cash: '1000',
      gateway_clearing: '1010',
      payouts_in_transit: '1020',
      disputed_funds: '1030',
      customer_credit: '2100',
      unmatched_receipts: '2110',
      credit_notes: '1200',
      revenue: '4000',
      tax_payable: '2200',
      rounding: '4910',
      bad_debt: '6000',
      payment_differences: '6010',
      gateway_fees: '6100',
      payment_losses: '6020',
      bank_fees: '6110',
      other_expenses: '6200',
      other_income: '4900',
      opening_balances: '3000',
      currency_exchange: '1040',
      exchange_gains: '4920',
      exchange_losses: '6030',
    },
    revenue: [],
    losses: [],
    cashAccounts: [],
  },
  skr03: {
    numbers: {
      receivables: '1410',
      rejected_receivables: '1460',
      cash: '1200',
      gateway_clearing: '1210',
      payouts_in_transit: '1360',
      disputed_funds: '1500',
      customer_credit: '1410',
      unmatched_receipts: '1590',
      credit_notes: '1410',
      revenue: '8200',
      tax_payable: '1770',
      rounding: '2700',
      bad_debt: '2400',
      payment_differences: '8700',
      gateway_fees: '4970',
      payment_losses: '2300',
      bank_fees: '4970',
      other_expenses: '4900',
      other_income: '2700',
      opening_balances: '9000',
      currency_exchange: '1360',
      exchange_gains: '2660',
      exchange_losses: '2150',
    },
    revenue: [
      automatic('19', '8400'),
      automatic('7', '8300'),
      ...untaxed({ E: '8100', K: '8125', G: '8120', AE: '8337', O: '8950', Z: '8200' }),
    ],
    losses: [
      ...lossesOf('waiver', [
        automatic('19', '8736'),
        automatic('7', '8731'),
        ...untaxed({ K: '8743', AE: '8741' }),
      ]),
      ...lossesOf('write_off', [
        automatic('19', '2406'),
        automatic('7', '2401'),
        ...untaxed({ K: '2402' }),
      ]),
    ],
    cashAccounts: till('1000'),
  },
  skr04: {
    numbers: {
      receivables: '1210',
      rejected_receivables: '1240',
      cash: '1800',
      gateway_clearing: '1810',
      payouts_in_transit: '1460',
      disputed_funds: '1300',
      customer_credit: '1210',
      unmatched_receipts: '1370',
      credit_notes: '1210',
      revenue: '4200',
      tax_payable: '3800',
      rounding: '4830',
      bad_debt: '6930',
      payment_differences: '4700',
      gateway_fees: '6855',
      payment_losses: '6300',
      bank_fees: '6855',
      other_expenses: '6300',
      other_income: '4830',
      opening_balances: '9000',
      currency_exchange: '1460',
      exchange_gains: '4840',
      exchange_losses: '6880',
    },
    revenue: [
      automatic('19', '4400'),
      automatic('7', '4300'),
      ...untaxed({ E: '4100', K: '4125', G: '4120', AE: '4337', O: '4690', Z: '4200' }),
    ],
    losses: [
      ...lossesOf('waiver', [
        automatic('19', '4736'),
        automatic('7', '4731'),
        ...untaxed({ K: '4743', AE: '4741' }),
      ]),
      ...lossesOf('write_off', [
        automatic('19', '6936'),
        automatic('7', '6931'),
        ...untaxed({ K: '6932' }),
      ]),
    ],
    cashAccounts: till('1600'),
  },
};
