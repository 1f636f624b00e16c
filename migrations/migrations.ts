import { Baseline1795651200000 } from './1795651200000-baseline.js';
import { DocumentLinesByName1795706400000 } from './0.2.0/documents/1795706400000-document-lines-by-name.js';
import { RareRelations1795721400000 } from './0.2.0/documents/1795721400000-rare-relations.js';
import { ExtensionMigrations1795722000000 } from './0.2.0/extensions/1795722000000-extension-migrations.js';
import { LettersOfExtensions1795722100000 } from './0.2.0/extensions/1795722100000-letters-of-extensions.js';
import { ExtensionSettings1795722110000 } from './0.2.0/extensions/1795722110000-extension-settings.js';
import { ExtensionSeals1795722120000 } from './0.2.0/extensions/1795722120000-extension-seals.js';
import { EInvoices1795722300000 } from './0.2.0/documents/1795722300000-e-invoices.js';
import { TaxGroupsBelowZero1795722500000 } from './0.2.0/documents/1795722500000-tax-groups-below-zero.js';
import { Attachments1795722520000 } from './0.2.0/documents/1795722520000-attachments.js';
import { OwnPaymentReferences1795722540000 } from './0.2.0/documents/1795722540000-own-payment-references.js';
import { PrepaidAmounts1795722560000 } from './0.2.0/documents/1795722560000-prepaid-amounts.js';
import { EventMarks1795722590000 } from './0.2.0/events/1795722590000-event-marks.js';
import { AmountsIssuedElsewhere1795722600000 } from './0.2.0/documents/1795722600000-amounts-issued-elsewhere.js';
import { PrepaidAboveTheTotal1795722610000 } from './0.2.0/documents/1795722610000-prepaid-above-the-total.js';
import { DueDatesTold1795722700000 } from './0.2.0/mail/1795722700000-due-dates-told.js';
import { WebhookEndpoints1795722900000 } from './0.2.0/events/1795722900000-webhook-endpoints.js';
import { TestClocks1795722950000 } from './0.2.0/platform/1795722950000-test-clocks.js';
import { EndpointNotices1795723100000 } from './0.2.0/events/1795723100000-endpoint-notices.js';
import { HeldDeliveries1795723110000 } from './0.2.0/events/1795723110000-held-deliveries.js';
import { EventsByTime1795723120000 } from './0.2.0/events/1795723120000-events-by-time.js';
import { Schedules1795723130000 } from './0.2.0/schedules/1795723130000-schedules.js';
import { ScheduleEndsAskedFor1795723150000 } from './0.2.0/schedules/1795723150000-schedule-ends-asked-for.js';
import { LettersOfQuotesAndStatements1795723160000 } from './0.2.0/mail/1795723160000-letters-of-quotes-and-statements.js';
import { MailOfQuotesAndStatements1795723161000 } from './0.2.0/mail/1795723161000-mail-of-quotes-and-statements.js';
import { DebitRetries1795723170000 } from './0.2.0/payments/1795723170000-debit-retries.js';
import { CustomerKinds1795723180000 } from './0.2.0/documents/1795723180000-customer-kinds.js';
import { Dunning1795723190000 } from './0.2.0/dunning/1795723190000-dunning.js';
import { IndexesOfFigures1795723200000 } from './0.2.0/platform/1795723200000-indexes-of-figures.js';
import { HeldWork1795723240000 } from './0.2.0/platform/1795723240000-held-work.js';
import { IntegrityRuns1795723250000 } from './0.2.0/integrity/1795723250000-integrity-runs.js';
import { TransferSums1795723260000 } from './0.2.0/books/1795723260000-transfer-sums.js';
import { GatewaySums1795723280000 } from './0.2.0/books/1795723280000-gateway-sums.js';
import { SkippedNumbers1795723270000 } from './0.2.0/documents/1795723270000-skipped-numbers.js';
import { ErasedCustomers1795723290000 } from './0.2.0/documents/1795723290000-erased-customers.js';
import { ErasedMailboxes1795723300000 } from './0.2.0/mail/1795723300000-erased-mailboxes.js';
import { FilesInAStore1795723310000 } from './0.2.0/documents/1795723310000-files-in-a-store.js';
import { DigestsOfAttachments1795723320000 } from './0.2.0/documents/1795723320000-digests-of-attachments.js';

/** In order; each runs in a transaction of its own. A folder has those of a release. */
export const MIGRATIONS = [
  Baseline1795651200000,
  DocumentLinesByName1795706400000,
  RareRelations1795721400000,
  ExtensionMigrations1795722000000,
  LettersOfExtensions1795722100000,
  ExtensionSettings1795722110000,
  ExtensionSeals1795722120000,
  EInvoices1795722300000,
  TaxGroupsBelowZero1795722500000,
  Attachments1795722520000,
  OwnPaymentReferences1795722540000,
  PrepaidAmounts1795722560000,
  EventMarks1795722590000,
  AmountsIssuedElsewhere1795722600000,
  PrepaidAboveTheTotal1795722610000,
  DueDatesTold1795722700000,
  WebhookEndpoints1795722900000,
  TestClocks1795722950000,
  EndpointNotices1795723100000,
  HeldDeliveries1795723110000,
  EventsByTime1795723120000,
  Schedules1795723130000,
  ScheduleEndsAskedFor1795723150000,
  DebitRetries1795723170000,
  LettersOfQuotesAndStatements1795723160000,
  MailOfQuotesAndStatements1795723161000,
  CustomerKinds1795723180000,
  Dunning1795723190000,
  IndexesOfFigures1795723200000,
  HeldWork1795723240000,
  IntegrityRuns1795723250000,
  TransferSums1795723260000,
  SkippedNumbers1795723270000,
  GatewaySums1795723280000,
  ErasedCustomers1795723290000,
  ErasedMailboxes1795723300000,
  FilesInAStore1795723310000,
  DigestsOfAttachments1795723320000,
];
