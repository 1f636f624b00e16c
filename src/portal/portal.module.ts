import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { PaymentsModule } from '../payments/index.js';
import { SchedulesModule } from '../schedules/index.js';
import { PortalDocuments } from './application/portal-documents.js';
import { PortalMoney } from './application/portal-money.js';
import { PortalPages } from './application/portal-pages.service.js';
import { PortalAnswersController } from './http/portal-answers.controller.js';
import { PortalRefusalPages } from './http/portal-refusal-pages.js';
import { ReceiptsController } from './http/receipts.controller.js';
import { SiteController } from './http/site.controller.js';
import { PortalScheduleController } from './http/portal-schedule.controller.js';
import { PortalReturnController } from './http/portal-return.controller.js';
import { PortalController } from './http/portal.controller.js';

@Module({
  imports: [AuthModule, DocumentsModule, PaymentsModule, SchedulesModule],
  controllers: [
    ReceiptsController,
    SiteController,
    PortalReturnController,
    PortalController,
    PortalAnswersController,
    PortalScheduleController,
  ],
  providers: [PortalDocuments, PortalMoney, PortalPages, PortalRefusalPages],
  exports: [PortalDocuments],
})
export class PortalModule {}
