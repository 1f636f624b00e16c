import { headerName } from './csv-columns.js';

/** The meaning of the bank's word for the state of an entry. Only what is booked is money. */
export type StatedState = 'booked' | 'pending' | 'rejected';

/**
 * The words that banks write, apart from case, accents and punctuation. A word that may mean both,
 * such as `returned` or `refunded`, stands in no list: somebody has to say what it means.
 */
const WORDS: Record<StatedState, readonly string[]> = {
  booked: [
    'book',
    'booked',
    'cleared',
    'complete',
    'completed',
    'done',
    'executed',
    'final',
    'posted',
    'settled',
    'succeeded',
    'success',
    'successful',
    'abgeschlossen',
    'ausgefuehrt',
    'ausgefuhrt',
    'durchgefuhrt',
    'erfolgreich',
    'erledigt',
    'gebucht',
    'gebuchter umsatz',
    'umsatz gebucht',
    'verbucht',
    'comptabilise',
    'contabilizado',
    'geboekt',
    'verwerkt',
    'zaksiegowano',
  ],
  pending: [
    'active',
    'authorised',
    'authorized',
    'created',
    'futr',
    'held',
    'in process',
    'in progress',
    'info',
    'initiated',
    'on hold',
    'pdng',
    'pending',
    'processing',
    'reserved',
    'scheduled',
    'unclaimed',
    'uncleared',
    'waiting',
    'angekundigt',
    'ausstehend',
    'geplant',
    'in ausfuhrung',
    'in bearbeitung',
    'nicht gebucht',
    'noch nicht gebucht',
    'offen',
    'reserviert',
    'schwebend',
    'terminiert',
    'umsatz vorgemerkt',
    'vorgemerkt',
    'vorgemerkter umsatz',
    'vormerkung',
    'en attente',
    'in behandeling',
    'pendiente',
  ],
  rejected: [
    'aborted',
    'canceled',
    'cancelled',
    'declined',
    'denied',
    'error',
    'expired',
    'failed',
    'failure',
    'not executed',
    'refused',
    'rejected',
    'removed',
    'reverted',
    'unsuccessful',
    'void',
    'voided',
    'abgebrochen',
    'abgelaufen',
    'abgelehnt',
    'fehlerhaft',
    'fehlgeschlagen',
    'geloscht',
    'gestoppt',
    'nicht ausgefuhrt',
    'storniert',
    'storno',
    'umsatz storniert',
    'verworfen',
    'zuruckgewiesen',
    'annule',
    'cancelado',
    'geannuleerd',
    'geweigerd',
    'rechazado',
    'rejete',
  ],
};

const MEANINGS: Readonly<Record<string, StatedState>> = Object.fromEntries(
  (Object.keys(WORDS) as StatedState[]).flatMap((state) =>
    WORDS[state].map((word) => [word, state]),
  ),
);

/**
 * The meaning of a bank's word; undefined for one that nobody told us.
 * @param bookedStates words that the caller says mean `booked`
 * @param own words of this bank alone
 */
export function statedState(
  word: string,
  bookedStates: readonly string[],
  own: Readonly<Record<string, StatedState>> = {},
): StatedState | undefined {
  const { name } = headerName(word);
  if (name === '') return undefined;
  const isTold = bookedStates.some((told) => headerName(told).name === name);
  if (isTold) return 'booked';
  const known = Object.hasOwn(own, name) ? own : MEANINGS;
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

/** For the caller: what to do about a word that we do not know. */
export function unknownState(word: string): string {
  const said = word.trim() === '' ? 'the state is empty' : `the state "${word.slice(0, 40)}"`;
  const known = word.trim() === '' ? '' : ' is none that we know';
  return (
    `${said}${known}, so that nobody can tell whether the money moved; if it did, ` +
    'send booked_states with the words that mean so.'
  );
}
