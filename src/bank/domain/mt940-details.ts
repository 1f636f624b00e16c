/** The details of an entry in field 86 of MT940. */
interface Mt940Details {
  /** The bank's word for what it is. */
  type: string | undefined;
  name: string | undefined;
  iban: string | undefined;
  remittance: string;
  endToEndId: string | undefined;
  /** Amounts, of an entry with charges in it. */
  original: string | undefined;
  charges: string | undefined;
  isReturn: boolean;
  returnReason: string | undefined;
}

/** A code of German banks, a sign of theirs, and its first subfield. */
const STRUCTURED = /^(\d{3})([^\d\s])(?=\d{2})/;
/** Of the German banks: a direct debit that came back. */
const RETURNED = new Set(['108', '109', '181', '184']);
/** A subfield is cut where it is full, in the middle of a word. */
const FULL = 27;
const SEPA = /\b(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC)\+/g;
const DUTCH = /\/(TRTP|EREF|MARF|CSID|CNTP|IBAN|BIC|NAME|REMI|ORDP|BENM|RTRN|PURP|ISDT)\//g;

/**
 * @param lines of field 86; the 65th character ends one, wherever it stands
 * @param supplement below field 61: `/OCMT/EUR119,00//CHGS/EUR3,00/`
 */
export function detailsOfMt940(lines: readonly string[], supplement: string): Mt940Details {
  const text = lines.join('');
  const [, code = '', sign = ''] = STRUCTURED.exec(text) ?? [];
  const read = code ? structured(text.slice(3), sign, code) : slashed(text, lines);
  const amountAfter = (word: string) =>
    /^[A-Z]{3}([\d,]{1,18})/.exec(supplement.split(`/${word}/`)[1] ?? '')?.[1];
  return {
    ...read,
    original: read.original ?? amountAfter('OCMT'),
    charges: read.charges ?? amountAfter('CHGS'),
  };
}

/** `166?00GUTSCHRIFT?20EREF+E2E-1?21SVWZ+INV-1?30BIC?31IBAN?32NAME`. */
function structured(text: string, sign: string, code: string): Mt940Details {
  const parts = new Map(text.split(sign).map((part) => [part.slice(0, 2), part.slice(2)]));
  const joined = (from: string, to: string) =>
    [...parts]
      .filter(([place]) => place >= from && place <= to)
      .reduce((all, [, part]) => all + part + (part.length < FULL ? ' ' : ''), '');
  const words = joined('20', '29') + joined('60', '63');
  const sepa = labelled(words, SEPA);
  const isReturn = RETURNED.has(code);
  return {
    type: parts.get('00'),
    name: joined('32', '33').trim() || sepa.get('ABWA'),
    iban: parts.get('31') ?? sepa.get('IBAN'),
    remittance: sepa.size > 0 ? (sepa.get('SVWZ') ?? sepa.get('') ?? '') : words,
    endToEndId: provided(sepa.get('EREF')),
    original: sepa.get('OAMT'),
    charges: sepa.get('COAM'),
    isReturn,
    returnReason: isReturn ? (parts.get('34') ?? parts.get('00')) : undefined,
  };
}

/** `/TRTP/SEPA OVERBOEKING/IBAN/NL../NAME/GLOBEX/REMI/INV-1/EREF/E2E-1`, or words of any kind. */
function slashed(text: string, lines: readonly string[]): Mt940Details {
  const dutch = labelled(text, DUTCH);
  const isDutch = dutch.size > 1;
  const [iban = '', , name] = (dutch.get('CNTP') ?? '').split('/');
  const said = (dutch.get('REMI') ?? '').replace(/^(USTD|STRD\/CUR)\/\//, '');
  return {
    type: dutch.get('TRTP'),
    name: dutch.get('NAME') ?? name,
    iban: dutch.get('IBAN') ?? iban,
    remittance: isDutch ? said : lines.join(' '),
    endToEndId: provided(dutch.get('EREF')),
    original: undefined,
    charges: undefined,
    isReturn: dutch.has('RTRN'),
    returnReason: dutch.get('RTRN'),
  };
}

/** The text behind each label; before the first, under ''. */
function labelled(text: string, labels: RegExp): Map<string, string> {
  const found = [...text.matchAll(labels)];
  const [first] = found;
  const parts = found.map((match, index): [string, string] => {
    const start = match.index + match[0].length;
    const part = text.slice(start, found[index + 1]?.index);
    return [match[1] ?? '', part.trim().replace(/\/$/, '')];
  });
  return first ? new Map([['', text.slice(0, first.index)], ...parts]) : new Map();
}

function provided(reference: string | undefined): string | undefined {
  return reference === 'NOTPROVIDED' ? undefined : reference;
}
