import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { BooksModule } from '../../books/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { EventsModule } from '../../events/index.js';
import { PortModule } from '../port/port.module.js';
import { Payments } from './application/payments.service.js';
import { RecordedPrepayments } from './application/recorded-prepayments.js';
import { AllocatedPayments } from './application/allocated-payments.service.js';
import { Allocations } from './application/allocations.service.js';
import { AllocationWriter } from './application/allocation-writer.js';
import { ExcessMoves } from './application/excess-moves.js';
import { PaymentSettingsService } from './application/payment-settings.service.js';
import { MoneyFacts } from './application/money-facts.js';
import { PaidPlaces } from './application/paid-places.js';
import { PaymentWriter } from './application/payment-writer.js';
import { Conversions } from './application/conversions.js';
import { CustomerCredits } from './application/customer-credits.service.js';
import { NotedDocuments } from './application/noted-documents.js';
import { SettlementsQuery } from './infrastructure/settlements.query.js';
import { RecordingFigures } from './infrastructure/recording-figures.js';
import { UnmatchedReceipts } from './application/unmatched-receipts.service.js';
import { UnmatchedReceiptWriter } from './application/unmatched-receipt-writer.js';
import { UnmatchedItems } from './application/unmatched-items.service.js';
import { UnmatchedItemRepository } from './infrastructure/unmatched-item.repository.js';
import { UnmatchedItemsQuery } from './infrastructure/unmatched-items.query.js';
import { UnmatchedReceiptRepository } from './infrastructure/unmatched-receipt.repository.js';
import { UnmatchedReceiptsQuery } from './infrastructure/unmatched-receipts.query.js';
import { PaymentRepository } from './infrastructure/payment.repository.js';
import { PaymentSettingsRepository } from './infrastructure/payment-settings.repository.js';
import { HoldingsQuery } from './infrastructure/holdings.query.js';
import { PaymentsQuery } from './infrastructure/payments.query.js';

@Module({
  imports: [AuthModule, BooksModule, DocumentsModule, EventsModule, PortModule],
  providers: [
    Payments,
    RecordedPrepayments,
    AllocatedPayments,
    Allocations,
    AllocationWriter,
    ExcessMoves,
    PaidPlaces,
    PaymentSettingsService,
    PaymentWriter,
    MoneyFacts,
    Conversions,
    CustomerCredits,
    NotedDocuments,
    SettlementsQuery,
    RecordingFigures,
    UnmatchedReceipts,
    UnmatchedReceiptWriter,
    UnmatchedItems,
    UnmatchedItemRepository,
    UnmatchedItemsQuery,
    UnmatchedReceiptRepository,
    UnmatchedReceiptsQuery,
    PaymentRepository,
    PaymentSettingsRepository,
    HoldingsQuery,
    PaymentsQuery,
  ],
  exports: [
    Payments,
    AllocatedPayments,
    Allocations,
    ExcessMoves,
    PaymentSettingsService,
    PaymentWriter,
    MoneyFacts,
    Conversions,
    NotedDocuments,
    SettlementsQuery,
    UnmatchedReceipts,
    UnmatchedReceiptWriter,
    UnmatchedItems,
    UnmatchedItemsQuery,
    UnmatchedReceiptRepository,
    UnmatchedReceiptsQuery,
    PaymentRepository,
    PaymentSettingsRepository,
    HoldingsQuery,
    PaymentsQuery,
  ],
})
export class RecordingModule {}
