/** An id, with the code of its scheme where there is one. */
export interface Identifier {
  scheme: string | null;
  value: string;
}

/** BG-5, BG-8, BG-12, BG-15. */
export interface SemanticAddress {
  /** BT-35, BT-50, BT-64, BT-75: street first. At most three lines. */
  lines: string[];
  /** BT-37, BT-52, BT-66, BT-77. */
  city: string | null;
  /** BT-38, BT-53, BT-67, BT-78. */
  postCode: string | null;
  /** BT-39, BT-54, BT-68, BT-79. */
  subdivision: string | null;
  /** BT-40, BT-55, BT-69, BT-80. */
  country: string | null;
}

/** The terms that sellers and buyers have in common. */
export interface SemanticParty {
  /** BT-27, BT-44: as in the register. */
  name: string;
  /** BT-28, BT-45. */
  tradingName: string | null;
  /** BT-29, BT-46. */
  ids: Identifier[];
  /** BT-30, BT-47. */
  registration: Identifier | null;
  /** BT-31, BT-48. */
  vatId: string | null;
  /** BT-34, BT-49. */
  electronicAddress: Identifier | null;
  /** BG-5, BG-8. */
  address: SemanticAddress;
  /** BG-6, BG-9. */
  contact: SemanticContact;
}

interface SemanticContact {
  /** BT-41, BT-56. */
  name: string | null;
  /** BT-42, BT-57. */
  phone: string | null;
  /** BT-43, BT-58. */
  email: string | null;
}

/** BG-4. */
export interface SemanticSeller extends SemanticParty {
  /** BT-32. */
  taxNumber: string | null;
  /** BT-33. */
  legalInformation: string | null;
}

/** BG-7. */
export type SemanticBuyer = SemanticParty;

/** BG-10. */
export interface SemanticPayee {
  /** BT-59. */
  name: string;
  /** BT-60. */
  id: Identifier | null;
  /** BT-61. */
  registration: Identifier | null;
}

/** BG-11. */
export interface SemanticTaxRepresentative {
  /** BT-62. */
  name: string;
  /** BT-63. */
  vatId: string;
  /** BG-12. */
  address: SemanticAddress;
}
