import { Module } from '@nestjs/common';
import { Accounts, AuthModule } from '../auth/index.js';
import { BooksModule } from '../books/index.js';
import { ClocksModule } from '../clocks/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EInvoicesModule } from '../einvoices/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { Config } from '../platform/config/config.js';
import { portOf } from '../platform/ports.js';
import { PortalModule } from '../portal/index.js';
import { ExtensionLetters, QueuedLetters } from './application/extension-letters.service.js';
import { LetterFiles } from './application/letter-files.service.js';
import { LetterKinds } from './application/letter-kinds.js';
import { LetterSources } from './application/letter-sources.js';
import { Letters } from './application/letters.service.js';
import { EndpointNotices } from './application/endpoint-notices.js';
import { ClientLetters } from './application/client-letters.service.js';
import { SellerLetters } from './application/seller-letters.service.js';
import { HeldMail } from './application/held-mail.js';
import { MailAttempts } from './application/mail-attempts.js';
import { MailDelivery } from './application/mail-delivery.service.js';
import { MailFigures } from './application/mail-figures.js';
import { MailFacts } from './application/mail-facts.service.js';
import { MailRounds } from './application/mail-rounds.js';
import { QuoteRounds } from './application/quotes/quote-rounds.js';
import { ScheduleNotices } from './application/schedule-notices.js';
import { StatementLetters } from './application/statements/statement-letters.js';
import { StatementRounds } from './application/statements/statement-rounds.js';
import { ReaderErasing } from './application/reader-erasing.js';
import { Reminders } from './application/reminders.service.js';
import { WantedMessages } from './application/wanted-messages.js';
import { MailSettingsService } from './application/mail-settings.service.js';
import { MailWorker } from './application/mail-worker.js';
import { MessageOutcomes } from './application/message-outcomes.js';
import { MESSAGE_EVENTS } from './wire/message-events.js';
import { MessageQueue } from './application/message-queue.js';
import { MessageRetries } from './application/message-retries.service.js';
import { Messages } from './application/messages.service.js';
import { ReminderRefusals } from './application/reminder-refusals.service.js';
import { SellerNotices } from './application/seller-notices.service.js';
import { MailSender } from './domain/mail-sender.js';
import { DemoMailController } from './http/demo-mail.controller.js';
import { MailSettingsController } from './http/mail-settings.controller.js';
import { MessagesController } from './http/messages.controller.js';
import { MessagesOfDocuments } from './http/messages-of-documents.js';
import { ReminderRefusalsController } from './http/reminder-refusals.controller.js';
import { AskedEndsQuery } from './infrastructure/asked-ends.query.js';
import { DueQuotesQuery } from './infrastructure/due-quotes.query.js';
import { StatementProgressRepository } from './infrastructure/statement-progress.repository.js';
import { ErasedReadersRepository } from './infrastructure/erased-readers.repository.js';
import { HeldMessagesRepository } from './infrastructure/held-messages.repository.js';
import { MailFactsRepository } from './infrastructure/mail-facts.repository.js';
import { MailFiguresQuery } from './infrastructure/mail-figures.query.js';
import { MailLimitsRepository } from './infrastructure/mail-limits.repository.js';
import { MailRefusalsRepository } from './infrastructure/mail-refusals.repository.js';
import { mailSenderOf } from './infrastructure/mail-senders.js';
import { MailSettingsRepository } from './infrastructure/mail-settings.repository.js';
import { MessageRepository } from './infrastructure/message.repository.js';
import { MessagesQuery } from './infrastructure/messages.query.js';

@Module({
  imports: [
    AuthModule,
    ClocksModule,
    EventsModule,
    DocumentsModule,
    EInvoicesModule,
    BooksModule,
    PortalModule,
  ],
  controllers: [
    MessagesController,
    MailSettingsController,
    ReminderRefusalsController,
    DemoMailController,
  ],
  providers: [
    Messages,
    MessageRetries,
    MessageOutcomes,
    MessageQueue,
    MessagesOfDocuments,
    MailSettingsService,
    ReminderRefusals,
    MailFacts,
    MailFigures,
    MailFiguresQuery,
    Reminders,
    MailRounds,
    QuoteRounds,
    StatementRounds,
    StatementLetters,
    StatementProgressRepository,
    DueQuotesQuery,
    AskedEndsQuery,
    ScheduleNotices,
    WantedMessages,
    ReaderErasing,
    ErasedReadersRepository,
    Letters,
    ClientLetters,
    SellerLetters,
    SellerNotices,
    EndpointNotices,
    LetterFiles,
    LetterKinds,
    LetterSources,
    { provide: ExtensionLetters, useClass: QueuedLetters },
    HeldMail,
    HeldMessagesRepository,
    MailAttempts,
    MailDelivery,
    MailWorker,
    MailFactsRepository,
    MailLimitsRepository,
    MailRefusalsRepository,
    MailSettingsRepository,
    MessageRepository,
    MessagesQuery,
    portOf(MailSender, { inject: [Config, Accounts], useFactory: mailSenderOf }),
  ],
  exports: [
    EndpointNotices,
    LetterKinds,
    LetterSources,
    ExtensionLetters,
    MailSettingsService,
    MailSender,
    ReaderErasing,
    WantedMessages,
  ],
})
export class MailModule {
  constructor(facts: FactListeners) {
    facts.define(Object.keys(MESSAGE_EVENTS));
  }
}
