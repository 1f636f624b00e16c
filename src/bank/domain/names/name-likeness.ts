/** Words that say what kind of company it is, not which. */
const LEGAL_FORMS = new Set(
  (
    'gmbh mbh ag kg ohg ug gbr ev eg kgaa se ltd limited plc llp llc inc corp corporation co ' +
    'company sa sas sarl srl spa bv nv oy ab as aps sp zoo z o und and the e k herr frau mr mrs dr'
  ).split(' '),
);

/** The words of a text, without accents and in small letters. */
export function wordsIn(text: string): string[] {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The words of a name that tell it from others. */
export function wordsOfName(name: string): string[] {
  return wordsIn(name).filter((word) => !LEGAL_FORMS.has(word));
}

/** Whether two names are of the same, but for order, legal form and a slip of the pen. */
export function isLike(one: string, other: string): boolean {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  const left = [...second];
  const common = first.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  // Dice's coefficient of the pairs of letters, at least four fifths.
  return common.length > 0 && common.length * 10 >= (first.length + second.length) * 4;
}

function pairsOf(name: string): string[] {
  return wordsOfName(name).flatMap((word) => {
    const padded = ` ${word.slice(0, 50)} `;
    return Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2));
  });
}
