import { FONT_FAMILIES } from './fonts.js';
import type { Texts } from '../../domain/texts/texts.js';

/** A4, quiet, black on white; the table's header returns on every page and no row is split. Letters are never spaced: Arabic and Devanagari join. */
export const PAPER_STYLE = `
:root { --accent: #1c2733; }
@page { size: A4; margin: 18mm 18mm 22mm; }
* { box-sizing: border-box; margin: 0; }
body { font: 400 9.5pt/1.5 ${FONT_FAMILIES}, sans-serif; color: #1c2733; overflow-wrap: anywhere; }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 12mm; }
header > div { flex: 1 1 0; min-width: 0; }
.logo { flex: none; max-width: 55mm; max-height: 20mm; object-fit: contain; }
h1 { font-size: 22pt; font-weight: 700; line-height: 1.15; color: var(--accent); }
h2 { break-after: avoid; font-size: 7.5pt; font-weight: 600; text-transform: uppercase; color: #5b6875;
  margin-bottom: 1mm; }
h2.own { font-size: 9.5pt; text-transform: none; color: var(--accent); }
.number { font-size: 11pt; margin-top: 1mm; }
.number, .relation { color: #5b6875; }
address { font-style: normal; }
address > * { display: block; }
address { color: #3d4a57; }
address strong { color: #1c2733; }
.fields { display: grid; grid-template-columns: 1fr 1fr 1.4fr; gap: 7mm; margin: 6mm 0 8mm;
  padding-top: 5mm; border-top: .6pt solid #d5dbe1; }
.fields > *, .party { min-width: 0; }
.party + .party { margin-top: 4mm; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 4mm; padding: .6mm 0; }
dt { color: #5b6875; flex: none; max-width: 50%; }
dd { font-weight: 600; text-align: end; min-width: 0; margin-inline-start: auto; }
.block { margin: 0 0 6mm; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th { text-align: start; font-weight: 600; vertical-align: top; }
td { vertical-align: top; }
.lines > thead th { font-size: 7.5pt; color: #5b6875; padding-block: 0 2mm; padding-inline: 4mm 0;
  vertical-align: bottom; border-bottom: .9pt solid var(--accent); }
.lines > tbody > tr > td { padding-block: 2.2mm; padding-inline: 4mm 0; border-bottom: .6pt solid #e3e7eb; }
.lines > * > tr > .position { padding-inline-start: 0; width: 7mm; color: #5b6875; white-space: nowrap;
  overflow-wrap: normal; }
.lines > * > tr > :first-child { padding-inline-start: 0; }
.lines > * > .carry > td { padding-block: 1.6mm; padding-inline: 4mm 0; font-weight: 600; white-space: nowrap; }
.lines > tbody > .carry > td:first-child { padding-inline-start: 0; }
.lines > tbody > .carry { break-before: avoid; }
.lines > tbody > .first { break-before: page; }
tfoot { display: table-footer-group; }
.pre { display: block; white-space: pre-wrap; }
.adjustment { display: block; font-size: 8pt; color: #5b6875; }
.figure { text-align: end !important; font-variant-numeric: tabular-nums; white-space: nowrap; }
.long { white-space: normal; min-width: 18mm; }
/* A total without a line is a page that nobody can check, and the way to pay alone is a sheet too many. */
.closing, .together { break-inside: avoid; }
.lines > .closing > tr:last-child > td { padding: 0; border: 0; }
.totals { width: 92mm; margin-block: 4mm 0; margin-inline: auto 0; break-inside: avoid; }
.totals th { font-weight: 400; color: #3d4a57; padding-block: .5mm; padding-inline: 0 4mm; }
.totals td { padding: .5mm 0; }
.totals small { font-size: 8pt; color: #5b6875; }
.strong th, .strong td { font-size: 12.5pt; font-weight: 700; color: #1c2733; padding-top: 1.5mm; }
tr + .strong th, tr + .strong td { border-top: .9pt solid var(--accent); }
.included th, .included td { font-size: 8.5pt; padding-top: .5mm; padding-bottom: .5mm; }
.included [scope=rowgroup] { font-weight: 600; padding-top: 1.5mm; }
.included + tbody tr:first-child > * { padding-top: 3mm; }
.payment { margin-top: 6mm; break-inside: avoid; }
.payment dl > div { padding: .2mm 0; }
.payment > div { display: grid; grid-template-columns: repeat(2, 1fr); gap: 3mm 10mm; }
.payment > div:has(.scan) { grid-template-columns: 3fr 2fr; grid-auto-flow: dense; row-gap: 0; }
.payment dl { padding-top: 1mm; border-top: .6pt solid #d5dbe1; break-inside: avoid; }
.payment > div:has(.scan) > dl { grid-column: 1; }
.payment > div:has(.scan) > .scan { grid-column: 2; grid-row: span 2; }
.scan { display: flex; gap: 4mm; align-items: center; break-inside: avoid; }
.payment .qr { width: 28mm; height: 28mm; flex: none; }
.scan p { font-size: 8pt; color: #5b6875; }
.payments td { padding: 2.2mm 4mm 2.2mm 0; border-bottom: .6pt solid #e3e7eb; }
.payments td:last-child { padding-inline-end: 0; }
.terms { margin: 4mm 0 0; }
.terms + .terms { margin-top: 1mm; }
.notes { margin-top: 9mm; }
.notes p { orphans: 3; widows: 3; }
/* A font that only the footer has would be loaded after it is printed. */
.footer-fonts { position: absolute; top: 0; font-size: 7.5pt; visibility: hidden; }
[class|='copy'] { margin-top: 1mm; font-size: 11pt; font-weight: 700; color: #a3261d; }
.copy-paid, .copy-invoiced { color: #1a6b3c; }
.mark { position: fixed; top: 100mm; left: 0; right: 0; text-align: center; font-size: 68pt;
  font-weight: 700; line-height: 1; text-transform: uppercase;
  color: #1c2733; opacity: .06; transform: rotate(-30deg); }
`;

/** Every page says whose document it is, and how many pages belong to it. */
export function pageFooter(lines: string[], { page, pageOf }: Texts): string {
  const look = `font: 400 7.5pt ${FONT_FAMILIES}, sans-serif; color: #5b6875; vertical-align: top;
    padding-top: 5mm; overflow-wrap: anywhere;`;
  const count = `${cssString(`${page} `)} counter(page) ${cssString(` ${pageOf} `)} counter(pages)`;
  return `@page {
  @bottom-left { content: ${lines.map(cssString).join(String.raw` '\a ' `)}; ${look} width: 78%; text-align: left; white-space: pre-wrap; }
  @bottom-right { content: ${count}; ${look} width: 22%; text-align: right; }
}`;
}

/** A quoted string in which no character can end the string or the style element. */
export function cssString(text: string): string {
  const escaped = [...text].map((character) =>
    /[\p{L}\p{N} ]/u.test(character) ? character : `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `'${escaped.join('')}'`;
}
