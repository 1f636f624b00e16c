import { renderToString } from 'preact-render-to-string';
import { Locale, paperHtml, Parties, payableOf, printed } from '../../documents/index.js';
import type { Money } from '../../kernel/money.js';
import type { PortalView } from '../application/portal-pages.service.js';

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
export function ReceiptParts({ view, payments, refunds, logo, timeZone }: PortalView) {
  const paper = printed(view);
  const { texts } = paper;
  const locale = Locale.of(view.language);
  const rows = [
    ...payments.map(({ paidAt, method, amount }) => ({
      at: paidAt,
      name: texts.payments.methods[method],
      amount,
    })),
    ...refunds.map(({ at, amount }) => ({ at, name: texts.refunded, amount: amount.negated() })),
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
          {rows.map(({ at, name, amount }, index) => (
            <tr key={index}>
              <td>{texts.payments.receivedOn(locale.instant(at, timeZone))}</td>
              <td>{name}</td>
              {money(amount)}
            </tr>
          ))}
        </tbody>
      </table>
      <table class="totals">
        <tbody>
          <tr>
            <th scope="row">{texts.total}</th>
            {money(view.total)}
          </tr>
          <tr>
            <th scope="row">{texts.amountDue}</th>
            {money(payableOf(view))}
          </tr>
          <tr class="strong">
            <th scope="row">{texts.paid}</th>
            {money(view.amountPaid.minus(view.amountRefunded))}
          </tr>
        </tbody>
      </table>
    </>
  );
}
