import { renderToString } from 'preact-render-to-string';
import { Locale, paperHtml, Parties, payableOf, printed } from '../../documents/index.js';
import type { Money } from '../../kernel/money.js';
import type { PortalView } from '../application/portal-documents.js';

/** A receipt for all payments of a document so far, as a page to print. */
export function receiptHtml(portal: PortalView): string {
  const { language, texts, heading, footer, accentColor } = printed(portal.view);
  return paperHtml({
    language,
    heading: texts.payments.receiptFor(heading),
    seller: portal.view.seller.name,
    footer,
    accentColor,
    body: renderToString(<ReceiptParts {...portal} />),
  });
}

/** The same on paper and on the page: who paid whom, for what, when and how. */
export function ReceiptParts({ view, payments, credited, refunds, logo, timeZone }: PortalView) {
  const paper = printed(view);
  const { texts } = paper;
  const locale = Locale.of(view.language);
  const date = (at: Date) => locale.instant(at, timeZone);
  const rows = [
    ...payments.map((one) => ({
      on: texts.payments.receivedOn(date(one.paidAt)),
      name: texts.payments.methods[one.method],
      amount: one.amount.plus(one.credited),
    })),
    ...refunds.map(({ at, amount }) => ({
      on: date(at),
      name: texts.refunded,
      amount: amount.negated(),
    })),
  ];
  const { amountCredited, amountRefunded } = view;
  const totals = [
    { name: texts.total, amount: view.total },
    ...(amountCredited.isZero() ? [] : [{ name: texts.credited, amount: amountCredited }]),
    ...(amountRefunded.isZero() ? [] : [{ name: texts.refunded, amount: amountRefunded }]),
    ...(credited.isZero() ? [] : [{ name: texts.addedToCredit, amount: credited }]),
    { name: texts.amountDue, amount: payableOf(view) },
  ];
  const money = (amount: Money) => (
    <td class="figure">
      <bdi>{locale.money(amount)}</bdi>
    </td>
  );
  return (
    <>
      <header>
        <div>
          <h1>{texts.payments.receipt}</h1>
          <p class="number">
            <bdi>{paper.heading}</bdi>
          </p>
          {view.refundStatus !== 'none' && <p>{texts.refundStatus[view.refundStatus]}</p>}
        </div>
        {logo && <img class="logo" src={logo} alt={view.seller.name} />}
      </header>
      <section class="fields parties">
        <Parties paper={paper} />
      </section>
      <table class="payments">
        <tbody>
          {rows.map(({ on, name, amount }, index) => (
            <tr key={index}>
              <td>{on}</td>
              <td>{name}</td>
              {money(amount)}
            </tr>
          ))}
        </tbody>
      </table>
      <table class="totals">
        <tbody>
          {totals.map(({ name, amount }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {money(amount)}
            </tr>
          ))}
          <tr class="strong">
            <th scope="row">{texts.paid}</th>
            {money(view.amountPaid.plus(credited).minus(view.amountRefunded))}
          </tr>
        </tbody>
      </table>
    </>
  );
}
