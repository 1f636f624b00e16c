/** A place on the first sheet, in millimetres from its upper left corner. */
interface Place {
  left: number;
  top: number;
  width: number;
}

/** The places of the parts of a letter, for an envelope whose window shows the address. */
export interface LetterLayout {
  paper: 'A4' | 'letter';
  /** Of the address itself, which a window shows wherever the sheet lies in its envelope. */
  address: Place & { height: number };
  /** Room above the address: for the sender's line, and for an address of more lines. */
  above: number;
  /** Dates and references. The sender stands above them. */
  information: Place;
  /** The earliest place of all that follows. */
  textTop: number;
  /** From the upper edge. */
  folds: readonly number[];
  /** The mark to punch by; null on paper that is not punched in its middle. */
  hole: number | null;
}

const BESIDE_LEFT_WINDOW: Place = { left: 125, top: 50, width: 75 };
const BESIDE_RIGHT_WINDOW: Place = { left: 25, top: 50, width: 75 };
const ON_A4 = { paper: 'A4', textTop: 98.5, above: 5, folds: [105, 210], hole: 148.5 } as const;

// DIN and France publish places on the sheet. Of other windows it is the part that is seen however
// the sheet has slipped (decision 246).
const LETTERS = {
  // DIN 5008 form B: the field begins at 45 mm, with 17.7 mm for the sender and remarks.
  din5008: {
    ...ON_A4,
    address: { left: 25, top: 62.7, width: 80, height: 27.3 },
    above: 17.7,
    information: BESIDE_LEFT_WINDOW,
  },
  // Form A: all of it 18 mm further up.
  din5008_a: {
    ...ON_A4,
    address: { left: 25, top: 44.7, width: 80, height: 27.3 },
    above: 17.7,
    information: { ...BESIDE_LEFT_WINDOW, top: 32 },
    textTop: 80.5,
    folds: [87, 192],
  },
  // SN 010130: windows of C5/6, 100 by 45 and 90 by 40 mm, 12 and 17 mm from the right edge, 21
  // and 30 mm from the lower one.
  sn010130: {
    ...ON_A4,
    address: { left: 122, top: 48, width: 70, height: 27 },
    information: BESIDE_RIGHT_WINDOW,
  },
  // The same standard with the window on the left: 100 by 45 mm, 20 mm from that edge.
  sn010130_left: {
    ...ON_A4,
    address: { left: 25, top: 48, width: 76, height: 36 },
    information: BESIDE_LEFT_WINDOW,
  },
  // France: a frame of 33 mm, 110 mm from the left edge and 55 mm from the upper one.
  nf_z11_001: {
    ...ON_A4,
    address: { left: 110, top: 55, width: 80, height: 33 },
    information: BESIDE_RIGHT_WINDOW,
  },
  // British DL: a window of 90 by 35 mm, 20 mm from the left edge and 18 mm from the lower one.
  dl: {
    ...ON_A4,
    address: { left: 25, top: 57, width: 75, height: 28 },
    information: BESIDE_LEFT_WINDOW,
  },
  // Norwegian E6/5, C6/5 and C5: windows of 95 by 30, 100 by 35 and 105 by 35 mm, all 15 mm from the
  // left edge, and 40, 39 and 44 mm from the upper one (OfficeConsult, "Brevmaler").
  e65: {
    ...ON_A4,
    address: { left: 25, top: 44, width: 70, height: 21 },
    above: 4,
    information: BESIDE_LEFT_WINDOW,
  },
  // US commercial number 10: 4 1/2 by 1 1/8 inches, 7/8 from the left edge, 1/2 from the lower one.
  us10: {
    ...ON_A4,
    paper: 'letter',
    address: { left: 25, top: 63.5, width: 72, height: 17 },
    information: BESIDE_LEFT_WINDOW,
    textTop: 84,
    folds: [93.1, 186.3],
    hole: null,
  },
} as const satisfies Record<string, LetterLayout>;

/** How the first sheet is divided. */
export const PAPER_LAYOUTS = [
  'standard',
  ...(Object.keys(LETTERS) as (keyof typeof LETTERS)[]),
] as const;
export type PaperLayout = (typeof PAPER_LAYOUTS)[number];

/** Austria has windows of DIN 680, Liechtenstein those of Switzerland; others have the standard one. */
const OF_COUNTRIES: [layout: keyof typeof LETTERS, countries: string][] = [
  ['din5008', 'DE AT'],
  ['sn010130', 'CH LI'],
  ['nf_z11_001', 'FR MC'],
  ['dl', 'GB GG IE IM JE XI'],
  ['e65', 'NO SJ'],
  ['us10', 'US CA'],
];

const BY_COUNTRY = new Map<string, keyof typeof LETTERS>(
  OF_COUNTRIES.flatMap(([layout, countries]) =>
    countries.split(' ').map((country): [string, keyof typeof LETTERS] => [country, layout]),
  ),
);

/** A seller, as far as its paper goes. */
interface Sender {
  template: { layout?: PaperLayout } | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** The layout of a seller's documents; null where they are no letters. */
export function letterLayoutOf({ template, country }: Sender): LetterLayout | null {
  const layout = template?.layout ?? BY_COUNTRY.get(country ?? '') ?? 'standard';
  return layout === 'standard' ? null : LETTERS[layout];
}
