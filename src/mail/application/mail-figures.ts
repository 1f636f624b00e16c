import { Injectable } from '@nestjs/common';
import { Figures } from '../../platform/observability/figures.js';
import { MailFactsRepository } from '../infrastructure/mail-facts.repository.js';
import { MailFiguresQuery } from '../infrastructure/mail-figures.query.js';
import { HeldMail } from './held-mail.js';

const LATE_SECONDS = 600;

/** Tells those who watch the service whether mail is behind. */
@Injectable()
export class MailFigures {
  constructor(
    facts: MailFactsRepository,
    messages: MailFiguresQuery,
    held: HeldMail,
    figures: Figures,
  ) {
    figures.measureAge(
      {
        name: 'mail_facts_unread_seconds',
        help: 'Age of the oldest fact of which no message was made yet; 0: there is none.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Facts wait for their messages to be made',
            next: 'see that a process with the role worker runs; docs/runbook.md#mail-behind',
          },
        ],
      },
      () => facts.oldestUnread(),
    );
    figures.measure(
      {
        name: 'mail_messages_queued',
        help: 'Messages that are still to be sent, now or later; 10000: or more.',
      },
      async () => ({ count: (await messages.queued()).count }),
    );
    figures.measureAge(
      {
        name: 'mail_message_oldest_due_seconds',
        help: 'How long the oldest message has been due that was not tried; 0: none is.',
        signs: [
          {
            state: 'behind',
            above: LATE_SECONDS,
            says: 'Messages are due to be sent',
            next: 'cli doctor tries the mail server; docs/runbook.md#mail-behind',
          },
        ],
      },
      async (now) => (await messages.due(now)).oldest,
    );
    figures.measureForPerson(
      'failed_messages',
      {
        says: 'Messages that failed in the last day',
        next: 'GET /v1/finance/messages?status=failed in each account; docs/mail.md',
      },
      (now) => messages.failed(now),
    );
    figures.measureHeld(
      {
        name: 'mail_held',
        help: 'Messages that wait for `cli release --mail` since the database was restored.',
        says: 'Messages are held since a restore',
      },
      async () => (await held.figures()).held,
    );
  }
}
