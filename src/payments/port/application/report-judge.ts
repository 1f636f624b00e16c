import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Money } from '../../../kernel/money.js';
import { Log } from '../../../platform/observability/log.js';
import type { Gateway } from '../domain/gateway.js';
import type { NamedObject, ProviderReport } from '../domain/provider-report.js';
import { wrongInTold } from '../wire/provider-report.js';

type Told = ProviderReport | NamedObject;

const GOES_BACK = new Set<unknown>(['refund', 'refunded_in_all', 'dispute', 'unpaid_again']);

/**
 * Looks at what a provider's code told, before anything is booked: a wrong report is kept for a
 * person, and the log says which field is wrong.
 */
@Injectable()
export class ReportJudge {
  private readonly sound = new WeakSet<object>();

  constructor(private readonly log: Log) {}

  /** Of `parse` and its like. */
  all(gateway: Gateway, told: unknown): Told[] {
    return Array.isArray(told)
      ? told.map((one) => this.told(gateway, one))
      : [this.told(gateway, told)];
  }

  /** A report alone: a name in its place is wrong. */
  report(gateway: Gateway, told: unknown): ProviderReport {
    const judged = this.told(gateway, told);
    return judged.kind === 'named' ? this.kept(gateway, judged, ['kind: is a name']) : judged;
  }

  private told(gateway: Gateway, told: unknown): Told {
    if (told instanceof Object && this.sound.has(told)) return told as Told;
    const wrong = wrongInTold(told);
    if (wrong.length > 0) return this.kept(gateway, told, wrong);
    this.sound.add(told as Told);
    return told as Told;
  }

  private kept(gateway: Gateway, told: unknown, wrong: readonly string[]): ProviderReport {
    const fields = (told instanceof Object ? told : {}) as Record<string, unknown>;
    const { kind, eventType, providerPaymentId: payment, amount } = fields;
    this.log.error(
      { gateway: gateway.name, provider: gateway.provider, kind, wrong },
      'a provider of this installation told something wrong: its code has to be mended',
    );
    const judged: ProviderReport = {
      kind: 'irrelevant',
      // Not its own: that is for the report as it comes again when the code is mended.
      eventId: `wrong ${digestOf(told)}`,
      eventType: typeof eventType === 'string' && eventType !== '' ? eventType : 'unknown',
      fingerprint: null,
      review: `The provider ${gateway.provider} told something that cannot be booked (${wrong.join('; ')}).`,
      moved: {
        direction: GOES_BACK.has(kind) ? 'out' : 'in',
        reference: null,
        providerPaymentId: typeof payment === 'string' && payment !== '' ? payment : null,
        amount: amount instanceof Money ? amount : null,
      },
    };
    this.sound.add(judged);
    return judged;
  }
}

/** The same thing told again is the same event. */
function digestOf(told: unknown): string {
  const text = JSON.stringify(told, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex')
    .slice(0, 32);
}
