import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/index.js';
import { WebhooksController } from './http/webhooks.controller.js';

@Module({ imports: [PaymentsModule], controllers: [WebhooksController] })
export class WebhooksModule {}
