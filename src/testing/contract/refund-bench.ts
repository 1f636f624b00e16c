import { deepStrictEqual, ok } from 'node:assert';
import { DomainError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import type { Gateway, RefundOutcome, RefundRequest } from '../../payments/index.js';
import { type ContractTrial, shown, unreachable } from './contract-trial.js';
import { FaultyFetch } from './faulty-fetch.js';
import type { RefundFault, RefundStandIn, RefundTrial } from './refund-stand-in.js';

const REFUND = 'rfnd_01k9x3v7e8f2r4t6y8w0a1b2c3';
export const OTHER_REFUND = `${REFUND.slice(0, -1)}4`;

/** One stand-in of the provider's API, and gateways that call it. */
export class RefundBench {
  private readonly faulty: FaultyFetch;

  private constructor(
    private readonly trial: ContractTrial,
    readonly options: RefundTrial,
    readonly standIn: RefundStandIn,
  ) {
    const { fetch = globalThis.fetch } = standIn;
    const { isRefund = (_url, method) => method === 'POST' } = options;
    this.faulty = new FaultyFetch(fetch, isRefund);
  }

  /** Opens one for this work alone. */
  static async with(
    trial: ContractTrial,
    options: RefundTrial,
    work: (bench: RefundBench) => Promise<void>,
  ): Promise<void> {
    const standIn = await options.open();
    try {
      await work(new RefundBench(trial, options, standIn));
    } finally {
      await standIn.close?.();
    }
  }

  /** A gateway as another process has it: it remembers nothing. */
  gateway(): Gateway {
    return this.trial.open(this.standIn.settings, this.faulty.fetch);
  }

  outOfReach(): Gateway {
    return this.trial.open(this.standIn.settings, unreachable);
  }

  request(over: Partial<RefundRequest> = {}): RefundRequest {
    const { of } = this.options;
    return {
      refundId: REFUND,
      providerPaymentId: of?.providerPaymentId ?? this.trial.paymentId('0001'),
      amount: of?.amount ?? Money.of(500n, 'EUR'),
      providerRefundId: null,
      isOurs: true,
      ...over,
    };
  }

  /** The amount of the refund and one minor unit more. */
  moreThan({ amount }: RefundRequest): Money {
    return Money.of(BigInt(amount.toMinorNumber()) + 1n, amount.currency);
  }

  calls(): number {
    return this.standIn.calls?.() ?? this.faulty.calls.length;
  }

  /** Has the next request for a refund end so. */
  fail(fault: RefundFault): void {
    if (this.standIn.fail) this.standIn.fail(fault);
    else this.faulty.fault = fault;
  }

  async whileLookUpsSay(status: number, work: () => Promise<void>): Promise<void> {
    if (this.standIn.failLookUps) this.standIn.failLookUps(status);
    else this.faulty.lookUpStatus = status;
    await work();
    this.faulty.lookUpStatus = null;
  }

  /** A refund of the first kind, done or on its way, with an id. */
  assertMade(outcome: RefundOutcome): string {
    const { first = 'succeeded' } = this.options;
    ok(
      outcome.status === first,
      `refund tells ${shown(outcome)}, and a good one is expected to be ${first}; say \`refunds.first\` if it is pending at first.`,
    );
    const id = 'providerRefundId' in outcome ? outcome.providerRefundId : null;
    ok(
      typeof id === 'string' && id !== '',
      `refund tells ${shown(outcome)}, ${first} without the provider's id of the refund; ` +
        'without it nobody can tell which one it is: throw gateway_unavailable if the answer has none.',
    );
    return id;
  }

  assertMadeOnce(): void {
    const made = this.standIn.made();
    ok(
      made <= 1,
      `the provider was made to refund ${made} times for one refund; send the refund's id as the ` +
        'idempotency key, or look for it before it is sent again.',
    );
  }
}

/** Fails unless the work says that nobody knows. */
export async function assertUnknown(work: Promise<unknown>, when: string): Promise<void> {
  const outcome = await work.catch((error: unknown) => error);
  const isUnknown =
    outcome instanceof DomainError &&
    outcome.kind === 'unavailable' &&
    outcome.code === 'gateway_unavailable';
  ok(
    isUnknown,
    `${when} the answer is ${shown(outcome)}; nobody knows what happened then: throw ` +
      'DomainError.unavailable with the code gateway_unavailable, and it is asked again later.',
  );
}

export function assertAlike(told: unknown, first: unknown, advice: string): void {
  deepStrictEqual(told, first, `it is told as ${shown(told)}, and was ${shown(first)}; ${advice}`);
}
