import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { BooksModule } from '../books/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule } from '../events/index.js';
import { AllocationWriter } from './application/allocation-writer.js';
import { Allocations } from './application/allocations.service.js';
import { PageEndings } from './application/checkouts/page-endings.js';
import { CheckoutInquiries } from './application/checkouts/checkout-inquiries.js';
import { CheckoutLookUps } from './application/checkouts/checkout-look-ups.js';
import { Checkouts } from './application/checkouts/checkouts.service.js';
import { PaymentListReads } from './application/checkouts/payment-list-reads.js';
import { Conversions } from './application/conversions.js';
import { NotedDocuments } from './application/noted-documents.js';
import { CustomerCredits } from './application/customer-credits.service.js';
import { ExcessMoves } from './application/excess-moves.js';
import { AccountGateways } from './application/gateways/account-gateways.service.js';
import { GatewayExaminations } from './application/gateways/gateway-examinations.js';
import { GatewayResealing } from './application/gateways/gateway-resealing.js';
import { GatewaySettingsCipher } from './application/gateways/gateway-settings-cipher.js';
import { OpenedGateways } from './application/gateways/opened-gateways.js';
import { AutomaticCollections } from './application/mandates/automatic-collections.js';
import { CollectionCalls } from './application/mandates/collection-calls.js';
import { CollectionOpening } from './application/mandates/collection-opening.js';
import { CollectionSettlement } from './application/mandates/collection-settlement.js';
import { Collections } from './application/mandates/collections.service.js';
import { PlannedCollections } from './application/mandates/planned-collections.js';
import { MandateCalls } from './application/mandates/mandate-calls.js';
import { MandateLookUps } from './application/mandates/mandate-look-ups.js';
import { MandateRecords } from './application/mandates/mandate-records.js';
import { MandateReports } from './application/mandates/mandate-reports.service.js';
import { Mandates } from './application/mandates/mandates.service.js';
import { PaymentLinkClosing } from './application/payment-link-closing.js';
import { PayPages } from './application/pay-pages.service.js';
import { PaymentLinks } from './application/payment-links.service.js';
import { PaymentSettingsService } from './application/payment-settings.service.js';
import { PaymentWriter } from './application/payment-writer.js';
import { Payments } from './application/payments.service.js';
import { DeliveryBacklog } from './application/deliveries/delivery-backlog.js';
import { DeliveryRecord } from './application/deliveries/delivery-record.js';
import { DeliveryReplays } from './application/deliveries/delivery-replays.js';
import { GatewayDeliveries } from './application/deliveries/gateway-deliveries.service.js';
import { WaitingRefunds } from './application/providers/waiting-refunds.js';
import { ProviderPayments } from './application/providers/provider-payments.service.js';
import { ProviderPayouts } from './application/providers/provider-payouts.js';
import { ProviderRefunds } from './application/providers/provider-refunds.service.js';
import { WantedApprovals } from './application/providers/wanted-approvals.js';
import { SpentCredits } from './application/providers/spent-credits.js';
import { ProviderReports } from './application/providers/provider-reports.service.js';
import { ProviderReceiptClaims } from './application/providers/provider-receipt-claims.service.js';
import { AllocatedPayments } from './application/allocated-payments.service.js';
import { GoneRefundPlanning } from './application/refunds/gone-refund-planning.js';
import { ProviderMadeRefunds } from './application/refunds/provider-made-refunds.js';
import { RefundBeginning } from './application/refunds/refund-beginning.js';
import { RefundCalls } from './application/refunds/refund-calls.js';
import { RefundKeys } from './application/refunds/refund-keys.js';
import { RefundLookUps } from './application/refunds/refund-look-ups.js';
import { RefundDecisions } from './application/refunds/refund-decisions.js';
import { RefundMeanings } from './application/refunds/refund-meanings.js';
import { RefundPlanning } from './application/refunds/refund-planning.js';
import { RefundSettlement } from './application/refunds/refund-settlement.js';
import { RefundUndoings } from './application/refunds/refund-undoings.service.js';
import { RefundUndoingWriter } from './application/refunds/refund-undoing-writer.js';
import { RefundWriter } from './application/refunds/refund-writer.js';
import { Refunds } from './application/refunds/refunds.service.js';
import { PaymentLinkReports } from './application/payment-link-reports.service.js';
import { ProviderFailures } from './application/providers/provider-failures.service.js';
import { DisputeSteps } from './application/disputes/dispute-steps.js';
import { DisputeWriter } from './application/disputes/dispute-writer.js';
import { DisputedDocuments } from './application/disputes/disputed-documents.js';
import { GivenBackWriter } from './application/disputes/given-back-writer.js';
import { Disputes } from './application/disputes/disputes.service.js';
import { ReversalPlanning } from './application/providers/reversal-planning.js';
import { ProviderReversals } from './application/providers/provider-reversals.service.js';
import { PaymentLosses } from './application/providers/payment-losses.js';
import { ProviderReversalWriter } from './application/providers/provider-reversal-writer.js';
import { UnmatchedItems } from './application/unmatched-items.service.js';
import { UnmatchedReceiptWriter } from './application/unmatched-receipt-writer.js';
import { UnmatchedReceipts } from './application/unmatched-receipts.service.js';
import { AmountExample } from './http/amount-example.filter.js';
import { AllocatedPaymentsController } from './http/allocated-payments.controller.js';
import { OwnGateways } from './domain/gateways.js';
import { AccountGatewaysController } from './http/account-gateways.controller.js';
import { DisputesController } from './http/disputes.controller.js';
import { GatewayEventsController } from './http/gateway-events.controller.js';
import { MandatesController } from './http/mandates.controller.js';
import { PaymentLinksController } from './http/payment-links.controller.js';
import { PaymentSettingsController } from './http/payment-settings.controller.js';
import { PaymentStepsController } from './http/payment-steps.controller.js';
import { PaymentsController } from './http/payments.controller.js';
import { PaymentsOfDocuments } from './http/payments-of-documents.js';
import { RefundsController } from './http/refunds.controller.js';
import { UnmatchedItemsController } from './http/unmatched-items.controller.js';
import { UnmatchedReceiptsController } from './http/unmatched-receipts.controller.js';
import { CheckoutLookUpRepository } from './infrastructure/checkout-look-up.repository.js';
import { AccountGatewayRepository } from './infrastructure/account-gateway.repository.js';
import { DisputeRepository } from './infrastructure/dispute.repository.js';
import { DisputesQuery } from './infrastructure/disputes.query.js';
import { GatewayDeliveriesQuery } from './infrastructure/gateway-deliveries.query.js';
import { GatewayDeliveryRepository } from './infrastructure/gateway-delivery.repository.js';
import { HoldingsRepository } from './infrastructure/holdings.repository.js';
import { HoldingsQuery } from './infrastructure/holdings.query.js';
import { CollectionRepository } from './infrastructure/mandates/collection.repository.js';
import { MandateRepository } from './infrastructure/mandates/mandate.repository.js';
import { MandatesQuery } from './infrastructure/mandates/mandates.query.js';
import { PaymentLinkRepository } from './infrastructure/payment-link.repository.js';
import { PaymentLinksQuery } from './infrastructure/links/payment-links.query.js';
import { PaymentListReadRepository } from './infrastructure/payment-list-read.repository.js';
import { PaymentSettingsRepository } from './infrastructure/payment-settings.repository.js';
import { PaymentRepository } from './infrastructure/payment.repository.js';
import { PaymentsQuery } from './infrastructure/payments.query.js';
import { ProviderReportRepository } from './infrastructure/provider-report.repository.js';
import { ProviderRefundRepository } from './infrastructure/provider-refund.repository.js';
import { ProviderReversalRepository } from './infrastructure/provider-reversal.repository.js';
import { RefundRepository } from './infrastructure/refund.repository.js';
import { RefundMeaningRepository } from './infrastructure/refunds/refund-meaning.repository.js';
import { RefundsQuery } from './infrastructure/refunds/refunds.query.js';
import { SealedDeliveries } from './infrastructure/sealed-deliveries.js';
import { SettlementsQuery } from './infrastructure/settlements.query.js';
import { UnmatchedItemRepository } from './infrastructure/unmatched-item.repository.js';
import { UnmatchedItemsQuery } from './infrastructure/unmatched-items.query.js';
import { UnmatchedReceiptRepository } from './infrastructure/unmatched-receipt.repository.js';
import { UnmatchedReceiptsQuery } from './infrastructure/unmatched-receipts.query.js';

