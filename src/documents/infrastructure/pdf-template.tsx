import { renderToString } from 'preact-render-to-string';
import type { DocumentView } from '../domain/document-view.js';
import {
  type PrintedField,
  printed,
  type PrintedDocument,
} from '../domain/printing/printed-document.js';
import type { PrintedParty } from '../domain/printing/printed-party.js';
import type { TotalRow } from '../domain/printing/printed-totals.js';
import { fontFacesFor } from './fonts.js';
import { PAPER_STYLE, pageFooter } from './pdf-style.js';

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/**
 * The document as it was issued, as a page to print. Payments and a later void do not show.
 * @param logo the seller's, as a data URI
 */
export function pdfHtml(view: DocumentView, logo: string | null = null): string {
  const paper = printed(view);
  const { texts } = paper;
  const heading = view.number === null ? `${paper.title} (${texts.draft})` : paper.heading;
  const footer = `${shortened(view.seller.name)} · ${heading}`;
  const body = renderToString(<Paper paper={paper} view={view} logo={logo} />);
  const style = [
    fontFacesFor(body + footer + texts.page + texts.pageOf),
    PAPER_STYLE,
    pageFooter(footer, texts),
  ];
  const page = renderToString(
    <html lang={paper.language}>
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

/** The footer has one line. */
function shortened(name: string): string {
  const characters = [...name];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : name;
}

interface PaperProps {
  paper: PrintedDocument;
  view: DocumentView;
  logo: string | null;
}

function Paper({ paper, view, logo }: PaperProps) {
  const { texts } = paper;
  return (
    <>
      {view.status === 'draft' && (
        <p class="draft" aria-hidden="true">
          {texts.draft}
        </p>
      )}
      <header>
        <div>
          <h1>{paper.title}</h1>
          <p class="number">{view.number ?? texts.notIssued}</p>
          {paper.relation && <p class="relation">{paper.relation}</p>}
        </div>
        {logo && <img class="logo" src={logo} alt={view.seller.name} />}
      </header>
      <section class="fields">
        <PartyBlock party={paper.seller} />
        <div>
          <PartyBlock party={paper.buyer} />
          {paper.shipTo && <PartyBlock party={paper.shipTo} />}
        </div>
        <Fields fields={paper.fields} />
      </section>
      <Lines paper={paper} />
      <Totals paper={paper} />
      <Payment paper={paper} />
      {paper.notes && (
        <section class="notes">
          <h2>{texts.notes}</h2>
          <p dir="auto">{paper.notes}</p>
        </section>
      )}
    </>
  );
}

function PartyBlock({ party }: { party: PrintedParty }) {
  return (
    <div class="party">
      <h2>{party.heading}</h2>
      <address>
        {party.name && <strong dir="auto">{party.name}</strong>}
        {party.lines.map((line, index) => (
          <span key={index} dir="auto">
            {line}
          </span>
        ))}
      </address>
    </div>
  );
}

function Fields({ fields }: { fields: PrintedField[] }) {
  return (
    <dl>
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Lines({ paper: { columns, lines } }: { paper: PrintedDocument }) {
  const figures = [columns.quantity, columns.unitPrice, columns.tax, columns.amount];
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col" class="position">
            #
          </th>
          <th scope="col">{columns.description}</th>
          {figures.map((name) => (
            <th key={name} scope="col" class="figure">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.position}>
            <td class="position">{line.position}</td>
            <td>
              <span class="description" dir="auto">
                {line.description}
              </span>
              {line.adjustments.map(({ name, reason, amount }, index) => (
                <span key={index} class="adjustment">
                  {name}
                  {reason && <span dir="auto"> ·&nbsp;{reason}</span>}: {amount}
                </span>
              ))}
            </td>
            <td class="figure">{line.quantity}</td>
            <td class="figure">{line.unitPrice}</td>
            <td class="figure">{line.tax}</td>
            <td class="figure">{line.amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Totals({ paper: { totals } }: { paper: PrintedDocument }) {
  return (
    <table class="totals">
      {totals.parts.length > 0 && (
        <tbody>
          {totals.parts.map((row, index) => (
            <Total key={index} row={row} />
          ))}
        </tbody>
      )}
      <tbody class="total">
        <Total row={totals.total} />
      </tbody>
      {totals.included && (
        <tbody class="included">
          <tr>
            <th scope="rowgroup" colspan={2}>
              {totals.included.heading}
            </th>
          </tr>
          {totals.included.rows.map((row, index) => (
            <Total key={index} row={row} />
          ))}
        </tbody>
      )}
    </table>
  );
}

function Total({ row }: { row: TotalRow }) {
  return (
    <tr>
      <th scope="row">
        {row.name}
        {row.detail && <small> {row.detail}</small>}
        {row.reason && <small dir="auto"> ·&nbsp;{row.reason}</small>}
      </th>
      <td class="figure">{row.amount}</td>
    </tr>
  );
}

function Payment({ paper: { payment, texts } }: { paper: PrintedDocument }) {
  if (!payment) return null;
  return (
    <section class="payment">
      <h2>{texts.paymentDetails}</h2>
      <div>
        {payment.accounts.map((account, index) => (
          <Fields key={index} fields={account} />
        ))}
        {payment.references.length > 0 && <Fields fields={payment.references} />}
      </div>
    </section>
  );
}
