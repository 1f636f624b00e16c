import type { DataSourceOptions } from 'typeorm';
import { Baseline1764000000000 } from '../../../migrations/1764000000000-baseline.js';
import { AfterPaid1764600000000 } from '../../../migrations/1764600000000-after-paid.js';
import { UnpaidAgain1764600100000 } from '../../../migrations/1764600100000-unpaid-again.js';
import { UnmatchedItems1764600110000 } from '../../../migrations/1764600110000-unmatched-items.js';
import { RefundPaidFrom1764600200000 } from '../../../migrations/1764600200000-refund-paid-from.js';
import { RefundUndoings1764600200100 } from '../../../migrations/1764600200100-refund-undoings.js';
import { PaymentsReversed1764600200200 } from '../../../migrations/1764600200200-payments-reversed.js';
import { BankFiles1764600300000 } from '../../../migrations/1764600300000-bank-files.js';
import { Periods1764600400000 } from '../../../migrations/1764600400000-periods.js';
import { PeriodClosings1764600400001 } from '../../../migrations/1764600400001-period-closings.js';
import { NotAskedFor1764600400002 } from '../../../migrations/1764600400002-not-asked-for.js';
import { ChartSettings1764600500000 } from '../../../migrations/1764600500000-chart-settings.js';
import { Disputes1764600600000 } from '../../../migrations/1764600600000-disputes.js';
import { ProviderRefunds1764600700000 } from '../../../migrations/1764600700000-provider-refunds.js';
import { Payouts1764600800000 } from '../../../migrations/1764600800000-payouts.js';
import { ReceiptFees1764600800100 } from '../../../migrations/1764600800100-receipt-fees.js';
import { ExchangeRates1764600900000 } from '../../../migrations/1764600900000-exchange-rates.js';
import { Conversions1764600900001 } from '../../../migrations/1764600900001-conversions.js';
import { BaseCurrencyComment1764600900002 } from '../../../migrations/1764600900002-base-currency-comment.js';
import { ReversedLinks1764601300000 } from '../../../migrations/1764601300000-reversed-links.js';
import { BookedOn1764601600000 } from '../../../migrations/1764601600000-booked-on.js';
import { DatedMoves1764601600001 } from '../../../migrations/1764601600001-dated-moves.js';
import { BookedDisputes1764601600002 } from '../../../migrations/1764601600002-booked-disputes.js';
import { ItemsOfPayments1764601700000 } from '../../../migrations/1764601700000-items-of-payments.js';
import { LinesBelowZero1764602100001 } from '../../../migrations/2026-11/1764602100001-lines-below-zero.js';
import { NamesOfLines1764602100000 } from '../../../migrations/1764602100000-names-of-lines.js';
import { DatesInOrder1764601900000 } from '../../../migrations/1764601900000-dates-in-order.js';
import { UpdatedDocuments1764602000000 } from '../../../migrations/1764602000000-updated-documents.js';
import { DocumentDetails1764602200000 } from '../../../migrations/1764602200000-document-details.js';
import { Items1764602500001 } from '../../../migrations/2026-11/1764602500001-items.js';
import { StoredSuccesses1764602400000 } from '../../../migrations/2026-11/1764602400000-stored-successes.js';
import { TaxRates1764602500000 } from '../../../migrations/2026-11/1764602500000-tax-rates.js';
import { CashDiscounts1764602700000 } from '../../../migrations/2026-11/1764602700000-cash-discounts.js';
import { CheaperRules1764604200000 } from '../../../migrations/2026-11/1764604200000-cheaper-rules.js';
import { Mail1764604000000 } from '../../../migrations/2026-11/1764604000000-mail.js';
import { ClientAnswers1764603000000 } from '../../../migrations/2026-11/1764603000000-client-answers.js';
import { StrictDocuments1764602300000 } from '../../../migrations/2026-11/1764602300000-strict-documents.js';
import { VatMethods1764601000001 } from '../../../migrations/1764601000001-vat-methods.js';
import { TaxRelief1764601000000 } from '../../../migrations/1764601000000-tax-relief.js';
import { Gateways1764606000000 } from '../../../migrations/2026-11/1764606000000-gateways.js';
import { DocumentContents1764605200000 } from '../../../migrations/2026-11/1764605200000-document-contents.js';
import { CheckoutLookUps1764605300000 } from '../../../migrations/2026-11/1764605300000-checkout-look-ups.js';
import { GatewayDeliveries1764607000000 } from '../../../migrations/2026-11/1764607000000-gateway-deliveries.js';
import { ReportedPayouts1764607100000 } from '../../../migrations/2026-11/1764607100000-reported-payouts.js';
import { PageEnds1764609000000 } from '../../../migrations/2026-11/1764609000000-page-ends.js';
import { Captures1764609000001 } from '../../../migrations/2026-11/1764609000001-captures.js';
import { AwaitedPayouts1764630197000 } from '../../../migrations/2026-11/1764630197000-awaited-payouts.js';
import { CollectionMethods1764620070000 } from '../../../migrations/2026-11/1764620070000-collection-methods.js';
import { LossesMakeRoom1764625000000 } from '../../../migrations/2026-11/1764625000000-losses-make-room.js';
import { GivenBack1764630192000 } from '../../../migrations/2026-11/1764630192000-given-back.js';
import { MoneyOnItsWay1764622010000 } from '../../../migrations/2026-11/1764622010000-money-on-its-way.js';
import { OneMovement1764641000000 } from '../../../migrations/2026-11/1764641000000-one-movement.js';
import { CreditOfNotes1764631000000 } from '../../../migrations/2026-11/1764631000000-credit-of-notes.js';
import { UnusedColumns1764640000000 } from '../../../migrations/2026-11/1764640000000-unused-columns.js';
import { AccountsOfLosses1764642000000 } from '../../../migrations/2026-11/1764642000000-accounts-of-losses.js';
import { Debtors1764642100000 } from '../../../migrations/2026-11/1764642100000-debtors.js';
import { ChartsOfClosedMonths1764642200000 } from '../../../migrations/2026-11/1764642200000-charts-of-closed-months.js';
import { BankFileMappings1764643000000 } from '../../../migrations/2026-12/1764643000000-bank-file-mappings.js';
import { Mandates1764620060000 } from '../../../migrations/2026-11/1764620060000-mandates.js';
import { CashAccounts1764644000000 } from '../../../migrations/2026-12/1764644000000-cash-accounts.js';
import { AccountModes1764645000000 } from '../../../migrations/2026-12/1764645000000-account-modes.js';
import { MailLimits1764646000000 } from '../../../migrations/2026-12/1764646000000-mail-limits.js';
import { ClientsHad1764647000000 } from '../../../migrations/2026-12/1764647000000-clients-had.js';
import { PendingDocuments1764605100000 } from '../../../migrations/2026-11/1764605100000-pending-documents.js';
import { WordsOfTheLedger1764605000000 } from '../../../migrations/2026-11/1764605000000-words-of-the-ledger.js';

