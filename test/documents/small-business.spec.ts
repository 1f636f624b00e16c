import { describe, expect, it } from 'vitest';
import { calculate } from '../../src/documents/domain/calculation/calculation.js';
import { taxedAsSaid } from '../../src/documents/domain/small-business.js';
import { aRequest } from './requests.js';

const groupsOf = (lines: Parameters<typeof taxedAsSaid>[0], country: string | null, small = true) =>
  calculate({
    ...aRequest(),
    lines: taxedAsSaid(lines, { small_business: small, country }),
  }).taxGroups.map((group) => [
    group.category,
    group.rate,
    group.exemptionCode,
    group.exemptionReason,
  ]);

const plain = { description: 'Work', quantity: '1', unitAmountMinor: 1000n };

describe('a small business', () => {
  it.each([
    ['DE', null, 'Steuerfrei für Kleinunternehmer, § 19 UStG'],
    ['FR', 'VATEX-FR-FRANCHISE', 'TVA non applicable, art. 293 B du CGI'],
    ['NL', null, 'Exempt as a small enterprise, Article 284 of Directive 2006/112/EC'],
  ])('of %s is exempt, and says by which law', (country, code, reason) => {
    expect(groupsOf([plain], country)).toEqual([['E', '0', code, reason]]);
  });

  it('keeps what a line says of tax', () => {
    expect(groupsOf([{ ...plain, taxRate: '19' }], 'DE')).toEqual([['S', '19', null, null]]);
    const own = { ...plain, exemptionReason: 'My words' };
    expect(groupsOf([own], 'DE')).toEqual([['E', '0', null, 'My words']]);
  });

  it('is not everybody', () => {
    expect(groupsOf([plain], 'DE', false)).toEqual([['Z', '0', null, null]]);
  });
});
