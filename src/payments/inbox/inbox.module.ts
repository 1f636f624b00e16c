import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { PortModule } from '../port/port.module.js';
import { RecordingModule } from '../recording/recording.module.js';
import { CollectingModule } from '../collecting/collecting.module.js';
import { ReturningModule } from '../returning/returning.module.js';
import { CheckoutLookUps } from './application/checkouts/checkout-look-ups.js';
import { CheckoutInquiries } from './application/checkouts/checkout-inquiries.js';
import { PaymentListReads } from './application/checkouts/payment-list-reads.js';
import { RestoredLookUps } from './application/checkouts/restored-look-ups.js';
import { PaymentListReadRepository } from './infrastructure/payment-list-read.repository.js';
import { PlannedReadRepository } from './infrastructure/planned-read.repository.js';
import { ProviderPayments } from './application/provider-payments.service.js';
import { ReportBooking } from './application/report-booking.js';
import { ProviderPayouts } from './application/provider-payouts.js';
import { GatewayDeliveries } from './application/gateway-deliveries.service.js';
import { DeliveryRecord } from './application/delivery-record.js';
import { DeliveryBacklog } from './application/delivery-backlog.js';
import { DeliveryTries } from './application/delivery-tries.js';
import { DeliveryReplays } from './application/delivery-replays.js';
import { ErasedPayersRepository } from './infrastructure/erased-payers.repository.js';
import { GatewayDeliveryRepository } from './infrastructure/gateway-delivery.repository.js';
import { GatewayDeliveriesQuery } from './infrastructure/gateway-deliveries.query.js';
import { SealedDeliveries } from './infrastructure/sealed-deliveries.js';
import { InboxFigures } from './infrastructure/inbox-figures.js';
import { ProviderReports } from './application/provider-reports.service.js';
import { ProviderFailures } from './application/provider-failures.service.js';
import { ProviderReceiptClaims } from './application/provider-receipt-claims.service.js';

@Module({
  imports: [AuthModule, PortModule, RecordingModule, CollectingModule, ReturningModule],
  providers: [
    CheckoutLookUps,
    CheckoutInquiries,
    PaymentListReads,
    RestoredLookUps,
    PlannedReadRepository,
    PaymentListReadRepository,
    ProviderPayments,
    ReportBooking,
    ProviderPayouts,
    GatewayDeliveries,
    DeliveryRecord,
    DeliveryBacklog,
    DeliveryTries,
    DeliveryReplays,
    GatewayDeliveryRepository,
    ErasedPayersRepository,
    GatewayDeliveriesQuery,
    SealedDeliveries,
    InboxFigures,
    ProviderReports,
    ProviderFailures,
    ProviderReceiptClaims,
  ],
  exports: [
    CheckoutLookUps,
    ProviderPayouts,
    GatewayDeliveries,
    DeliveryRecord,
    DeliveryReplays,
    GatewayDeliveriesQuery,
    ErasedPayersRepository,
    ProviderReceiptClaims,
  ],
})
export class InboxModule {}
