import type { LetterLayout } from '../../domain/printing/paper-layouts.js';
import { FONT_FAMILIES } from './fonts.js';

/** The edges of the text, in millimetres from those of the paper. */
const LEFT = 25;
const RIGHT = 20;
/** The block of information may come nearer to the edge than the text. */
const PAGE_RIGHT = 10;
const FIRST_TOP = 12;
const BOTTOM = 20;
const LINE = 4.23;
const FONT_PT = 9.5;
const RETURN_LINE = 3.6;
const MARK = { left: 5, width: 5 };

/** Lines of an address are made smaller until they fit; less cannot be read. */
const SMALLEST = 0.65;
/** Of the mean letter to the size of its font. */
const LETTER_WIDTH = 0.56;
const MM_PER_PT = 25.4 / 72;

/** Size and height of lines with which an address keeps to the window. */
export function addressLook(lines: readonly string[], { address, above }: LetterLayout) {
  const room = address.height + above - RETURN_LINE;
  let share = 1;
  while (share > SMALLEST && heightOf(lines, address.width, share) > room) share -= 0.05;
  return { fontSize: `${FONT_PT * share}pt`, lineHeight: `${LINE * share}mm` };
}

function heightOf(lines: readonly string[], width: number, share: number): number {
  const inLine = width / (FONT_PT * share * MM_PER_PT * LETTER_WIDTH);
  const rows = lines.map((line) => Math.ceil(widthOf(line) / inLine));
  return rows.reduce((sum, count) => sum + count, 0) * LINE * share;
}

/** In letters; those of East Asia are twice as wide. */
function widthOf(line: string): number {
  return [...line].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2), 0);
}

const mm = (length: number) => `${Math.round(length * 100) / 100}mm`;

/** Rules of a letter, to stand after those of all papers. */
export function letterStyle(layout: LetterLayout, heading: string): string {
  const { address, above, information } = layout;
  const top = address.top - above;
  return `
@page { size: ${layout.paper}; margin: 22mm ${mm(PAGE_RIGHT)} ${mm(BOTTOM)} ${mm(LEFT)};
  @top-left { content: ${heading}; font: 600 8pt ${FONT_FAMILIES}, sans-serif; color: #5b6875;
    vertical-align: bottom; padding-bottom: 5mm; text-align: left; width: 100%; } }
@page :first { margin-top: ${mm(FIRST_TOP)}; @top-left { content: none; } ${marksOf(layout)} }
body { margin-right: ${mm(RIGHT - PAGE_RIGHT)}; font-size: 9pt; line-height: 1.4; }
.letterhead { position: relative; min-height: ${mm(layout.textTop - FIRST_TOP)};
  margin-right: ${mm(PAGE_RIGHT - RIGHT)}; }
.letterhead .logo { position: absolute; top: 0; left: ${mm(address.left - LEFT)};
  max-height: ${mm(Math.min(20, top - FIRST_TOP - 2))}; }
.window { position: absolute; top: ${mm(top - FIRST_TOP)}; left: ${mm(address.left - LEFT)};
  width: ${mm(address.width)}; height: ${mm(above + address.height)}; display: flex;
  flex-direction: column; justify-content: flex-end; }
.window address { flex: none; min-height: ${mm(address.height)}; color: #1c2733; }
.return { flex: none; height: ${mm(RETURN_LINE)}; font-size: 6.5pt; line-height: ${mm(RETURN_LINE - 0.6)};
  color: #5b6875; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.beside { width: ${mm(information.width)}; margin-left: ${mm(information.left - LEFT)};
  padding-bottom: 4mm; }
.beside address { min-height: ${mm(information.top - FIRST_TOP)}; padding-bottom: 2mm; font-size: 8pt;
  line-height: 1.3; }
.beside dl { font-size: 8.5pt; }
.beside dl > div { padding: .3mm 0; }
.letter h1, .letter .number { display: inline; margin-inline-end: 1.5mm; font-size: 13pt; font-weight: 700;
  color: var(--accent); }
.subject { display: flex; gap: 7mm; margin-bottom: 3mm; }
.subject > * { flex: 1 1 0; min-width: 0; }
.opening { margin-top: 1mm; }
:not(.opening) + .opening { margin-top: 2.5mm; }
.others { display: flex; gap: 7mm; font-size: 8.5pt; }
.others > * { flex: 1 1 0; }
.party + .party { margin-top: 0; }
.lines > tbody > tr > td { padding-block: 1.5mm; }
.request { font-weight: 600; }
.payment, .notes { margin-top: 5mm; }
.strong th, .strong td { font-size: 11pt; }
.particulars { margin-top: 5mm; padding-top: 1.5mm; border-top: .6pt solid #d5dbe1; font-size: 7.5pt;
  color: #5b6875; }
`;
}

/** Marks to fold and punch by: borders of the boxes that a page has in its left margin. */
function marksOf({ folds: [first = 0, second = 0], hole, paper }: LetterLayout): string {
  const look = `content: ''; width: ${mm(MARK.width)}; margin-right: ${mm(LEFT - MARK.left - MARK.width)};`;
  const line = '.4pt solid #9aa5b0;';
  const height = paper === 'A4' ? 297 : 279.4;
  const middle = (FIRST_TOP + height - BOTTOM) / 2;
  const holeMark =
    hole === null
      ? ''
      : `@left-middle { ${look} height: ${mm(2 * Math.abs(hole - middle))}; border-${hole < middle ? 'top' : 'bottom'}: ${line} }`;
  return `@left-top { ${look} height: ${mm(first - FIRST_TOP)}; border-bottom: ${line} }
  ${holeMark}
  @left-bottom { ${look} height: ${mm(height - BOTTOM - second)}; border-top: ${line} }`;
}
