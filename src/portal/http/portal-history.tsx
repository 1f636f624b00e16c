import type { Money } from '../../kernel/money.js';
import { portalUrl } from './portal-language.js';
import type { PageProps } from './portal-props.js';

/** The payments so far, and the way to the receipt. */
export function PaymentsSoFar(props: PageProps) {
  const { token, asked, payments, refunds, paper, locale, timeZone } = props;
  const { texts } = paper;
  if (payments.length === 0) return null;
  const row = (at: Date, name: string, amount: Money) => (
    <tr key={`${at.toISOString()} ${name}`}>
      <td>{locale.instant(at, timeZone)}</td>
      <td>{name}</td>
      <td class="figure">
        <bdi>{locale.money(amount)}</bdi>
      </td>
    </tr>
  );
  return (
    <section class="sheet">
      <h2>{texts.payments.heading}</h2>
      <table class="payments">
        <tbody>
          {payments.map(({ paidAt, method, amount, credited }) =>
            row(paidAt, texts.payments.methods[method], amount.plus(credited)),
          )}
          {refunds.map(({ at, amount }) => row(at, texts.refunded, amount.negated()))}
        </tbody>
      </table>
      <div class="actions">
        <a class="button" href={portalUrl(token, '/receipt', asked)}>
          {texts.payments.receipt}
        </a>
      </div>
    </section>
  );
}

/** Everything that the client knows to have happened, in order. */
export function Timeline(props: PageProps) {
  const { view, viewedAt, payments, refunds, paper, locale, timeZone } = props;
  const { timeline, rejectedOn, voidedOn } = paper.texts;
  const { issued, accepted, rejected, voided } = view.transitions;
  const on = (at: Date) => locale.instant(at, timeZone);
  const by = view.acceptedBy;
  const past: { at: Date | null; text: (date: string) => string }[] = [
    { at: issued, text: timeline.issued },
    { at: viewedAt, text: timeline.viewed },
    {
      at: accepted,
      text: (date) => (by === null ? timeline.accepted(date) : timeline.acceptedBy(by, date)),
    },
    { at: rejected, text: rejectedOn },
    ...payments.map(({ paidAt: at, amount, credited }) => ({
      at,
      text: (date: string) => timeline.paid(locale.money(amount.plus(credited)), date),
    })),
    ...refunds.map(({ at, amount }) => ({
      at,
      text: (date: string) => timeline.refunded(locale.money(amount), date),
    })),
    { at: voided, text: voidedOn },
  ];
  const happened = past
    .flatMap(({ at, text }) => (at ? [{ at, text: text(on(at)) }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  if (happened.length === 0) return null;
  return (
    <section class="sheet">
      <h2>{timeline.heading}</h2>
      <ol class="timeline">
        {happened.map(({ at, text }, index) => (
          <li key={index}>
            <time dateTime={at.toISOString()}>{text}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Ways to ask the seller something. */
export function Contact({ view: { seller }, paper: { texts, heading } }: PageProps) {
  const { email, phone } = seller;
  if (email === null && phone === null) return null;
  return (
    <section class="sheet">
      <h2>{texts.contact.heading}</h2>
      <div class="actions">
        {email && (
          <a
            class="button"
            href={`mailto:${address(email)}?subject=${encodeURIComponent(heading)}`}
          >
            {texts.contact.write(seller.name)}
          </a>
        )}
        {phone && (
          <a class="button" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
            {texts.contact.call(seller.name)}
          </a>
        )}
      </div>
    </section>
  );
}

/** RFC 6068: an address with nothing in it that starts another part of the link. */
function address(email: string): string {
  return email.replace(/[^\w.+@-]/g, encodeURIComponent);
}