/** No answer for that long after `statement_timeout`: there is nobody who could give one. */
const SILENCE_MS = 3000;
const CONNECT_TIMEOUT_MS = 5000;
/** Also where nothing is asked for long: 10 probes, a second apart, after this. */
const KEEPALIVE_AFTER_MS = 10_000;
const LONGEST_MIGRATION_MS = 24 * 3_600_000;

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  lockTimeoutMs: number;
  /** 0: as long as a migration may take. */
  statementTimeoutMs: number;
}

/** Migrations in order; each runs in a transaction of its own. */
const migrations = [
  Baseline1764000000000,
  AfterPaid1764600000000,
  UnpaidAgain1764600100000,
  UnmatchedItems1764600110000,
  RefundPaidFrom1764600200000,
  RefundUndoings1764600200100,
  PaymentsReversed1764600200200,
  BankFiles1764600300000,
  Periods1764600400000,
  PeriodClosings1764600400001,
  NotAskedFor1764600400002,
  ChartSettings1764600500000,
  Disputes1764600600000,
  ProviderRefunds1764600700000,
  Payouts1764600800000,
  ReceiptFees1764600800100,
  ExchangeRates1764600900000,
  Conversions1764600900001,
  BaseCurrencyComment1764600900002,
  TaxRelief1764601000000,
  VatMethods1764601000001,
  ReversedLinks1764601300000,
  BookedOn1764601600000,
  DatedMoves1764601600001,
  BookedDisputes1764601600002,
  ItemsOfPayments1764601700000,
  DatesInOrder1764601900000,
  UpdatedDocuments1764602000000,
  NamesOfLines1764602100000,
  LinesBelowZero1764602100001,
  DocumentDetails1764602200000,
  StrictDocuments1764602300000,
  StoredSuccesses1764602400000,
  TaxRates1764602500000,
  Items1764602500001,
  CashDiscounts1764602700000,
  ClientAnswers1764603000000,
  Mail1764604000000,
  CheaperRules1764604200000,
  WordsOfTheLedger1764605000000,
  PendingDocuments1764605100000,
  DocumentContents1764605200000,
  CheckoutLookUps1764605300000,
  Gateways1764606000000,
  GatewayDeliveries1764607000000,
  ReportedPayouts1764607100000,
  PageEnds1764609000000,
  Captures1764609000001,
  Mandates1764620060000,
  CollectionMethods1764620070000,
  MoneyOnItsWay1764622010000,
  LossesMakeRoom1764625000000,
  GivenBack1764630192000,
  AwaitedPayouts1764630197000,
  CreditOfNotes1764631000000,
  UnusedColumns1764640000000,
  OneMovement1764641000000,
  AccountsOfLosses1764642000000,
  Debtors1764642100000,
  ChartsOfClosedMonths1764642200000,
  BankFileMappings1764643000000,
  CashAccounts1764644000000,
  AccountModes1764645000000,
  MailLimits1764646000000,
  ClientsHad1764647000000,
];
export const BASELINE_TIMESTAMP = 1_764_000_000_000;

export function dataSourceOptions(options: DatabaseOptions) {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: 'quittance',
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    poolSize: options.poolSize,
    extra: {
      // Statements leave without waiting for the answer to the one before: see UnitOfWork.
      pipeline: true,
      // Of making a connection; Database has the queue for a free one.
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
      lock_timeout: options.lockTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      // Ours, for a server that is out of reach. In a pipeline it destroys the socket: an answer that
      // comes later is nobody's.
      query_timeout: (options.statementTimeoutMs || LONGEST_MIGRATION_MS) + SILENCE_MS,
      idle_in_transaction_session_timeout: 30_000,
    },
  } satisfies DataSourceOptions;
}
