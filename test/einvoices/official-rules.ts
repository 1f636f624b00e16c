import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EInvoiceProfile } from '../../src/documents/domain/codes/e-invoice-profiles.js';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'HoldInvoices.java');

/** Of Debian's libsaxonhe-java. */
const SAXON = '/usr/share/java/Saxon-HE.jar';

const PHIVE = (module: string) => `phive-rules/phive-rules-${module}/src/main/resources/external`;
const UBL_SCHEMAS = 'France_RFE/FNFE_RFE_INVOICE/UBL/1xsd_UBL2.1/maindoc';
const CII_SCHEMA =
  'eInvoicing-EN16931/cii/schema/D16B SCRDM (Subset)/uncoupled clm/CII/uncefact/data/standard/CrossIndustryInvoice_100pD16B.xsd';
const EN16931 = `${PHIVE('en16931')}/schematron/1.3.16`;
const PEPPOL = `${PHIVE('peppol')}/schematron/openpeppol/2026.5/xslt`;
const XRECHNUNG = `${PHIVE('xrechnung')}/schematron/3.0.2`;
const FRANCE = `${PHIVE('france')}/schematron/ctc/1.4.0.03/xslt`;

const EN_UBL = `${EN16931}/ubl/EN16931-UBL-validation.xslt`;
const EN_CII = `${EN16931}/cii/EN16931-CII-validation.xslt`;

/** Below the folder of clones of public repositories; the schema of UBL follows from the root. */
const RULES: Record<EInvoiceProfile, readonly string[]> = {
  'en16931-ubl': [EN_UBL],
  'en16931-cii': [CII_SCHEMA, EN_CII],
  peppol: [`${PEPPOL}/CEN-EN16931-UBL.xslt`, `${PEPPOL}/PEPPOL-EN16931-UBL.xslt`],
  'xrechnung-ubl': [EN_UBL, `${XRECHNUNG}/XRechnung-UBL-validation.xslt`],
  'xrechnung-cii': [CII_SCHEMA, EN_CII, `${XRECHNUNG}/XRechnung-CII-validation.xslt`],
  'factur-x': [
    `${PHIVE('zugferd')}/schemas/2.5.2/en16931/FACTUR-X_EN16931.xsd`,
    `${PHIVE('zugferd')}/schematron/2.5.2/FACTUR-X_EN16931.xslt`,
  ],
  // Its French rules do not compile in Saxon 9.9.
  'france-ubl': [EN_UBL],
  'france-cii': [
    CII_SCHEMA,
    EN_CII,
    `${FRANCE}/20260804_BR-FR-Flux2-Schematron-CII_V1.4.0.03.xslt`,
  ],
  'ubl-be': [`${PHIVE('ublbe')}/schematron/ublbe/en16931/v1.31/GLOBALUBL.BE.xslt`],
};

export interface JudgedInvoice {
  name: string;
  profile: EInvoiceProfile;
  xml: string;
}

export interface FailedAssert {
  invoice: string;
  rules: string;
  id: string;
  severity: string;
  location: string;
  sentence: string;
}

/**
 * Holds files against the official rules of their profile.
 * @param folder with clones of phive-rules, eInvoicing-EN16931 and France_RFE
 */
export async function heldAgainstRules(
  folder: string,
  invoices: readonly JudgedInvoice[],
): Promise<{ failed: FailedAssert[]; held: number }> {
  const files = await mkdtemp(join(tmpdir(), 'quittance-einvoices-'));
  try {
    const checks: string[] = [];
    for (const { name, profile, xml } of invoices) {
      await mkdir(join(files, profile), { recursive: true });
      const path = join(files, profile, `${name}.xml`);
      await writeFile(path, xml);
      const schema = xml.includes('<CreditNote ') ? 'CreditNote' : 'Invoice';
      const ubl = xml.includes(':ubl:') ? [`${UBL_SCHEMAS}/UBL-${schema}-2.1.xsd`] : [];
      checks.push(...[...ubl, ...RULES[profile]].map((rules) => `${join(folder, rules)}\t${path}`));
    }
    const list = join(files, 'checks.tsv');
    await writeFile(list, checks.join('\n'));
    const { stdout } = await run('java', ['-Xmx3g', '-cp', SAXON, PROGRAM, list], {
      maxBuffer: 512 << 20,
    });
    const lines = stdout.trim().split('\n');
    const held = Number(lines.pop()?.split('\t')[1]);
    const failed = lines
      .filter((line) => line !== '')
      .map((line): FailedAssert => {
        const [invoice = '', rules = '', id = '', severity = '', location = '', sentence = ''] =
          line.split('\t');
        return {
          invoice: invoice.slice(files.length + 1),
          rules,
          id,
          severity,
          location,
          sentence,
        };
      });
    return { failed, held };
  } finally {
    await rm(files, { recursive: true, force: true });
  }
}
