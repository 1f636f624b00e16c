import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import {
  documentTitle,
  type DocumentView,
  dueDateLabel,
  formatDate,
  formatInstant,
  formatMoney,
  formatPercent,
  formatQuantity,
  formatUnitAmount,
  type Party,
  partyLines,
  taxLabel,
} from '../../documents/index.js';
import type { PortalView } from '../application/portal-pages.service.js';
import { AcceptForm, RejectForm } from './portal-answer.js';
import { PORTAL_STYLE } from './portal-style.js';

interface PortalPageProps {
  view: DocumentView;
  pdfUrl: string;
  rejectUrl: string;
  canReject: boolean;
  /** Where the form of acceptance goes; null for what cannot be accepted. */
  acceptUrl: string | null;
  payLinks: { label: string; url: string }[];
  /** One sentence about what the reader has just done. */
  notice?: string;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sends the page, with the policy that lets it do nothing but show itself and send its form. */
export function sendPortalPage(
  response: Response,
  token: string,
  { view, payLinks }: PortalView,
  notice?: string,
): void {
  const html = portalPage({
    view,
    payLinks,
    notice,
    pdfUrl: `/v1/portal/documents/${token}/pdf`,
    rejectUrl: `/v1/portal/${token}/reject`,
    canReject: view.status === 'open',
    acceptUrl:
      view.kind === 'quote' && view.status === 'open' ? `/v1/portal/${token}/accept` : null,
  });
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.type('html').send(html);
}

/** What a client sees of a document: a whole page without script, all of its text escaped. */
function portalPage(props: PortalPageProps): string {
  const { view, notice } = props;
  const title = `${documentTitle(view.kind)} ${view.number ?? ''}`.trim();
  const page = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} from ${view.seller.name}`}</title>
        <style dangerouslySetInnerHTML={{ __html: PORTAL_STYLE }} />
      </head>
      <body>
        <main>
          {notice && (
            <p class="sheet notice" role="status">
              {notice}
            </p>
          )}
          <Summary {...props} title={title} />
          {view.rejection && <Rejection rejection={view.rejection} />}
          <Parties view={view} />
          <Lines view={view} />
          {view.notes && (
            <section class="sheet">
              <h2>Notes</h2>
              <p class="pre" dir="auto">
                {view.notes}
              </p>
            </section>
          )}
          {props.acceptUrl && <AcceptForm kind={title} acceptUrl={props.acceptUrl} />}
          {props.canReject && <RejectForm kind={title} rejectUrl={props.rejectUrl} />}
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>${page}`;
}

function Summary({ view, title, pdfUrl, payLinks }: PortalPageProps & { title: string }) {
  const state = stateOf(view);
  return (
    <section class="sheet">
      <header>
        <div>
          <p class="soft" dir="auto">
            {view.seller.name}
          </p>
          <h1>{title}</h1>
          <p class={`state ${state.tone}`}>{state.text}</p>
        </div>
        <Sums view={view} />
      </header>
      <p class="actions">
        {payLinks.filter(isWebLink).map(({ label, url }) => (
          <a key={url} class="button primary" href={url} rel="noreferrer">
            {label}
          </a>
        ))}
        <a class="button" href={pdfUrl}>
          View PDF
        </a>
      </p>
    </section>
  );
}

/** A quote asks for no money; everything else shows first what is still owed. */
function Sums({ view }: { view: DocumentView }) {
  const owed = isOwed(view);
  return (
    <div class="sums">
      <p class="soft">{owed ? 'Amount due' : 'Total'}</p>
      <p class="due">{formatMoney(owed ? view.amountDue : view.total)}</p>
      {owed && (
        <p class="soft">
          {formatMoney(view.total)} total, {formatMoney(view.amountPaid)} paid
        </p>
      )}
      {view.dueDate && (
        <p class="soft">
          {dueDateLabel(view.kind)} {formatDate(view.dueDate)}
        </p>
      )}
    </div>
  );
}

function Rejection({ rejection }: { rejection: NonNullable<DocumentView['rejection']> }) {
  return (
    <section class="sheet">
      <h2>Rejected on {formatInstant(rejection.at)}</h2>
      <p class="pre" dir="auto">
        {rejection.reason}
      </p>
    </section>
  );
}

