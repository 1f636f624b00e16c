import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Metrics, secondsSince } from '../../platform/observability/metrics.js';
import { MailFactsRepository } from '../infrastructure/mail-facts.repository.js';

/** Tells those who watch the service whether mail is behind. */
@Injectable()
export class MailFigures {
  constructor(facts: MailFactsRepository, metrics: Metrics, clock: Clock) {
    metrics.measure(
      {
        name: 'mail_facts_unread_seconds',
        help: 'Age of the oldest fact of which no message was made yet; 0: there is none.',
      },
      async () => ({ seconds: secondsSince(await facts.oldestUnread(), clock.serverNow()) }),
    );
  }
}
