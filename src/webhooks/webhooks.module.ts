import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { PaymentsModule } from '../payments/index.js';
import { WebhooksController } from './http/webhooks.controller.js';

@Module({ imports: [AuthModule, PaymentsModule], controllers: [WebhooksController] })
export class WebhooksModule {}
