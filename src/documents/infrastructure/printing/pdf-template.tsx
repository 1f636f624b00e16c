import { renderToString } from 'preact-render-to-string';
import { AttachmentNames } from './attachment-names.js';
import { type DocumentView, dueAtIssue } from '../../domain/document-view.js';
import type { CopyMark } from '../../domain/printing/copy-mark.js';
import { printed, type PrintedDocument } from '../../domain/printing/printed-document.js';
import { letterLayoutOf } from '../../domain/printing/paper-layouts.js';
import { type PrintedLetter, printedLetter } from '../../domain/printing/printed-letter.js';
import { Blocks, Notes, Parties, PaymentSection, Totals } from './document-parts.js';
import { Lines } from './lines-table.js';
import { Letterhead, Particulars, Subject } from './letter.js';
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
  const layout = letterLayoutOf(view.seller);
  const letter = layout && { layout, subject: title };
  const seller = view.seller.name;
  return paperHtml({ language, heading, seller, footer, accentColor, body, letter });
}

interface PaperProps {
  paper: PrintedDocument;
  view: DocumentView;
  logo: string | null;
  mark: CopyMark | null;
  carry: PaperExtras['carry'];
}

function Paper({ paper, view, logo, mark, carry }: PaperProps) {
  const codes = mark ? [] : paymentCodesFor(view, dueAtIssue(view));
  const layout = letterLayoutOf(view.seller);
  const letter = layout && printedLetter(view, paper);
  return (
    <>
      {mark && (
        <p class="mark" aria-hidden="true">
          {mark.word}
        </p>
      )}
      {letter ? (
        <>
          <Letterhead {...{ paper, letter, layout, logo }} />
          <Subject {...{ paper, letter, heading: <Heading {...{ paper, view, mark }} /> }} />
        </>
      ) : (
        <Head {...{ paper, view, mark, logo }} />
      )}
      <Blocks paper={paper} place="before_lines" class="block" />
      <Sums {...{ paper, letter, mark, carry, codes: codes.filter((code) => !isSwiss(code)) }} />
      {codes.map((code) =>
        code && isSwiss(code) ? (
          <SwissSlip key={code.payload} code={code} language={paper.language} />
        ) : null,
      )}
    </>
  );
}

interface SumsProps extends Pick<PaperProps, 'paper' | 'mark' | 'carry'> {
  letter: PrintedLetter | null;
  codes: readonly (PaymentCode | null)[];
}

/**
 * Lines, totals and all below. It is put into groups that no sheet parts, so that the last sheet
 * has never the way to pay alone, nor the particulars.
 */
function Sums({ paper, letter, mark, carry, codes }: SumsProps) {
  const { notes, attachments, blocks } = paper;
  const hasWords = !mark && blocks.some(({ place }) => place === 'after_totals');
  const hasEnd =
    notes.length + attachments.length > 0 || blocks.some(({ place }) => place === 'end');
  const howToPay = mark ? null : <HowToPay {...{ paper, letter, codes }} />;
  const particulars = letter && <Particulars letter={letter} />;
  const closing = (
    <>
      <Totals paper={paper} settled={paper.prepaid} />
      {!hasWords && howToPay}
      {!hasWords && !hasEnd && particulars}
    </>
  );
  return (
    <>
      <Lines paper={paper} closing={closing} carry={carry} />
      {hasWords && (
        <div class="together">
          <Blocks paper={paper} place="after_totals" class="notes" />
          {howToPay}
          {!hasEnd && particulars}
        </div>
      )}
      {hasEnd && (
        <div class={particulars ? 'together' : undefined}>
          <Notes paper={paper} class="notes" />
          <AttachmentNames paper={paper} class="notes" />
          <Blocks paper={paper} place="end" class="notes" />
          {particulars}
        </div>
      )}
    </>
  );
}

function Head({ paper, view, mark, logo }: Omit<PaperProps, 'carry'>) {
  return (
    <>
      <header>
        <Heading {...{ paper, view, mark }} />
        {logo && <img class="logo" src={logo} alt={view.seller.name} />}
      </header>
      <section class="fields">
        <Parties paper={paper} />
      </section>
    </>
  );
}

function Heading({ paper, view, mark }: Pick<PaperProps, 'paper' | 'view' | 'mark'>) {
  return (
    <div>
      <h1>{paper.title}</h1>
      <p class="number">{view.number ?? paper.texts.notIssued}</p>
      {mark?.sentence && <p class={`copy${mark.suffix}`}>{mark.sentence}</p>}
      {paper.relation && <p class="relation">{paper.relation}</p>}
    </div>
  );
}

function isSwiss(code: PaymentCode | null): boolean {
  return code?.standard === 'swiss';
}

function HowToPay({ paper, letter, codes }: Pick<SumsProps, 'paper' | 'letter' | 'codes'>) {
  return (
    <>
      {letter?.request && <p class="terms request">{letter.request}</p>}
      {paper.terms.map((sentence) => (
        <p key={sentence} class="terms pre">
          {sentence}
        </p>
      ))}
      <PaymentSection paper={paper} codes={codes} class="payment" />
    </>
  );
}
