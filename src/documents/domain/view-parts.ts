/** Parts of a view that are in the contents of its document. */
export const CONTENT_PARTS = [
  'seller',
  'customer',
  'details',
  'notes',
  'metadata',
  'discounts',
  'charges',
  'lines',
  'taxGroups',
] as const;

/** Parts of a view that cost something: read from beside its row, or made by many rules. */
const VIEW_PARTS = [
  ...CONTENT_PARTS,
  'origin',
  'followUps',
  'creditedTaxes',
  'givenBack',
  'availableActions',
] as const;
export type ViewPart = (typeof VIEW_PARTS)[number];

/** The parts that somebody wants of a view; all others are empty in it (decision 297). */
export type ViewParts = ReadonlySet<ViewPart>;

export const ALL_PARTS: ViewParts = new Set(VIEW_PARTS);
