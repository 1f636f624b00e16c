import { tidyIban } from '../../kernel/tidy-text.js';
import { type Label, type Labels, labelled, slashedLabels, wordLabels } from './mt940-labels.js';

/** The details of an entry in its fields 86 of MT940. */
interface Mt940Details {
  /** The bank's word for what it is. */
  type: string | undefined;
  name: string | undefined;
  iban: string | undefined;
  remittance: string;
  structuredReference: string | undefined;
  endToEndId: string | undefined;
  /** Amounts, of an entry with charges in it. */
  original: string | undefined;
  charges: string | undefined;
  isReturn: boolean;
  returnReason: string | undefined;
  /** Labels that no rule took; their text is kept with the remittance. */
  unused: string[];
}

const NOTHING: Mt940Details = {
  type: undefined,
  name: undefined,
  iban: undefined,
  remittance: '',
  structuredReference: undefined,
  endToEndId: undefined,
  original: undefined,
  charges: undefined,
  isReturn: false,
  returnReason: undefined,
  unused: [],
};

/** A code of German banks, a sign of theirs, and its first subfield. */
const STRUCTURED = /^(\d{3})([?>~@#$%^&!|<=])(?=\d{2})/;
/** Of the German banks: a direct debit that came back. */
const RETURNED = new Set(['108', '109', '181', '184']);
/** A subfield is cut where it is full, in the middle of a word. */
const FULL = 27;
/** Stands between two subfields: no text has this character. */
const CUT = '\u{e000}';
/** A line of field 86 is full with 65 characters; its first one with its tag, or without. */
const FULL_LINE = { first: 61, other: 65 };
/** Lines with labels need no blank at their end, and lose it. */
const FULL_SLASHED_LINE = { first: 60, other: 60 };
/** `REK: NL..` stands in a line of its own. */
const OWN_LINE = /^[A-Z][A-Z. ]{1,16}:/;

const KNOWN_SEPA = new Set(
  'EREF KREF MREF BREF RREF CRED DEBT COAM OAMT SVWZ ABWA ABWE PURP IBAN BIC'.split(' '),
);
/** A label may be cut between two subfields. */
const SEPA = /\b[A-Z]\ue000?[A-Z]\ue000?[A-Z](?:\ue000?[A-Z])?\ue000?\+/g;
const KNOWN_PLACE = /^(?:00|10|2\d|3[0-48]|6[0-3])$/;

/**
 * @param fields the lines of each field 86 of the entry
 * @param supplement below field 61: `/OCMT/EUR119,00//CHGS/EUR3,00/`, `/TRCD/00100/`
 */
export function detailsOfMt940(fields: readonly string[][], supplement: string): Mt940Details {
  const wrapped = fields
    .map((lines) => lines.join(''))
    .join(' ')
    .trimStart();
  const [, code = '', sign = ''] = STRUCTURED.exec(wrapped) ?? [];
  const text = fields.map(unwrapped).join(' ');
  const read = code
    ? structured(wrapped.slice(3), sign, code)
    : (slashed(text) ?? worded(text) ?? plain(text));
  const amountAfter = (word: string) =>
    /^[A-Z]{3}([\d,]{1,18})/.exec(supplement.split(`/${word}/`)[1] ?? '')?.[1];
  const all: Mt940Details = { ...NOTHING, ...read };
  return {
    ...all,
    type: all.type ?? /\/TRCD\/([^/]{1,20})/.exec(supplement)?.[1],
    original: all.original ?? amountAfter('OCMT'),
    charges: all.charges ?? amountAfter('CHGS'),
  };
}

/** A word goes on in the next line only where its line is full, or in the middle of a label. */
function unwrapped(lines: readonly string[]): string {
  const full = lines[0]?.startsWith('/') ? FULL_SLASHED_LINE : FULL_LINE;
  return lines.reduce((text, line, index) => {
    if (index === 0) return line;
    const before = lines[index - 1] ?? '';
    const isFull = before.length >= (index === 1 ? full.first : full.other);
    const isLabel = /\/[A-Z]{0,4}$/.test(before) && /^[A-Z]{0,4}\//.test(line);
    const goesOn = (isFull && !OWN_LINE.test(line)) || isLabel;
    return text + (goesOn ? '' : ' ') + line;
  }, '');
}

/** `166?00GUTSCHRIFT?20EREF+E2E-1?21SVWZ+INV-1?30BIC?31IBAN?32NAME`. */
function structured(text: string, sign: string, code: string): Partial<Mt940Details> {
  const parts = subfieldsIn(text, sign);
  const joined = (from: string, to: string) =>
    parts
      .filter(({ place }) => place >= from && place <= to)
      .reduce((all, { part }) => all + CUT + part + (part.length < FULL ? ' ' : ''), '');
  const place = (wanted: string) => parts.find((one) => one.place === wanted)?.part;
  const words = joined('20', '29') + joined('60', '63');
  const sepa = labelled(words, labelsOfSepa(words));
  const isReturn = RETURNED.has(code);
  const strange = [...sepa.keys()].filter((label) => !KNOWN_SEPA.has(label));
  const whole = sepa.size > 0 ? [sepa.get(''), sepa.get('SVWZ')] : [words];
  const kept = [
    ...strange.filter((label) => label !== '').map((label) => `${label}+${sepa.get(label)}`),
    ...parts
      .filter((one) => !KNOWN_PLACE.test(one.place))
      .map((one) => sign + one.place + one.part),
  ];
  const said = [...whole, ...kept].join(' ').replaceAll(CUT, '');
  const told = (label: string) => sepa.get(label)?.replaceAll(CUT, '').trim();
  return {
    type: place('00'),
    name: joined('32', '33').replaceAll(CUT, '').trim() || told('ABWA'),
    iban: tidyIban(place('31')) ?? place('38') ?? told('IBAN') ?? ibanIn(parts),
    remittance: said.trim(),
    endToEndId: told('EREF'),
    original: told('OAMT'),
    charges: told('COAM'),
    isReturn,
    returnReason: isReturn ? (place('34') ?? place('00')) : undefined,
    unused: kept.map((text) => /^(?:[A-Z]{4}\+|.\d\d)/.exec(text)?.[0] ?? text),
  };
}

/** A subfield begins with a place of two digits; a text may have the sign, too. */
function subfieldsIn(text: string, sign: string): { place: string; part: string }[] {
  const parts: { place: string; part: string }[] = [];
  for (const part of text.split(sign).slice(1)) {
    const last = parts.at(-1);
    if (/^\d\d/.test(part) || !last) parts.push({ place: part.slice(0, 2), part: part.slice(2) });
    else last.part += sign + part;
  }
  return parts;
}

/** Triodos: `>20RABONL2U>21NL12RABO0888888888>22TEXT`. */
function ibanIn(parts: readonly { place: string; part: string }[]): string | undefined {
  const [bic, iban] = ['20', '21'].map((wanted) => parts.find(({ place }) => place === wanted));
  const isBic = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic?.part.trim() ?? '');
  return isBic ? iban?.part : undefined;
}

/** Those that are not known are labels only where a subfield begins. */
function labelsOfSepa(words: string): Label[] {
  return [...words.matchAll(SEPA)].flatMap((match) => {
    const name = match[0].replace(/[^A-Z]/g, '');
    const isFirst = words
      .slice(Math.max(0, match.index - 2), match.index)
      .trimEnd()
      .endsWith(CUT);
    const isLabel = KNOWN_SEPA.has(name) || (isFirst && name.length === 4);
    return isLabel ? [{ name, start: match.index, end: match.index + match[0].length }] : [];
  });
}

/** `/TRTP/SEPA OVERBOEKING/IBAN/NL../NAME/GLOBEX/REMI/INV-1/EREF/E2E-1`. */
function slashed(text: string): Partial<Mt940Details> | undefined {
  const { found, strange } = slashedLabels(text);
  if (found.length === 0) return undefined;
  const labels = labelled(text, found);
  const [iban = '', , name] = (labels.get('CNTP') ?? '').split('/');
  const said = (labels.get('REMI') ?? '').replace(/^(?:USTD\/\/|STRD\/+(?:CUR|ISO)?\/*)/, '');
  const kept = strange.map((label) => `/${label}/${labels.get(label)}`);
  return {
    type: labels.get('TRTP'),
    name: labels.get('NAME') ?? name,
    iban: labels.get('IBAN') ?? iban,
    remittance: [labels.get('') ?? '', said, ...kept].join(' ').trim(),
    structuredReference: labels.get('CDTRREF'),
    endToEndId: labels.get('EREF'),
    isReturn: labels.has('RTRN'),
    returnReason: labels.get('RTRN'),
    unused: strange.map((label) => `/${label}/`),
  };
}

/** Words of the bank before the first label; others are the payer's. */
const OF_BANK = /^(?:SEPA |GIRO AUS |\d{3} TRANSAKCJA)/;

/** `SEPA OVERBOEKING IBAN: NL.. NAAM: GLOBEX OMSCHRIJVING: INV-1`. */
function worded(text: string): Partial<Mt940Details> | undefined {
  const found = wordLabels(text);
  if (!found.some(({ name }) => name === 'name')) return undefined;
  const labels: Labels = labelled(text, found);
  const head = labels.get('') ?? '';
  const isType = OF_BANK.test(head);
  return {
    type: isType ? head : undefined,
    name: labels.get('name'),
    iban: ibanOf(labels.get('iban')),
    remittance: `${isType ? '' : head} ${labels.get('remittance') ?? ''}`.trim(),
    endToEndId: labels.get('endToEndId'),
  };
}

/** Polish banks leave out the country of an account. */
function ibanOf(text: string | undefined): string | undefined {
  const bare = text?.replace(/\s/g, '') ?? '';
  return /^\d{26}$/.test(bare) ? `PL${bare}` : text;
}

/** ING begins with account and bank of the other side; the rest is text. */
const ACCOUNT_FIRST = /^([A-Z]{2}\d{2}[A-Z0-9]{8,30}) (?:[A-Z]{6}[A-Z0-9]{2,5} )?/;

function plain(text: string): Partial<Mt940Details> {
  return { remittance: text, iban: ACCOUNT_FIRST.exec(text)?.[1] };
}
