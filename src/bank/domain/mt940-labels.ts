/** A label in a text: where it begins, and where its own text does. */
export interface Label {
  name: string;
  start: number;
  end: number;
}

/** The text behind each label; before the first, under ''. One that comes twice has both. */
export type Labels = Map<string, string>;

export function labelled(text: string, labels: readonly Label[]): Labels {
  const parts = new Map<string, string[]>();
  const [first] = labels;
  if (first && first.start > 0) parts.set('', [text.slice(0, first.start).trim()]);
  for (const [index, { name, end }] of labels.entries()) {
    const part = text
      .slice(end, labels[index + 1]?.start)
      .trim()
      .replace(/[/;]$/, '')
      .trim();
    const all = parts.get(name);
    if (!all) parts.set(name, [part]);
    else if (part !== '') all.push(part);
  }
  return new Map([...parts].map(([name, all]) => [name, all.join(' ').trim()]));
}

/** Those whose text is taken, and those that say nothing of a payment. */
const TAKEN = 'TRTP EREF CNTP IBAN NAME REMI RTRN CDTRREF';
const PASSED =
  'KREF MARF CSID BIC ORDP BENM ADDR ID PURP ISDT TRCD SUM ULTB ULTD ISSR CD CDTRREFTP';
const KNOWN = new Set(`${TAKEN} ${PASSED}`.split(' '));
/** A payer's own words may have these. */
const NEVER_IN_WORDS = new Set(['ID', 'SUM', 'ISSR', 'CD']);
const SLASHED = /\/([A-Z]{2,9})\//g;

/** Labels of Dutch banks, and others of four letters, as SWIFT has them, outside of the words. */
export function slashedLabels(text: string): { found: Label[]; strange: string[] } {
  const found: Label[] = [];
  const strange = new Set<string>();
  let hasWords = false;
  SLASHED.lastIndex = 0;
  for (let match = SLASHED.exec(text); match; match = SLASHED.exec(text)) {
    const [{ length }, name = ''] = match;
    // The slash behind one may begin the next.
    SLASHED.lastIndex = match.index + length - 1;
    const last = found.at(-1);
    hasWords ||= last?.name === 'REMI' && text.slice(last.end, match.index).trim() !== '';
    const isKnown = KNOWN.has(name) && !(hasWords && NEVER_IN_WORDS.has(name));
    // `/PURP/OTHR/`: the value of the label before.
    const isValue = last !== undefined && match.index < last.end;
    if (!isKnown && (!last || hasWords || isValue || name.length !== 4)) {
      hasWords ||= last?.name === 'REMI';
      continue;
    }
    if (!isKnown) strange.add(name);
    found.push({ name, start: match.index, end: match.index + length });
    hasWords = false;
  }
  return { found, strange: [...strange] };
}

/** Words of banks with a colon, by what stands behind them. */
const WORDS =
  /(?<![A-Z])(?:(NAAM|AUFTRAGGEBER|OD)|(IBAN|REK|Z RACH\.|NA RACH\.)|(ID DEBITEUR|ID IPH|OMSCHRIJVING|BETALINGSKENM\.|BETALINGSKENMERK|MITTEILUNGEN|TYT\.)|(KENMERK)|BIC|MACHTIGING|INCASSANT|TNR):/g;
const NAMES = ['name', 'iban', 'remittance', 'endToEndId'];

export function wordLabels(text: string): Label[] {
  return [...text.matchAll(WORDS)].map((match) => ({
    name: NAMES.find((_, index) => match[index + 1] !== undefined) ?? 'other',
    start: match.index,
    end: match.index + match[0].length,
  }));
}
