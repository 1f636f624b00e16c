import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DISPUTE_WORDS, disputeWord } from '../../src/gateways/dispute-words.js';
import { Money } from '../../src/kernel/money.js';
import { PROVIDER_NAMES } from './all-gateways.js';

const GATEWAYS = readFileSync('docs/gateways.md', 'utf8');
const [, SECTION = ''] = /^### Who has disputed money$(.*?)^## /ms.exec(GATEWAYS) ?? [];
const ROWS = [
  ...SECTION.matchAll(/^\| ([\w-]+) \| (`.+`) \| `(\w+)` \| (\w+) \| \[page\]\((.+)\) \|$/gm),
];

it('of every provider are in the table of docs/gateways.md, with their pages', () => {
  const told = ROWS.flatMap(([, provider, words = '', status, holder, page = '']) =>
    [...words.matchAll(/`([\w.]+)`/g)].map(([, word]) => [
      provider,
      word,
      status,
      holder,
      page.replace('https://', ''),
    ]),
  );
  const known = Object.entries(DISPUTE_WORDS).flatMap(([provider, { page, words }]) =>
    Object.entries(words).map(([word, [status, holder]]) => [provider, word, status, holder, page]),
  );
  expect(told.toSorted()).toEqual(known.toSorted());
  expect(Object.keys(DISPUTE_WORDS).toSorted()).toEqual(PROVIDER_NAMES.toSorted());
});

it('say what the provider holds, as far as they do', () => {
  const amount = Money.of(500n, 'EUR');
  const held = (...[provider, word]: Parameters<typeof disputeWord>) =>
    disputeWord(provider, word)?.withdrawnOf(amount)?.toString();
  expect(held('stripe', 'needs_response')).toBe('5.00 EUR');
  expect(held('razorpay', 'open')).toBe('0.00 EUR');
  expect(held('adyen', 'NOTIFICATION_OF_CHARGEBACK')).toBe('0.00 EUR');
  expect(held('adyen', 'SECOND_CHARGEBACK')).toBe('5.00 EUR');
  expect(disputeWord('adyen', 'PREARBITRATION_OPEN')?.withdrawnOf(amount)).toBeNull();
  expect(disputeWord('stripe', 'constructor')).toBeUndefined();
});
