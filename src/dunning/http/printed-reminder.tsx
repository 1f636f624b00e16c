import { Injectable } from '@nestjs/common';
import { renderToString } from 'preact-render-to-string';
import {
  DocumentPdfs,
  type DocumentView,
  Locale,
  paperHtml,
  Parties,
  paymentCodesFor,
  PaymentSection,
  PdfRenderer,
  printed,
} from '../../documents/index.js';
import { daysBetween } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { chargeName } from '../application/charge-name.js';
import { ReminderPaper, type ReminderWords } from '../application/reminder-paper.js';
import { chargedBy, type Reminder, standingCharges } from '../domain/reminder.js';

/** Letters of reminders in the language of their documents, on the seller's paper. */
@Injectable()
export class PrintedReminder extends ReminderPaper {
  constructor(
    private readonly renderer: PdfRenderer,
    private readonly pdfs: DocumentPdfs,
  ) {
    super();
  }

  words(reminder: Reminder, view: DocumentView): ReminderWords {
    const locale = Locale.of(view.language);
    const { texts } = locale;
    const { dunning, mail } = texts;
    const { documents, charges, currency } = reminder;
    const title = titleOf(reminder, locale);
    const own = reminder.words.find(({ language }) => language === (view.language ?? 'en'));
    const rows = [
      ...documents.map(({ number, asked }) => ({
        name: `${texts.titles.invoice} ${number}`,
        amount: asked,
        isTotal: false,
      })),
      ...standingCharges(reminder).map((charge) => ({
        name: chargeName(charge, reminder, texts),
        amount: charge.amount,
        isTotal: false,
      })),
    ];
    const total = rows.reduce((sum, { amount }) => sum + amount, 0n);
    const due = locale.date(documents[0]?.dueDate ?? reminder.madeOn);
    const about = documents.length > 1 ? dunning.several : mail.overdue(due);
    const isLate = reminder.stepDays > 0;
    const asked = locale.money(Money.of(total, currency));
    return {
      subject:
        own?.subject ??
        `${title}: ${texts.documentFrom(headingOf(reminder, locale), view.seller.name)}`,
      title: own?.subject ?? title,
      sentences: [
        own?.text ?? (isLate ? about : mail.dueOn(due)),
        ...(isLate ? [dunning.payBy(asked, locale.date(reminder.payBy))] : []),
        ...(charges.length > 0 ? [dunning.billed] : []),
        ...(isLast(reminder) && !own?.text ? [dunning.end] : []),
        mail.ignore,
      ],
      rows: rows.length > 1 ? [...rows, { name: texts.total, amount: total, isTotal: true }] : rows,
    };
  }

  async pdf(reminder: Reminder, view: DocumentView): Promise<Buffer> {
    const { accountId } = reminder;
    const logo = await this.pdfs.logoOf(accountId, view);
    const html = this.page(reminder, view, logo);
    return this.renderer.render(html, { owner: accountId, at: reminder.createdAt });
  }

  fileName({ id }: Reminder): string {
    return `${publicId('rem', id)}.pdf`;
  }

  private page(reminder: Reminder, view: DocumentView, logo: string | null): string {
    const words = this.words(reminder, view);
    const { language, footer, accentColor } = printed(view);
    return paperHtml({
      language,
      heading: words.title,
      seller: view.seller.name,
      footer,
      accentColor,
      body: renderToString(<Letter {...{ reminder, view, words, logo }} />),
    });
  }
}

interface LetterProps {
  reminder: Reminder;
  view: DocumentView;
  words: ReminderWords;
  logo: string | null;
}

function Letter({ reminder, view, words, logo }: LetterProps) {
  const paper = printed(view, true);
  const locale = Locale.of(view.language);
  const { texts } = locale;
  const { documents, currency, madeOn } = reminder;
  const money = (minor: bigint) => (
    <td class="figure">
      <bdi>{locale.money(Money.of(minor, currency))}</bdi>
    </td>
  );
  const fields = [{ name: texts.issueDate, value: locale.date(madeOn) }];
  const isOne = documents.length === 1;
  return (
    <>
      <header>
        <div>
          <h1>{words.title}</h1>
          {isOne && (
            <p class="number">
              <bdi>{paper.heading}</bdi>
            </p>
          )}
        </div>
        {logo && <img class="logo" src={logo} alt={view.seller.name} />}
      </header>
      <section class="fields">
        <Parties paper={{ ...paper, fields, shipTo: null, others: [] }} />
      </section>
      {words.sentences.map((sentence) => (
        <p class="block pre" key={sentence}>
          {sentence}
        </p>
      ))}
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">{texts.titles.invoice}</th>
            <th scope="col">{texts.dueDate}</th>
            <th scope="col" class="figure">
              {texts.dunning.daysLate}
            </th>
            <th scope="col" class="figure">
              {texts.amountDue}
            </th>
          </tr>
        </thead>
        <tbody>
          {documents.map(({ documentId, number, dueDate, asked }) => (
            <tr key={documentId}>
              <td>
                <bdi>{number}</bdi>
              </td>
              <td>{locale.date(dueDate)}</td>
              <td class="figure">{dueDate < madeOn ? daysBetween(dueDate, madeOn) : ''}</td>
              {money(asked)}
            </tr>
          ))}
        </tbody>
      </table>
      <table class="totals">
        <tbody>
          {words.rows.slice(documents.length).map(({ name, amount, isTotal }) => (
            <tr key={name} class={isTotal ? 'strong' : undefined}>
              <th scope="row">{name}</th>
              {money(amount)}
            </tr>
          ))}
        </tbody>
      </table>
      <PaymentSection
        paper={isOne ? paper : { ...paper, payment: withoutReferences(paper.payment) }}
        codes={codesFor(reminder, view)}
        class="payment"
      />
    </>
  );
}

/** A code pays one document: none where the letter asks for more than that. */
function codesFor(reminder: Reminder, view: DocumentView): ReturnType<typeof paymentCodesFor> {
  const [only, ...more] = reminder.documents;
  if (!only || more.length > 0 || chargedBy(reminder) > 0n) return [];
  return paymentCodesFor(view, Money.of(only.asked, reminder.currency));
}

/** Of several documents, none alone is paid. */
const withoutReferences = (payment: ReturnType<typeof printed>['payment']) =>
  payment && { ...payment, references: [] };

/** A plan of one step has no last one. */
const isLast = ({ isLast: last, lateStep }: Reminder) => last && lateStep > 1;

function titleOf(reminder: Reminder, { texts: { dunning } }: Locale): string {
  const { lateStep } = reminder;
  if (lateStep === 0) return dunning.soon;
  if (isLast(reminder)) return dunning.last;
  return lateStep > 1 ? dunning.another(String(lateStep)) : dunning.first;
}

const headingOf = ({ documents }: Reminder, { texts }: Locale): string =>
  `${texts.titles.invoice} ${documents.map(({ number }) => number).join(', ')}`;