@Module({
  imports: [AuthModule, DocumentsModule, EventsModule, BooksModule],
  controllers: [
    PaymentsController,
    AllocatedPaymentsController,
    PaymentStepsController,
    PaymentSettingsController,
    PaymentLinksController,
    MandatesController,
    RefundsController,
    UnmatchedReceiptsController,
    UnmatchedItemsController,
    DisputesController,
    AccountGatewaysController,
    GatewayEventsController,
  ],
  providers: [
    Payments,
    PaymentsOfDocuments,
    AllocatedPayments,
    Allocations,
    AllocationWriter,
    ExcessMoves,
    PaymentSettingsService,
    PaymentWriter,
    Conversions,
    CustomerCredits,
    NotedDocuments,
    PaymentLinks,
    Checkouts,
    CheckoutLookUps,
    PageEndings,
    CheckoutInquiries,
    PaymentListReads,
    PaymentListReadRepository,
    CheckoutLookUpRepository,
    PayPages,
    Mandates,
    MandateCalls,
    MandateReports,
    MandateRecords,
    MandateLookUps,
    MandateRepository,
    MandatesQuery,
    Collections,
    CollectionCalls,
    CollectionOpening,
    CollectionSettlement,
    CollectionRepository,
    AutomaticCollections,
    PlannedCollections,
    SettlementsQuery,
    PaymentLinkClosing,
    ProviderPayments,
    ProviderPayouts,
    WantedApprovals,
    GatewayDeliveries,
    DeliveryRecord,
    DeliveryBacklog,
    DeliveryReplays,
    GatewayDeliveryRepository,
    GatewayDeliveriesQuery,
    SealedDeliveries,
    ProviderReports,
    ProviderFailures,
    ProviderReversals,
    ProviderReversalWriter,
    ProviderReversalRepository,
    ReversalPlanning,
    SpentCredits,
    Disputes,
    DisputeSteps,
    DisputeWriter,
    DisputedDocuments,
    GivenBackWriter,
    PaymentLosses,
    DisputeRepository,
    DisputesQuery,
    PaymentLinkReports,
    Refunds,
    RefundBeginning,
    RefundMeanings,
    RefundDecisions,
    RefundMeaningRepository,
    RefundPlanning,
    RefundKeys,
    RefundCalls,
    RefundWriter,
    RefundSettlement,
    RefundUndoings,
    RefundUndoingWriter,
    RefundLookUps,
    ProviderRefunds,
    ProviderMadeRefunds,
    GoneRefundPlanning,
    ProviderRefundRepository,
    WaitingRefunds,
    UnmatchedReceipts,
    UnmatchedReceiptWriter,
    UnmatchedItems,
    UnmatchedItemRepository,
    UnmatchedItemsQuery,
    ProviderReceiptClaims,
    RefundRepository,
    RefundsQuery,
    UnmatchedReceiptRepository,
    UnmatchedReceiptsQuery,
    PaymentRepository,
    PaymentSettingsRepository,
    HoldingsRepository,
    HoldingsQuery,
    PaymentLinkRepository,
    PaymentLinksQuery,
    ProviderReportRepository,
    PaymentsQuery,
    AmountExample,
    AccountGateways,
    AccountGatewayRepository,
    GatewayExaminations,
    GatewayResealing,
    GatewaySettingsCipher,
    { provide: OwnGateways, useClass: OpenedGateways },
  ],
  exports: [
    Allocations,
    OwnGateways,
    ProviderPayouts,
    ProviderReceiptClaims,
    GatewayDeliveries,
    DeliveryReplays,
    GatewayDeliveriesQuery,
    PaymentLinks,
    PayPages,
    PlannedCollections,
    SettlementsQuery,
    PaymentsQuery,
    AllocatedPayments,
    Payments,
  ],
})
export class PaymentsModule {}
