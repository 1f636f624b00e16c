import { renderToString } from 'preact-render-to-string';
import type { DocumentView } from '../domain/document-view.js';
import { printed, type PrintedDocument } from '../domain/printing/printed-document.js';
import { Lines, Notes, Parties, PaymentSection, Totals } from './document-parts.js';
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
        <Parties paper={paper} />
      </section>
      <Lines paper={paper} />
      <Totals paper={paper} />
      {paper.cashDiscounts.map((sentence) => (
        <p key={sentence} class="terms">
          {sentence}
        </p>
      ))}
      <PaymentSection paper={paper} class="payment" />
      <Notes paper={paper} class="notes" />
    </>
  );
}
