import type { Gateway } from '../../payments/index.js';

/** Each method of a provider that keeps mandates, and why it cannot be left out. */
const METHODS: Record<string, string> = {
  setUp: 'asks a customer for a mandate, and answers with the page for it',
  lookUp: 'tells how a mandate stands, because events get lost',
  cancel: 'ends a mandate that its customer or its seller takes back',
  collect: 'debits a customer, once for a link id',
  find: 'finds the debit of a call whose answer was lost, so that it is not made twice',
};

/**
 * The methods that a gateway which keeps mandates has not, in words.
 * @param hasApi false: it has nobody to ask
 */
export function missingMandateMethods(
  { provider, directDebits, tellsCheckouts }: Gateway,
  hasApi = true,
): string[] {
  if (!directDebits) return [];
  const methods = directDebits as unknown as Record<string, unknown>;
  const missing = Object.entries(METHODS)
    .filter(([name]) => typeof methods[name] !== 'function')
    .map(([name, why]) => `${provider}: directDebits has no ${name}, which ${why}`);
  return tellsCheckouts || !hasApi
    ? missing
    : [
        ...missing,
        `${provider}: debits have to be looked up and canceled, so tellsCheckouts is true`,
      ];
}
