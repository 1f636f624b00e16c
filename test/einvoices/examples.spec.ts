import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { differences } from './contents.js';
import { EXAMPLES, exampleXml } from './examples.js';
import { readXml } from './xml-reader.js';

const FOLDER = new URL('../../docs/e-invoices/', import.meta.url);

describe('the examples of the documentation', () => {
  it.each(EXAMPLES.map((example) => [example.name, example] as const))(
    '%s has these bytes: npm run einvoices:examples writes them',
    (name, example) => {
      const xml = readFileSync(new URL(`${name}.xml`, FOLDER), 'utf8');
      expect(exampleXml(example)).toBe(xml);
      expect(differences(example.view, readXml(xml), PROFILES[example.profile])).toEqual([]);
    },
  );

  it('are these files', () => {
    const xml = EXAMPLES.map(({ name }) => `${name}.xml`);
    const pdf = EXAMPLES.filter(({ profile }) => profile === 'factur-x');
    const names = [...xml, ...pdf.map(({ name }) => `${name}.pdf`)];
    expect(readdirSync(FOLDER).toSorted()).toEqual(names.toSorted());
  });
});
