/** The provider's API as far as it keeps mandates. */
export interface MandateStandIn {
  /** All settings of the gateway, with its key, and the stand-in's address if there is one. */
  settings: Readonly<Record<string, string>>;
  /** Answers for the provider. Default: the process's own, which really calls. */
  fetch?: typeof globalThis.fetch;
  /** The provider's id of a mandate by which it may debit. */
  providerMandateId: string;
  /** How many debits it has made. */
  debits: () => number;
  /** Has the answer to the next debit lost, though it is made. Absent: that is not tried. */
  loseAnswer?: () => void;
  close?: () => Promise<void>;
}

export interface MandateTrial {
  /** Opens a stand-in without any debit: each check has its own. */
  open: () => Promise<MandateStandIn>;
  /** False where the gateway gives mandates by itself, and calls nobody. Default: true. */
  hasApi?: boolean;
}
