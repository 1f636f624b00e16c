import type { ComponentChildren } from 'preact';
import type { LetterLayout } from '../../domain/printing/paper-layouts.js';
import type { PrintedDocument } from '../../domain/printing/printed-document.js';
import type { PrintedLetter } from '../../domain/printing/printed-letter.js';
import { FieldList, PartyBlock } from './document-parts.js';
import { addressLook } from './letter-style.js';

interface LetterheadProps {
  paper: PrintedDocument;
  letter: PrintedLetter;
  layout: LetterLayout;
  /** As a data URI. */
  logo: string | null;
}

/** The upper part of the first sheet: window, sender and block of information, each in its place. */
export function Letterhead({ paper, letter, layout, logo }: LetterheadProps) {
  return (
    <section class="letterhead">
      {logo && <img class="logo" src={logo} alt={paper.seller.name} />}
      <div class="window">
        <p class="return">
          <bdi>{letter.sender}</bdi>
        </p>
        <address style={addressLook(letter.recipient, layout)}>
          {letter.recipient.map((line, index) => (
            <p key={index}>
              <bdi>{line}</bdi>
            </p>
          ))}
        </address>
      </div>
      <div class="beside">
        <address>
          <p>
            <strong>
              <bdi>{paper.seller.name}</bdi>
            </strong>
          </p>
          {letter.head.map((line, index) => (
            <p key={index}>
              <bdi>{line}</bdi>
            </p>
          ))}
        </address>
        <FieldList fields={letter.fields} />
      </div>
    </section>
  );
}

interface SubjectProps {
  paper: PrintedDocument;
  letter: PrintedLetter;
  heading: ComponentChildren;
}

/** The subject and the first sentences, and beside them others who have a part in it. */
export function Subject({ paper, letter, heading }: SubjectProps) {
  const others = [...(paper.shipTo ? [paper.shipTo] : []), ...paper.others];
  return (
    <section class="subject">
      <div>
        {heading}
        {letter.opening.map((sentence) => (
          <p key={sentence} class="opening">
            {sentence}
          </p>
        ))}
      </div>
      {others.length > 0 && (
        <div class="others">
          {others.map((party) => (
            <PartyBlock key={party.heading} party={party} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Facts that laws want on papers, at the end. */
export function Particulars({ letter: { particulars } }: { letter: PrintedLetter }) {
  if (particulars.length === 0) return null;
  return (
    <p class="particulars">
      {particulars.map((line, index) => (
        <span key={index}>
          {index > 0 && ' · '}
          <bdi>{line}</bdi>
        </span>
      ))}
    </p>
  );
}
