import { renderToString } from 'preact-render-to-string';
import { AttachmentNames } from './attachment-names.js';
import type { DocumentView } from '../../domain/document-view.js';
import type { CopyMark } from '../../domain/printing/copy-mark.js';
import { printed, type PrintedDocument } from '../../domain/printing/printed-document.js';
import { Blocks, Notes, Parties, PaymentSection, Totals } from './document-parts.js';
import { Lines } from './lines-table.js';
import { SwissSlip } from './swiss-slip.js';
import { type PaymentCode, paymentCodesFor } from '../../domain/printing/payment-codes.js';
import { paperHtml } from './paper.js';

/** Additions to the document as it was issued. */
export interface PaperExtras {
  /** The seller's, as a data URI. */
  logo?: string | null;
  /** Of a copy that asks for nothing any more. */
  mark?: CopyMark | null;
  /** As `Lines` has it. */
  carry?: readonly number[] | 'room';
}

/** The document as it was issued, as a page to print. A mark alone tells of later steps. */
export function pdfHtml(
  view: DocumentView,
  { logo = null, mark = null, carry }: PaperExtras = {},
): string {
  const paper = printed(view);
  const { texts, language } = paper;
  const title = view.number === null ? `${paper.title} (${texts.draft})` : paper.heading;
  const heading = mark?.sentence ? `${title} · ${mark.sentence}` : title;
  const body = renderToString(<Paper {...{ paper, view, logo, mark, carry }} />);
  const { footer, accentColor } = paper;
  return paperHtml({ language, heading, seller: view.seller.name, footer, accentColor, body });
}

interface PaymentPart {
  paper: PrintedDocument;
  codes: (PaymentCode | null)[];
}

interface PaperProps {
  paper: PrintedDocument;
  view: DocumentView;
  logo: string | null;
  mark: CopyMark | null;
  carry: PaperExtras['carry'];
}

function Paper({ paper, view, logo, mark, carry }: PaperProps) {
  const { texts } = paper;
  const codes = mark ? [] : paymentCodesFor(view, view.total);
  return (
    <>
      {mark && (
        <p class="mark" aria-hidden="true">
          {mark.word}
        </p>
      )}
      <header>
        <div>
          <h1>{paper.title}</h1>
          <p class="number">{view.number ?? texts.notIssued}</p>
          {mark?.sentence && <p class={`copy${mark.suffix}`}>{mark.sentence}</p>}
          {paper.relation && <p class="relation">{paper.relation}</p>}
        </div>
        {logo && <img class="logo" src={logo} alt={view.seller.name} />}
      </header>
      <section class="fields">
        <Parties paper={paper} />
      </section>
      <Blocks paper={paper} place="before_lines" class="block" />
      <Lines paper={paper} closing={<Totals paper={paper} />} carry={carry} />
      {!mark && <Blocks paper={paper} place="after_totals" class="notes" />}
      {!mark && <HowToPay paper={paper} codes={codes.filter((code) => !isSwiss(code))} />}
      <Notes paper={paper} class="notes" />
      <AttachmentNames paper={paper} class="notes" />
      <Blocks paper={paper} place="end" class="notes" />
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
      {paper.terms.map((sentence) => (
        <p key={sentence} class="terms pre">
          {sentence}
        </p>
      ))}
      <PaymentSection paper={paper} codes={codes} class="payment" />
    </>
  );
}
