import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { DunningModule } from '../dunning/index.js';
import { IntegrityModule } from '../integrity/index.js';
import { MailModule } from '../mail/index.js';
import { PaymentsModule } from '../payments/index.js';
import { SchedulesModule } from '../schedules/index.js';
import { Erasures } from './application/erasures.service.js';
import { LostErasures } from './application/lost-erasures.js';
import { PersonalDataController } from './http/personal-data.controller.js';
import { OpenBusinessRepository } from './infrastructure/open-business.repository.js';
import { PersonalDataQuery } from './infrastructure/personal-data.query.js';
import { ReturnedCustomersQuery } from './infrastructure/returned-customers.query.js';

@Module({
  imports: [
    AuthModule,
    DocumentsModule,
    PaymentsModule,
    SchedulesModule,
    MailModule,
    DunningModule,
    IntegrityModule,
  ],
  controllers: [PersonalDataController],
  providers: [
    Erasures,
    LostErasures,
    OpenBusinessRepository,
    PersonalDataQuery,
    ReturnedCustomersQuery,
  ],
})
export class PrivacyModule {}
