import type { Money } from '../../kernel/money.js';
import type { DocumentState } from './document-state.js';

/** Money at providers that is not decided yet. It changes nothing of what is due. */
export class HeldMoney {
  constructor(private readonly state: DocumentState) {}

  /** A payer disputes more, or less, of what was paid. */
  dispute(change: Money): void {
    this.state.amountDisputed = this.state.amountDisputed.plus(change);
    this.state.version += 1;
  }

  /** Changes how much a provider has on its way. */
  expect(change: Money): void {
    if (change.isZero()) return;
    this.state.amountProcessing = this.state.amountProcessing.plus(change);
    this.state.version += 1;
  }
}
