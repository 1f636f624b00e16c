import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { E_INVOICE_PROFILES } from '../../src/documents/domain/codes/e-invoice-profiles.js';
import { invoiceXml } from '../../src/einvoices/domain/writer.js';
import { Money } from '../../src/kernel/money.js';
import { type Way, wholeInvoice } from './whole-invoice.js';
import { type ReadElement, readXml } from './xml-reader.js';

/** Every text of a model; a day as both syntaxes have it. */
function textsIn(value: unknown): string[] {
  if (value instanceof Money) return [value.toDecimalString()];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function wordsOf({ text, attributes, children }: ReadElement): string[] {
  return [text, ...Object.values(attributes), ...children.flatMap(wordsOf)];
}

/** Words of the model that stand for something else in the XML. */
const NOT_SAID = new Set(['iban', 'other']);

/** The descriptions of attachments, in whose place France has a code (BR-FR-17). */
const CODED = new Set(['Time sheet', 'Terms']);

const WAYS: Way[] = ['transfer', 'card', 'debit'];
const CASES = E_INVOICE_PROFILES.flatMap((profile) => WAYS.map((way) => [profile, way] as const));

describe('every term of EN 16931', () => {
  it.each(CASES)('is in the XML of %s, paid by %s', (id, way) => {
    for (const typeCode of ['380', '381'] as const) {
      const invoice = wholeInvoice(way, typeCode);
      const profile = PROFILES[id];
      const words = wordsOf(readXml(invoiceXml(invoice, profile)));
      const said = new Set(words.map((word) => word.replaceAll(/[-\s]/g, '')));
      const notes = [...said].filter((word) => word.includes('#AAB#'));
      const isSaid = (plain: string) =>
        said.has(plain) || notes.some((note) => note.includes(plain));
      const missing = textsIn(invoice)
        .filter((text) => !NOT_SAID.has(text) && !isSaid(text.replaceAll(/[-\s]/g, '')))
        .filter((text) => !profile.codesAttachments || !CODED.has(text));
      expect(said.has('DOCUMENT_ANNEXE')).toBe(profile.codesAttachments);
      expect(missing).toEqual([]);
    }
  });
});
