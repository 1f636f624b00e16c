/**
 * Things that samples say and no field of a request does, each with the terms that come back otherwise
 * for it. A field that is added takes its entry away, and the converter says it.
 */
export const LACKS = {
  paid: {
    what: 'an amount paid before the issue of a credit note, or below zero',
    terms: ['BT-113', 'BT-115'],
  },
  thirdParty: { what: 'payments for third parties', terms: ['third party', 'BT-115'] },
  subLines: {
    what: 'lines below a line',
    terms: ['sub-lines', 'headings', 'parent line', 'BT-126'],
  },
  documents: {
    what: 'supporting documents',
    terms: ['BG-24', 'BT-122', 'BT-123', 'BT-124', 'BT-125'],
  },
  lineIds: { what: 'ids of lines that are not their positions', terms: ['BT-126'] },
  openPeriod: {
    what: 'a period with one day',
    terms: ['BT-73', 'BT-74', 'BT-134', 'BT-135'],
  },
  buyerIds: { what: 'several ids of a buyer', terms: ['BT-46'] },
  percentages: {
    what: 'base and percentage of a discount or charge on the document that are not of the lines of its tax',
    terms: ['BT-93', 'BT-94', 'BT-100', 'BT-101'],
  },
  linePercentages: {
    what: 'base and percentage that do not come to the amount on the line',
    terms: ['BT-137', 'BT-138', 'BT-142', 'BT-143'],
  },
  electronicAddress: {
    what: 'an electronic address without its scheme',
    terms: ['BT-34', 'BT-49'],
  },
  chargeExemption: {
    what: 'why a charge on the document has no tax, at a rate that no line has',
    terms: ['BT-120', 'BT-121'],
  },
  card: { what: 'the hidden digits of a card', terms: ['BT-87'] },
  exactAmount: { what: 'an amount that is more exact than its currency', terms: [] },
} as const satisfies Record<string, { what: string; terms: readonly string[] }>;

export type Lack = keyof typeof LACKS;
