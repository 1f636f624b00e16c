import { renderToString } from 'preact-render-to-string';
import type { IsoDate } from '../../kernel/clock.js';
import type { DocumentView } from '../domain/document-view.js';
import { Locale } from '../domain/printing/formatting.js';
import { printed, type PrintedDocument } from '../domain/printing/printed-document.js';
import { Lines, Notes, Parties, PaymentSection, Totals } from './document-parts.js';
import { fontFacesFor } from './fonts.js';
import { SLIP_STYLE, SwissSlip } from './swiss-slip.js';
import { type PaymentCode, paymentCodesFor } from '../domain/printing/payment-codes.js';
import { PAPER_STYLE, pageFooter } from './pdf-style.js';

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

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
  const footer = `${shortened(view.seller.name)} · ${heading}`;
  const body = renderToString(
    <>
      <Paper {...{ paper, view, logo, mark, voided }} />
      <p class="footer-fonts" aria-hidden="true">
        {footer} {texts.page} {texts.pageOf}
      </p>
    </>,
  );
  const style = [
    fontFacesFor(body, paper.language),
    PAPER_STYLE,
    SLIP_STYLE,
    pageFooter(footer, texts),
  ];
  const page = renderToString(
    <html lang={paper.language} dir={Locale.of(view.language).direction}>
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
