import { renderToString } from 'preact-render-to-string';
import type { IsoDate } from '../../kernel/clock.js';
import type { DocumentView } from '../domain/document-view.js';
import { Locale } from '../domain/printing/formatting.js';
import { printed, type PrintedDocument } from '../domain/printing/printed-document.js';
import { Lines, Notes, Parties, PaymentSection, Totals } from './document-parts.js';
import { SwissSlip } from './swiss-slip.js';
import { type PaymentCode, paymentCodesFor } from '../domain/printing/payment-codes.js';
import { paperHtml } from './paper.js';

/** Additions to the document as it was issued. */
export interface PaperExtras {
  /** The seller's, as a data URI. */
  logo?: string | null;
  /** Marks each page of a document that is void. */
  voidedOn?: IsoDate | null;
}

/** The document as it was issued, as a page to print. Payments do not show, nor a later void unless asked. */
export function pdfHtml(
  view: DocumentView,
  { logo = null, voidedOn = null }: PaperExtras = {},
): string {
  const paper = printed(view);
  const { texts } = paper;
  const voided = voidedOn && texts.voidedOn(Locale.of(view.language).date(voidedOn));
  const mark = view.status === 'draft' ? texts.draft : voided && texts.status.void;
  const title = view.number === null ? `${paper.title} (${texts.draft})` : paper.heading;
  const heading = voided ? `${title} · ${voided}` : title;
  const body = renderToString(<Paper {...{ paper, view, logo, mark, voided }} />);
  return paperHtml({ language: paper.language, heading, seller: view.seller.name, body });
}

interface PaymentPart {
  paper: PrintedDocument;
  codes: (PaymentCode | null)[];
}

interface PaperProps {
  paper: PrintedDocument;
  view: DocumentView;
  logo: string | null;
  /** Across each page. */
  mark: string | null;
  voided: string | null;
}

function Paper({ paper, view, logo, mark, voided }: PaperProps) {
  const { texts } = paper;
  const codes = voided ? [] : paymentCodesFor(view, view.total);
  return (
    <>
      {mark && (
        <p class="mark" aria-hidden="true">
          {mark}
        </p>
      )}
      <header>
        <div>
          <h1>{paper.title}</h1>
          <p class="number">{view.number ?? texts.notIssued}</p>
          {voided && <p class="voided">{voided}</p>}
          {paper.relation && <p class="relation">{paper.relation}</p>}
        </div>
        {logo && <img class="logo" src={logo} alt={view.seller.name} />}
      </header>
      <section class="fields">
        <Parties paper={paper} />
      </section>
      <Lines paper={paper} />
      <Totals paper={paper} />
      {!voided && <HowToPay paper={paper} codes={codes.filter((code) => !isSwiss(code))} />}
      <Notes paper={paper} class="notes" />
      {codes.map((code) =>
        code && isSwiss(code) ? (
          <SwissSlip key={code.payload} code={code} language={paper.language} />
        ) : null,
      )}
    </>
  );
}

function isSwiss(code: PaymentCode | null): boolean {
  return code?.standard === 'swiss';
}

function HowToPay({ paper, codes }: PaymentPart) {
  return (
    <>
      {paper.cashDiscounts.map((sentence) => (
        <p key={sentence} class="terms">
          {sentence}
        </p>
      ))}
      <PaymentSection paper={paper} codes={codes} class="payment" />
    </>
  );
}
