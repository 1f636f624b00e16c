import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PREFIX_OF_FACT } from '../../src/books/domain/transfer.js';

// A new fact of the ledger says in docs/books.md what it books, and for which day it counts.

const PAGE = readFileSync(new URL('../../docs/books.md', import.meta.url), 'utf8');

/** The first cells of the rows of a section. */
function factsIn(heading: string): string[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| (`[a-z_]+\.[^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, fact = '']) => fact),
  );
}

describe.each(['Dates', 'Entries'])('the table of %s in docs/books.md', (heading) => {
  it('has each fact of the ledger once', () => {
    expect(factsIn(heading).sort()).toEqual(Object.keys(PREFIX_OF_FACT).sort());
  });
});