function Parties({ view }: { view: DocumentView }) {
  return (
    <section class="sheet parties">
      <PartyBlock heading="From" party={view.seller} />
      <PartyBlock
        heading={view.kind === 'quote' ? 'Prepared for' : 'Bill to'}
        party={view.customer}
      />
      <dl>
        {view.issueDate && <Fact name="Issue date" value={formatDate(view.issueDate)} />}
        {view.dueDate && <Fact name={dueDateLabel(view.kind)} value={formatDate(view.dueDate)} />}
        {view.purchaseOrder && <Fact name="Purchase order" value={view.purchaseOrder} />}
      </dl>
    </section>
  );
}

function PartyBlock({ heading, party }: { heading: string; party: Party }) {
  return (
    <div>
      <h3>{heading}</h3>
      <address>
        <strong dir="auto">{party.name}</strong>
        {partyLines(party).map((line, index) => (
          <span key={index} dir="auto">
            {line}
          </span>
        ))}
      </address>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt class="soft">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Lines({ view }: { view: DocumentView }) {
  return (
    <section class="sheet">
      <h2>Items</h2>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">Description</th>
            {['Quantity', 'Unit price', 'Tax', 'Net amount'].map((name) => (
              <th key={name} scope="col" class="figure">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.lines.map((line) => (
            <tr key={line.position}>
              <td class="description" dir="auto">
                {line.description}
              </td>
              <Figure label="Quantity" value={formatQuantity(line.quantity)} />
              <Figure
                label="Unit price"
                value={formatUnitAmount(line.unitAmountDecimal, view.currency)}
              />
              <Figure label="Tax" value={formatPercent(line.taxRate)} />
              <Figure label="Net amount" value={formatMoney(line.net)} />
            </tr>
          ))}
        </tbody>
      </table>
      <Totals view={view} />
    </section>
  );
}

/** On a narrow screen the label stands before the value, in place of the table's header. */
function Figure({ label, value }: { label: string; value: string }) {
  return (
    <td class="figure" data-label={label}>
      <span>{value}</span>
    </td>
  );
}

function Totals({ view }: { view: DocumentView }) {
  const rows = [
    { name: 'Net total', value: view.netTotal },
    ...view.taxGroups.map((group) => ({
      name: `${taxLabel(group)} on ${formatMoney(group.base)}`,
      value: group.tax,
    })),
    { name: 'Total', value: view.total, strong: true },
    ...(isOwed(view)
      ? [
          { name: 'Paid', value: view.amountPaid },
          { name: 'Amount due', value: view.amountDue, strong: true },
        ]
      : []),
  ];
  return (
    <table class="totals">
      <tbody>
        {rows.map(({ name, value, ...row }) => (
          <tr key={name} class={'strong' in row ? 'strong' : undefined}>
            <th scope="row">{name}</th>
            <td class="figure">{formatMoney(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isOwed({ kind, status }: DocumentView): boolean {
  return kind === 'invoice' && ['open', 'partially_paid', 'paid'].includes(status);
}

function stateOf(view: DocumentView): { text: string; tone: 'good' | 'warn' | 'bad' | '' } {
  if (view.isOverdue && (view.status === 'open' || view.status === 'partially_paid')) {
    return { text: view.status === 'open' ? 'Overdue' : 'Overdue, partially paid', tone: 'bad' };
  }
  switch (view.status) {
    case 'draft':
      return { text: 'Draft', tone: '' };
    case 'open':
      return { text: 'Open', tone: '' };
    case 'partially_paid':
      return { text: 'Partially paid', tone: 'warn' };
    case 'paid':
      return { text: 'Paid', tone: 'good' };
    case 'accepted':
      return { text: 'Accepted', tone: 'good' };
    case 'expired':
      return { text: 'Expired', tone: 'bad' };
    case 'converted':
      return { text: 'Invoiced', tone: 'good' };
    case 'uncollectible':
      return { text: 'Open', tone: 'bad' };
    case 'applied':
      return { text: 'Applied', tone: 'good' };
    case 'rejected':
      return { text: 'Rejected', tone: 'bad' };
    case 'void':
      return { text: 'Void: nothing to pay', tone: 'bad' };
  }
}

/** Addresses come from a provider; a script in the place of one must not become a link. */
function isWebLink({ url }: { url: string }): boolean {
  return /^(https?:\/\/|\/)/i.test(url);
}
