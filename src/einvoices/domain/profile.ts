import type { EInvoiceProfile } from '../../documents/index.js';
/** An e-invoice format that somebody receives: a syntax, and all that differs within it. */
export interface Profile {
  /** The name in the API. */
  id: EInvoiceProfile;
  title: string;
  /** The release that its rules are of. */
  release: string;
  syntax: 'ubl' | 'cii';
  /** BT-24. */
  specification: string;
  /** BT-23, where the profile decides it; else the document says it. */
  businessProcess: string | null;
  /** Reductions for early payment are lines of their own form in BT-20, as in Germany. */
  writesSkonto: boolean;
  /** Only one note on the document (PEPPOL-EN16931-R002). */
  joinsNotes: boolean;
  /** The schema has a place for one preceding invoice only (BG-3). */
  hasOnePreceding: boolean;
  /** BT-119 also of what is outside of the scope of tax (BR-DE-14, DE-R-014). */
  writesRateOfO: boolean;
  /** Most decimals of BT-146; a larger base quantity makes up for the others. */
  pricePlaces: number | null;
  /** BT-123 is a code of the French list. */
  codesAttachments: boolean;
  /** Of UBL.BE: the software, the kind of document, names of taxes, and tax by line. */
  isBelgian: boolean;
}

const EN16931 = 'urn:cen.eu:en16931:2017';
const PEPPOL_BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const XRECHNUNG = `${EN16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;

const PLAIN = {
  businessProcess: null,
  writesSkonto: false,
  joinsNotes: false,
  hasOnePreceding: false,
  writesRateOfO: false,
  pricePlaces: null,
  codesAttachments: false,
  isBelgian: false,
} as const;

const GERMAN = {
  businessProcess: PEPPOL_BILLING,
  writesSkonto: true,
  writesRateOfO: true,
} as const;

export const PROFILES: Record<EInvoiceProfile, Profile> = {
  'en16931-ubl': {
    ...PLAIN,
    id: 'en16931-ubl',
    title: 'EN 16931 in UBL 2.1',
    release: '1.3.16',
    syntax: 'ubl',
    specification: EN16931,
  },
  'en16931-cii': {
    ...PLAIN,
    id: 'en16931-cii',
    title: 'EN 16931 in CII D16B',
    release: '1.3.16',
    hasOnePreceding: true,
    syntax: 'cii',
    specification: EN16931,
  },
  peppol: {
    ...PLAIN,
    id: 'peppol',
    title: 'Peppol BIS Billing 3',
    release: '2026-05',
    syntax: 'ubl',
    specification: `${EN16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    businessProcess: PEPPOL_BILLING,
    joinsNotes: true,
    writesRateOfO: true,
  },
  'xrechnung-ubl': {
    ...PLAIN,
    ...GERMAN,
    id: 'xrechnung-ubl',
    title: 'XRechnung in UBL 2.1',
    release: '3.0.2',
    syntax: 'ubl',
    specification: XRECHNUNG,
  },
  'xrechnung-cii': {
    ...PLAIN,
    ...GERMAN,
    id: 'xrechnung-cii',
    title: 'XRechnung in CII D16B',
    release: '3.0.2',
    hasOnePreceding: true,
    syntax: 'cii',
    specification: XRECHNUNG,
  },
  // EXTENDED is not needed (decision 267).
  'factur-x': {
    ...PLAIN,
    id: 'factur-x',
    title: 'Factur-X 1.09 and ZUGFeRD 2.5, profile EN 16931',
    release: '1.09',
    syntax: 'cii',
    specification: EN16931,
    writesSkonto: true,
  },
  'france-ubl': {
    ...PLAIN,
    id: 'france-ubl',
    title: 'French CTC, flux 2, in UBL 2.1',
    release: '1.4.0.03',
    syntax: 'ubl',
    specification: EN16931,
    pricePlaces: 6,
    codesAttachments: true,
  },
  'france-cii': {
    ...PLAIN,
    id: 'france-cii',
    title: 'French CTC, flux 2, in CII D16B',
    release: '1.4.0.03',
    hasOnePreceding: true,
    syntax: 'cii',
    specification: EN16931,
    pricePlaces: 6,
    codesAttachments: true,
  },
  'ubl-be': {
    ...PLAIN,
    id: 'ubl-be',
    title: 'UBL.BE',
    release: '1.31',
    syntax: 'ubl',
    specification: `${EN16931}#conformant#urn:UBL.BE:1.0.0.20180214`,
    businessProcess: PEPPOL_BILLING,
    joinsNotes: true,
    isBelgian: true,
  },
};
