import { renderToString } from 'preact-render-to-string';
import type { DocumentView, LineView } from '../domain/document-view.js';
import {
  documentTitle,
  dueDateLabel,
  formatDate,
  formatMoney,
  formatPercent,
  formatQuantity,
  formatUnitAmount,
  partyLines,
  taxLabel,
} from '../domain/formatting.js';
import type { Party } from '../domain/party.js';
import { fontFacesFor } from './fonts.js';
import { PAPER_STYLE, pageFooter } from './pdf-style.js';

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** The document as it was issued, as a page to print. Payments and a later void do not show. */
export function pdfHtml(view: DocumentView): string {
  const heading = `${documentTitle(view.kind)} ${view.number ?? '(draft)'}`;
  const body = renderToString(<Paper view={view} />);
  const footer = `${view.seller.name} · ${heading}`;
  const style = [fontFacesFor(body + footer), PAPER_STYLE, pageFooter(footer)];
  const page = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={CONTENT_POLICY} />
        <title>{heading}</title>
        <style dangerouslySetInnerHTML={{ __html: style.join('\n') }} />
      </head>
      <body dangerouslySetInnerHTML={{ __html: body }} />
    </html>,
  );
  return `<!doctype html>${page}`;
}

function Paper({ view }: { view: DocumentView }) {
  return (
    <>
      {view.status === 'draft' && (
        <p class="draft" aria-hidden="true">
          DRAFT
        </p>
      )}
      <header>
        <div>
          <h1>{documentTitle(view.kind)}</h1>
          <p class="number">{view.number ?? 'Draft, not issued'}</p>
        </div>
        <PartyBlock party={view.seller} />
      </header>
      <section class="facts">
        <div>
          <h2>{view.kind === 'quote' ? 'Prepared for' : 'Bill to'}</h2>
          <PartyBlock party={view.customer} />
        </div>
        <Facts view={view} />
      </section>
      <Lines view={view} />
      <Totals view={view} />
      {view.notes && (
        <section class="notes">
          <h2>Notes</h2>
          <p dir="auto">{view.notes}</p>
        </section>
      )}
    </>
  );
}

function PartyBlock({ party }: { party: Party }) {
  return (
    <address>
      <strong dir="auto">{party.name}</strong>
      {partyLines(party).map((line, index) => (
        <span key={index} dir="auto">
          {line}
        </span>
      ))}
    </address>
  );
}

function Facts({ view }: { view: DocumentView }) {
  return (
    <dl>
      {view.issueDate && <Fact name="Issue date" value={formatDate(view.issueDate)} />}
      {view.dueDate && <Fact name={dueDateLabel(view.kind)} value={formatDate(view.dueDate)} />}
      {view.purchaseOrder && <Fact name="Purchase order" value={view.purchaseOrder} />}
      <Fact name="Currency" value={view.currency} />
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Lines({ view }: { view: DocumentView }) {
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col" class="position">
            #
          </th>
          <th scope="col">Description</th>
          <th scope="col" class="figure">
            Quantity
          </th>
          <th scope="col" class="figure">
            Unit price
          </th>
          <th scope="col" class="figure">
            Tax
          </th>
          <th scope="col" class="figure">
            Net amount
          </th>
        </tr>
      </thead>
      <tbody>
        {view.lines.map((line) => (
          <Line key={line.position} line={line} currency={view.currency} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ line, currency }: { line: LineView; currency: string }) {
  return (
    <tr>
      <td class="position">{line.position}</td>
      <td class="description" dir="auto">
        {line.description}
      </td>
      <td class="figure">{formatQuantity(line.quantity)}</td>
      <td class="figure">{formatUnitAmount(line.unitAmountDecimal, currency)}</td>
      <td class="figure">{formatPercent(line.taxRate)}</td>
      <td class="figure">{formatMoney(line.net)}</td>
    </tr>
  );
}

function Totals({ view }: { view: DocumentView }) {
  return (
    <table class="totals">
      <tbody>
        <tr>
          <th scope="row">Net total</th>
          <td class="figure">{formatMoney(view.netTotal)}</td>
        </tr>
        {view.taxGroups.map((group) => (
          <tr key={`${group.category}/${group.rate}`}>
            <th scope="row">
              {taxLabel(group)} <small>on {formatMoney(group.base)}</small>
            </th>
            <td class="figure">{formatMoney(group.tax)}</td>
          </tr>
        ))}
        {view.taxGroups.length > 1 && (
          <tr>
            <th scope="row">Tax total</th>
            <td class="figure">{formatMoney(view.taxTotal)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td class="figure">{formatMoney(view.total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
