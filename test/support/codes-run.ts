import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// npm run codes -- ../eInvoicing-EN16931            the codes that differ from the published ones
// npm run codes -- ../eInvoicing-EN16931 --write    takes them over
// The folder is a checkout of github.com/ConnectingEurope/eInvoicing-EN16931.

type Lists = Record<string, string>;

const FILE = fileURLToPath(new URL('../../src/documents/domain/codes/codes.json', import.meta.url));
const UBL = 'ubl/schematron/codelist/EN16931-UBL-codes.sch';
const CII = 'cii/schematron/codelist/EN16931-CII-codes.sch';

/** The rule that has each list, in which file, and which of its lists it is. */
const RULES: Record<string, [file: string, rule: string, place?: number]> = {
  invoice_types: [UBL, 'BR-CL-01', 0],
  credit_note_types: [UBL, 'BR-CL-01', 1],
  note_subjects: [CII, 'BR-CL-08'],
  object_schemes: [UBL, 'BR-CL-07'],
  identifier_schemes: [UBL, 'BR-CL-10'],
  electronic_address_schemes: [UBL, 'BR-CL-25'],
  countries: [UBL, 'BR-CL-14'],
  payment_means: [UBL, 'BR-CL-16'],
  classification_lists: [UBL, 'BR-CL-13'],
  discount_reasons: [UBL, 'BR-CL-19'],
  charge_reasons: [UBL, 'BR-CL-20'],
  exemptions: [UBL, 'BR-CL-22'],
  units: [UBL, 'BR-CL-23'],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (!folder)
  throw new Error('name the folder of the official artefacts: npm run codes -- <folder>');

const published = Object.fromEntries(
  Object.entries(RULES).map(([list, [file, rule, place = 0]]) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const asserts = text.split('<assert').filter((part) => part.includes(`id="${rule}"`));
    const lists = asserts.flatMap((part) => part.match(/(?<=' )[^']+(?= ')/g) ?? []);
    const codes = [...new Set((lists[place] ?? '').trim().split(/\s+/))];
    return [list, codes.sort().join(' ')];
  }),
);
if (values.write) {
  const { source } = JSON.parse(readFileSync(FILE, 'utf8')) as { source: string };
  writeFileSync(FILE, `${JSON.stringify({ source, lists: published }, null, 2)}\n`);
} else {
  const { lists } = JSON.parse(readFileSync(FILE, 'utf8')) as { lists: Lists };
  for (const [list, codes] of Object.entries(published)) {
    const [theirs, ours] = [codes, lists[list] ?? ''].map((text) => new Set(text.split(' ')));
    const missing = [...theirs!].filter((code) => !ours!.has(code));
    const needless = [...ours!].filter((code) => !theirs!.has(code));
    const differs = missing.length + needless.length > 0;
    console.log(`${list}: ${theirs!.size} codes${differs ? '' : ', the same'}`);
    if (missing.length > 0) console.log(`  missing: ${missing.join(' ')}`);
    if (needless.length > 0) console.log(`  not published: ${needless.join(' ')}`);
    if (differs) process.exitCode = 1;
  }
}
