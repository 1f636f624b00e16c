import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ClocksModule } from '../clocks/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { MailModule } from '../mail/index.js';
import { PaymentsModule } from '../payments/index.js';
import { SchedulesModule } from '../schedules/index.js';
import { ChargeBilling } from './application/charge-billing.js';
import { DocumentDunnings } from './application/document-dunnings.service.js';
import { DunningDebts } from './application/dunning-debts.js';
import { DunningFacts } from './application/dunning-facts.js';
import { DunningFigures } from './application/dunning-figures.js';
import { DunningPlans } from './application/dunning-plans.service.js';
import { DunningRounds } from './application/dunning-rounds.js';
import { OutgoingReminders } from './application/outgoing-reminders.js';
import { ReminderCharges } from './application/reminder-charges.js';
import { ReminderLetters } from './application/reminder-letters.js';
import { ReminderMaking } from './application/reminder-making.js';
import { ReminderOutcomes } from './application/reminder-outcomes.js';
import { ReminderPaper } from './application/reminder-paper.js';
import { StepReminders } from './application/step-reminders.service.js';
import { DocumentDunningController } from './http/document-dunning.controller.js';
import { DunningPlanController } from './http/dunning-plan.controller.js';
import { PrintedReminder } from './http/printed-reminder.js';
import { RemindersController } from './http/reminders.controller.js';
import { DueDunningQuery } from './infrastructure/due-dunning.query.js';
import { DunnedDocumentsQuery } from './infrastructure/dunned-documents.query.js';
import { DunningPlanRepository } from './infrastructure/dunning-plan.repository.js';
import { DunningStateRepository } from './infrastructure/dunning-state.repository.js';
import { ErasedDebtorsRepository } from './infrastructure/erased-debtors.repository.js';
import { ReminderRepository } from './infrastructure/reminder.repository.js';
import { RemindersQuery } from './infrastructure/reminders.query.js';
import { REMINDER_EVENTS } from './wire/reminder-events.js';

@Module({
  imports: [
    AuthModule,
    ClocksModule,
    EventsModule,
    DocumentsModule,
    PaymentsModule,
    SchedulesModule,
    MailModule,
  ],
  controllers: [DunningPlanController, DocumentDunningController, RemindersController],
  providers: [
    DunningPlans,
    DunningDebts,
    DunningFacts,
    DunningFigures,
    DunningRounds,
    DocumentDunnings,
    ChargeBilling,
    OutgoingReminders,
    ReminderCharges,
    ReminderLetters,
    ReminderMaking,
    ReminderOutcomes,
    StepReminders,
    { provide: ReminderPaper, useClass: PrintedReminder },
    DunningPlanRepository,
    DunningStateRepository,
    ReminderRepository,
    ErasedDebtorsRepository,
    DueDunningQuery,
    DunnedDocumentsQuery,
    RemindersQuery,
  ],
  exports: [DunningRounds, ErasedDebtorsRepository],
})
export class DunningModule {
  constructor(facts: FactListeners) {
    facts.define(Object.keys(REMINDER_EVENTS));
  }
}
