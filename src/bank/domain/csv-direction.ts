import type { CsvHints, Direction } from './bank-statement.js';
import { headerName } from './csv-columns.js';

/** Words of European banks, apart from case, accents and punctuation. `A` is af and avere: no word. */
const WORDS: Readonly<Record<Direction, string>> = {
  credit:
    'c, cr, ct, crd, cred, cdt, crdt, credit, credits, k, kredit, kreedit, kreditas, kredits, h, haben, haber, ma, ' +
    '+, plus, in, incoming, inflow, inward, money in, paid in, deposit, eingang, zugang, gutschrift, bij, credito, ' +
    'avere, entrata, accredito, abono, ingreso, avoir, entree, recette, uznanie, wplyw, ' +
    'insattning, ind, inn, pano, jovairas, incasare, prichozi, кредит, πιστωση',
  debit:
    'd, dr, dt, db, deb, dbt, dbit, debit, debits, debet, deebet, debetas, debets, s, soll, debe, wn, ' +
    '-, minus, out, outgoing, outflow, outward, money out, paid out, withdrawal, ausgang, abgang, belastung, ' +
    'lastschrift, af, debito, dare, uscita, addebito, cargo, gasto, sortie, depense, obciazenie, ' +
    'wydatek, uttag, ud, ut, otto, terheles, plata, odchozi, дебит, дебет, χρεωση',
};

const MEANINGS = new Map<string, Direction>(
  (['credit', 'debit'] as const).flatMap((direction) =>
    WORDS[direction].split(', ').map((word): [string, Direction] => [word, direction]),
  ),
);

/** The name of a word for the direction: a sign stays one. */
const nameOf = (word: string) => headerName(word.replaceAll('\u2212', '-')).name;

export const isSameWord = (one: string, other: string): boolean => nameOf(one) === nameOf(other);

/** The direction that a bank's word says; undefined for a word that nobody told us. */
export function statedDirection(word: string, own?: CsvHints['words']): Direction | undefined {
  const name = nameOf(word);
  if (name === '') return undefined;
  const told = (['credit', 'debit'] as const).find((direction) =>
    own?.[direction].some((one) => nameOf(one) === name),
  );
  return told ?? MEANINGS.get(name);
}

/** A letter alone may be anything; a word that says the direction is meant so. */
export const isPlainDirection = (word: string): boolean =>
  word.trim().length > 1 && statedDirection(word) !== undefined;

/**
 * The direction that a word of several tells besides something else: `Direct Debit`, `ACH_CREDIT`,
 * `Transfer out`. Alone it proves nothing: a debit that somebody collects is a credit.
 */
export function directionWithin(word: string): Direction | undefined {
  const parts = headerName(word).name.split(/[ _]/);
  const found = parts.map((part, index) =>
    part.length > 2 || index === parts.length - 1 ? MEANINGS.get(part) : undefined,
  );
  const [only, ...others] = new Set(found.filter((one) => one !== undefined));
  return others.length === 0 ? only : undefined;
}
