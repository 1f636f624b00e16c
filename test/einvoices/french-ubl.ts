import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FailedAssert, JudgedInvoice } from './official-rules.js';

const run = promisify(execFile);

const RULES =
  'phive-rules/phive-rules-france/src/main/resources/external/schematron/ctc/1.4.0.03/xslt/' +
  '20260804_BR-FR-Flux2-Schematron-UBL_V1.4.0.03.xslt';

interface SaxonJs {
  transform(
    options: { stylesheetInternal: unknown; sourceText: string; destination: 'serialized' },
    how: 'sync',
  ): { principalResult: string };
}

const ASSERT = /<svrl:failed-assert ([^>]*)>/g;

const attribute = (text: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';

/**
 * Holds UBL against the French rules, which Saxon 9.9 does not compile; SaxonJS does.
 * @param saxonJs a folder in which npm installed saxon-js and xslt3
 */
export async function heldAgainstFrenchRules(
  folder: string,
  saxonJs: string,
  invoices: readonly JudgedInvoice[],
): Promise<FailedAssert[]> {
  const files = await mkdtemp(join(tmpdir(), 'quittance-french-'));
  try {
    const require = createRequire(join(saxonJs, 'package.json'));
    const compiled = join(files, 'rules.sef.json');
    const compiler = require.resolve('xslt3');
    await run(process.execPath, [
      compiler,
      `-xsl:${join(folder, RULES)}`,
      `-export:${compiled}`,
      '-nogo',
    ]);
    const stylesheet: unknown = JSON.parse(await readFile(compiled, 'utf8'));
    const saxon = require('saxon-js') as SaxonJs;
    return invoices.flatMap(({ name, profile, xml }) => {
      const options = { stylesheetInternal: stylesheet, sourceText: xml } as const;
      const report = saxon.transform({ ...options, destination: 'serialized' }, 'sync');
      return [...report.principalResult.matchAll(ASSERT)].map(([, said = '']) => ({
        invoice: `${profile}/${name}.xml`,
        rules: RULES,
        id: attribute(said, 'id'),
        severity: attribute(said, 'flag'),
        location: attribute(said, 'location'),
        sentence: '',
      }));
    });
  } finally {
    await rm(files, { recursive: true, force: true });
  }
}
