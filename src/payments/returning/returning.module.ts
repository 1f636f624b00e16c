import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { BooksModule } from '../../books/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { EventsModule } from '../../events/index.js';
import { PortModule } from '../port/port.module.js';
import { RecordingModule } from '../recording/recording.module.js';
import { CollectingModule } from '../collecting/collecting.module.js';
import { WantedApprovals } from './application/wanted-approvals.js';
import { ProviderReversals } from './application/provider-reversals.service.js';
import { ProviderReversalWriter } from './application/provider-reversal-writer.js';
import { ProviderReversalRepository } from './infrastructure/provider-reversal.repository.js';
import { ReversalPlanning } from './application/reversal-planning.js';
import { SpentCredits } from './application/spent-credits.js';
import { Disputes } from './application/disputes/disputes.service.js';
import { DisputeSteps } from './application/disputes/dispute-steps.js';
import { PaymentDisputeSteps } from './application/disputes/payment-dispute-steps.js';
import { DisputeWriter } from './application/disputes/dispute-writer.js';
import { DisputedDocuments } from './application/disputes/disputed-documents.js';
import { GivenBackWriter } from './application/disputes/given-back-writer.js';
import { PaymentLosses } from './application/payment-losses.js';
import { DisputeRepository } from './infrastructure/dispute.repository.js';
import { DisputesQuery } from './infrastructure/disputes.query.js';
import { Refunds } from './application/refunds/refunds.service.js';
import { RefundBeginning } from './application/refunds/refund-beginning.js';
import { RefundMeanings } from './application/refunds/refund-meanings.js';
import { RefundDecisions } from './application/refunds/refund-decisions.js';
import { RefundMeaningRepository } from './infrastructure/refunds/refund-meaning.repository.js';
import { RefundPlanning } from './application/refunds/refund-planning.js';
import { RefundKeys } from './application/refunds/refund-keys.js';
import { RefundCalls } from './application/refunds/refund-calls.js';
import { RefundWriter } from './application/refunds/refund-writer.js';
import { LockedRefunds } from './application/refunds/locked-refunds.js';
import { RefundSettlement } from './application/refunds/refund-settlement.js';
import { RefundUndoings } from './application/refunds/refund-undoings.service.js';
import { RefundUndoingWriter } from './application/refunds/refund-undoing-writer.js';
import { HeldRefunds } from './application/refunds/held-refunds.js';
import { RefundLookUps } from './application/refunds/refund-look-ups.js';
import { ProviderRefunds } from './application/provider-refunds.service.js';
import { ToldOutcomes } from './application/refunds/told-outcomes.js';
import { ProviderMadeRefunds } from './application/refunds/provider-made-refunds.js';
import { GoneRefundPlanning } from './application/refunds/gone-refund-planning.js';
import { ProviderRefundRepository } from './infrastructure/provider-refund.repository.js';
import { WaitingRefunds } from './application/waiting-refunds.js';
import { RefundRepository } from './infrastructure/refund.repository.js';
import { ReturningFigures } from './infrastructure/returning-figures.js';
import { RefundsQuery } from './infrastructure/refunds/refunds.query.js';

@Module({
  imports: [
    AuthModule,
    BooksModule,
    DocumentsModule,
    EventsModule,
    PortModule,
    RecordingModule,
    CollectingModule,
  ],
  providers: [
    WantedApprovals,
    ReturningFigures,
    ProviderReversals,
    ProviderReversalWriter,
    ProviderReversalRepository,
    ReversalPlanning,
    SpentCredits,
    Disputes,
    DisputeSteps,
    PaymentDisputeSteps,
    DisputeWriter,
    DisputedDocuments,
    GivenBackWriter,
    PaymentLosses,
    DisputeRepository,
    DisputesQuery,
    Refunds,
    RefundBeginning,
    RefundMeanings,
    RefundDecisions,
    RefundMeaningRepository,
    RefundPlanning,
    RefundKeys,
    RefundCalls,
    RefundWriter,
    LockedRefunds,
    RefundSettlement,
    RefundUndoings,
    RefundUndoingWriter,
    RefundLookUps,
    HeldRefunds,
    ProviderRefunds,
    ProviderMadeRefunds,
    ToldOutcomes,
    GoneRefundPlanning,
    ProviderRefundRepository,
    WaitingRefunds,
    RefundRepository,
    RefundsQuery,
  ],
  exports: [
    WantedApprovals,
    ProviderReversals,
    ProviderReversalRepository,
    SpentCredits,
    Disputes,
    DisputesQuery,
    Refunds,
    RefundDecisions,
    HeldRefunds,
    RefundUndoings,
    ProviderRefunds,
    RefundsQuery,
  ],
})
export class ReturningModule {}
