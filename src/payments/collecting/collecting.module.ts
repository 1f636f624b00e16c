import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { ClocksModule } from '../../clocks/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { EventsModule } from '../../events/index.js';
import { PortModule } from '../port/port.module.js';
import { RecordingModule } from '../recording/recording.module.js';
import { PaymentLinks } from './application/payment-links.service.js';
import { Checkouts } from './application/checkouts.service.js';
import { MandateBeginning } from './application/mandates/mandate-beginning.js';
import { Mandates } from './application/mandates/mandates.service.js';
import { MandateCalls } from './application/mandates/mandate-calls.js';
import { MandateReports } from './application/mandates/mandate-reports.service.js';
import { MandateRecords } from './application/mandates/mandate-records.js';
import { MandateLookUps } from './application/mandates/mandate-look-ups.js';
import { MandateRepository } from './infrastructure/mandates/mandate.repository.js';
import { MandatesQuery } from './infrastructure/mandates/mandates.query.js';
import { Collections } from './application/mandates/collections.service.js';
import { CollectionBeginning } from './application/mandates/collection-beginning.js';
import { CollectionCalls } from './application/mandates/collection-calls.js';
import { CollectionOpening } from './application/mandates/collection-opening.js';
import { CollectionRetraction } from './application/mandates/collection-retraction.js';
import { PlannedLookUps } from './application/planned-look-ups.js';
import { CollectionSettlement } from './application/mandates/collection-settlement.js';
import { CollectionRepository } from './infrastructure/mandates/collection.repository.js';
import { AutomaticCollections } from './application/mandates/automatic-collections.js';
import { HeldCollections } from './application/mandates/held-collections.js';
import { PlannedCollections } from './application/mandates/planned-collections.js';
import { DebitRetries } from './application/mandates/debit-retries.js';
import { DebitRetryRepository } from './infrastructure/mandates/debit-retry.repository.js';
import { PaymentLinkClosing } from './application/payment-link-closing.js';
import { PaymentLinkReports } from './application/payment-link-reports.service.js';
import { PaymentLinkRepository } from './infrastructure/payment-link.repository.js';
import { CollectingFigures } from './infrastructure/collecting-figures.js';
import { PaymentLinksQuery } from './infrastructure/payment-links.query.js';

@Module({
  imports: [AuthModule, ClocksModule, DocumentsModule, EventsModule, PortModule, RecordingModule],
  providers: [
    PaymentLinks,
    Checkouts,
    MandateBeginning,
    Mandates,
    MandateCalls,
    MandateReports,
    MandateRecords,
    MandateLookUps,
    MandateRepository,
    MandatesQuery,
    Collections,
    CollectionBeginning,
    CollectionCalls,
    CollectionOpening,
    CollectionRetraction,
    PlannedLookUps,
    CollectionSettlement,
    CollectionRepository,
    AutomaticCollections,
    HeldCollections,
    PlannedCollections,
    DebitRetries,
    DebitRetryRepository,
    CollectingFigures,
    PaymentLinkClosing,
    PaymentLinkReports,
    PaymentLinkRepository,
    PaymentLinksQuery,
  ],
  exports: [
    PaymentLinks,
    Mandates,
    MandateReports,
    MandatesQuery,
    Collections,
    CollectionCalls,
    CollectionRetraction,
    DebitRetries,
    HeldCollections,
    PlannedCollections,
    PaymentLinkReports,
    PaymentLinkRepository,
    PaymentLinksQuery,
  ],
})
export class CollectingModule {}
