import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/index.js';
import { BankModule } from './bank/index.js';
import { BooksModule } from './books/index.js';
import { ClocksModule } from './clocks/index.js';
import { DocumentsModule } from './documents/index.js';
import { DunningModule } from './dunning/index.js';
import { EInvoicesModule } from './einvoices/index.js';
import { EventsModule } from './events/index.js';
import { ExtensionsModule } from './extensions/extensions.module.js';
import { Installation } from './extensions/installation.js';
import { FeedModule } from './feed/index.js';
import { GatewaysModule } from './gateways/index.js';
import { IntegrityModule } from './integrity/index.js';
import { MailModule } from './mail/index.js';
import { PaymentsModule } from './payments/index.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';
import { PortalModule } from './portal/index.js';
import { PrivacyModule } from './privacy/index.js';
import { REFUSALS } from './refusals.js';
import { SchedulesModule } from './schedules/index.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The modules in dependency order: each imports only what stands above it. */
@Module({})
export class AppModule {
  static with(platformOptions: PlatformOptions, installation = new Installation()): DynamicModule {
    const { extensions, providers, ports, scopes, words } = installation;
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(platformOptions, {
          refusals: installation.refusals(REFUSALS),
          ports,
          scopes,
          words,
        }),
        AuthModule,
        ClocksModule,
        EventsModule,
        DocumentsModule,
        EInvoicesModule,
        BooksModule,
        PaymentsModule,
        BankModule,
        GatewaysModule.with(providers),
        SchedulesModule,
        WebhooksModule,
        PortalModule,
        MailModule,
        DunningModule,
        IntegrityModule,
        FeedModule,
        PrivacyModule,
        ...(extensions.length > 0 ? [ExtensionsModule.with(installation)] : []),
      ],
    };
  }
}
