import { Injectable } from '@nestjs/common';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import {
  type LetterSource,
  LetterSources,
  type Message,
  type MessageOutcome,
  pdfFile,
  type SaidInLetter,
  type WantedLetter,
} from '../../mail/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { RemindersQuery } from '../infrastructure/reminders.query.js';
import { ReminderOutcomes } from './reminder-outcomes.js';
import { ReminderPaper } from './reminder-paper.js';

type Asked = Pick<Message, 'accountId' | 'fact'>;

/** Letters of reminders, as the mail sends them. */
@Injectable()
export class ReminderLetters implements LetterSource {
  constructor(
    sources: LetterSources,
    private readonly query: RemindersQuery,
    private readonly outcomes: ReminderOutcomes,
    private readonly paper: ReminderPaper,
  ) {
    sources.add('dunning', this);
  }

  async refusalOf({ accountId, fact }: Asked): Promise<string | null> {
    return this.outcomes.overtaken(await this.query.get(accountId, reminderIn(fact)));
  }

  async write({ message, view, locale, url, withFiles }: WantedLetter): Promise<SaidInLetter> {
    const reminder = await this.query.get(message.accountId, reminderIn(message.fact));
    const { dunning, mail } = locale.texts;
    const money = (minor: bigint) => locale.money(Money.of(minor, reminder.currency));
    const said = this.paper.words(reminder, view);
    const pdf = withFiles ? await this.paper.pdf(reminder, view) : undefined;
    return {
      subject: said.subject,
      paragraphs: [...said.sentences, dunning.attached],
      facts: said.rows.map(({ name, amount }) => ({ name, value: money(amount) })),
      button: { text: mail.open, url },
      refusal: reminder.stepDays > 0 ? null : { text: mail.stop, url: `${url}/stop-reminders` },
      attachments: [pdfFile(this.paper.fileName(reminder), pdf)],
    };
  }

  async settled(tx: Tx, message: Message, outcome: MessageOutcome): Promise<void> {
    const id = reminderIn(message.fact);
    await this.outcomes.settle(tx, message.accountId, id, outcome, message.recipients);
  }
}

/** The reminder that a message is sent for. */
function reminderIn(fact: string): Uuid {
  return uuidOf('rem', fact.replace('dunning:', '')) ?? '';
}
