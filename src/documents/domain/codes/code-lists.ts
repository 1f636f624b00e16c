import codes from './codes.json' with { type: 'json' };

// The code lists of EN 16931, as `npm run codes` takes them from the published rules.

type ListName = keyof (typeof codes)['lists'];

const read = new Map<ListName, ReadonlySet<string>>();

/** The codes of a list, read when they are first asked for. */
function codesOf(list: ListName): ReadonlySet<string> {
  let found = read.get(list);
  if (!found) read.set(list, (found = new Set(codes.lists[list].split(' '))));
  return found;
}

const isIn = (list: ListName) => (code: string) => codesOf(list).has(code);

/** ISO 3166-1 alpha-2, and the two that EN 16931 adds: 1A is Kosovo, XI Northern Ireland. */
export const COUNTRIES = codesOf('countries');

export const isCountry = isIn('countries');

/** UNTDID 1001: what a document is (BT-3). */
export const isInvoiceType = isIn('invoice_types');
export const isCreditNoteType = isIn('credit_note_types');

/** UNTDID 4451: what a note is about (BT-21). */
export const isNoteSubject = isIn('note_subjects');

/** UNTDID 1153: what an object of the invoice is known by (BT-18-1, BT-128-1). */
export const isObjectScheme = isIn('object_schemes');

/** UNTDID 4461: how something is paid (BT-81). */
export const isPaymentMeans = isIn('payment_means');

/** ISO 6523: by which scheme a party, a place or an item is known (BT-29-1, BT-71-1, BT-157-1). */
export const isIcd = isIn('identifier_schemes');

/** UNTDID 7143: by which list an item is classified (BT-158-1). */
export const isClassificationList = isIn('classification_lists');

/** UNTDID 5189: why something is taken off (BT-98, BT-140). */
export const isDiscountReason = isIn('discount_reasons');

/** UNTDID 7161: why something is added (BT-105, BT-145). */
export const isChargeReason = isIn('charge_reasons');

/** VATEX: why there is no tax (BT-121). */
export const isVatexCode = isIn('exemptions');

/** UNECE Recommendations 20 and 21: the unit of a quantity (BT-130, BT-150). */
export const isUnitCode = isIn('units');

// The rules let them pass, though the published list lacks them.
const UNPUBLISHED_ADDRESS_SCHEMES = new Set(['0219', '0220']);

/** EAS: where an electronic address is known (BT-34-1, BT-49-1). */
export function isEasScheme(code: string): boolean {
  return codesOf('electronic_address_schemes').has(code) && !UNPUBLISHED_ADDRESS_SCHEMES.has(code);
}

/** BT-121 and BT-120. A plain exemption has many possible grounds, so E has no code of its own. */
interface Exemption {
  code: string | null;
  reason: string;
}

const EXEMPTIONS = new Map<string, Exemption>([
  ['E', { code: null, reason: 'Exempt from tax' }],
  ['AE', { code: 'VATEX-EU-AE', reason: 'Reverse charge' }],
  ['K', { code: 'VATEX-EU-IC', reason: 'Intra-community supply' }],
  ['G', { code: 'VATEX-EU-G', reason: 'Export outside the EU' }],
  ['O', { code: 'VATEX-EU-O', reason: 'Not subject to VAT' }],
]);

// Codes that mean one category; all others are exemptions (E).
const CATEGORY_OF_VATEX = new Map([
  ['VATEX-EU-AE', 'AE'],
  ['VATEX-EU-IC', 'K'],
  ['VATEX-EU-G', 'G'],
  ['VATEX-EU-O', 'O'],
]);

/** Whether a code may say why this category has no tax. */
export function isExemptionOf(category: string, code: string): boolean {
  return category === (CATEGORY_OF_VATEX.get(code) ?? 'E');
}

// The text after a quantity, for the units that are usual on invoices and have no name in each language.
const UNIT_SYMBOLS = new Map(
  (
    'C62, CEN hundred, MIL thousand, T3 thousand pcs, NMP packs, RM ream, ' +
    // Time.
    'C26 ms, SEC s, MIN min, HUR h, SAN half-year, LH labour h, OT overtime h, ' +
    'WM working month, 3C person-month, ' +
    // Services.
    'E48 service unit, 1I flat rate, ACT activity, E51 job, E54 trip, C0 call, ' +
    'NF message, ROM room, D68 words, P1 %, ' +
    // Mass.
    'MGM mg, GRM g, KGM kg, DTN dt, TNE t, CTM ct, ONZ oz, LBR lb, ' +
    // Length and area; a square hectometre is a hectare, which has no code of its own.
    'MMT mm, CMT cm, DMT dm, MTR m, LM lin. m, KMT km, INH in, FOT ft, YRD yd, SMI mi, ' +
    'NMI nmi, MMK mm², CMK cm², MTK m², KMK km², H18 ha, FTK ft², YDK yd², ACR acre, ' +
    // Volume.
    'MLT ml, CLT cl, DLT dl, LTR l, HLT hl, CMQ cm³, DMQ dm³, MTQ m³, FTQ ft³, GLL gal (US), ' +
    'GLI gal (UK), BLL bbl, ' +
    // Power and energy.
    'WTT W, KWT kW, MAW MW, KVA kVA, AMH Ah, WHR Wh, KWH kWh, MWH MWh, GWH GWh, KJO kJ, 3B MJ, ' +
    'GV GJ, ' +
    // Data; GB is a gallon a day.
    'AD B, 2P kB, 4L MB, E34 GB, E35 TB, ' +
    // Freight and packages.
    'TKM t·km, XCN container, XCR crate, XCS case, XDR drum, XPA packet, XPP pcs, XSA sack, ' +
    'XST sheet, XTU tube'
  )
    .split(', ')
    .map((entry): [string, string] => {
      const [code = '', ...symbol] = entry.split(' ');
      return [code, symbol.join(' ')];
    }),
);

/** Why a tax category charges no tax, unless the document says more; null for S, Z, L and M. */
export function exemptionOf(category: string): Exemption | null {
  return EXEMPTIONS.get(category) ?? null;
}

/** `kg` for `KGM`, nothing for `C62` (one); a unit without a symbol is shown by its code. */
export function unitSymbol(code: string): string {
  return UNIT_SYMBOLS.get(code) ?? code;
}
