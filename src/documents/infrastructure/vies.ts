import { z } from 'zod';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { boundedCall } from '../../platform/http/outgoing/bounded-call.js';
import { FairQueue } from '../../platform/fair-queue.js';
import {
  type EuVatNumber,
  type RegisteredVatNumber,
  VatNumberRegister,
} from '../domain/legal/vat-number-register.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** Member states answer slowly, and some only after ten seconds. */
const BOUNDS = { timeoutMs: 15_000, limitBytes: 64 * 1024 };
const CALLS_AT_ONCE = 4;
const CALLS_OF_ONE_ACCOUNT = 2;
const WAITING = 40;
const RETRY_AFTER_SECONDS = 60;
const LONGEST_TEXT = 1000;

/** Control and broken characters become spaces; a line break stays, for addresses. */
const UNPRINTED = /[^\P{C}\n]/gu;
/** Some states write three dashes where they tell nothing. */
const Told = z
  .string()
  .nullish()
  .transform((text) => {
    const told = text?.trim().slice(0, LONGEST_TEXT).replaceAll(UNPRINTED, ' ').trim() ?? '';
    return told === '' || /^-+$/.test(told) ? null : told;
  });
const Code = z.string().regex(/^[A-Z_]{1,60}$/);
const Answer = z.object({
  valid: z.boolean(),
  name: Told,
  address: Told,
  requestIdentifier: Told,
  userError: z.string().nullish(),
});
const Failure = z.object({ errorWrappers: z.array(z.object({ error: Code })).min(1) });
/** A number that was judged. Any other word beside `valid: false` says that nobody looked. */
const JUDGED = new Set(['VALID', 'INVALID']);

/** VIES, the register of the European Commission, by its REST API. */
export class Vies extends VatNumberRegister {
  private readonly places = new FairQueue({
    places: CALLS_AT_ONCE,
    each: CALLS_OF_ONE_ACCOUNT,
    waiting: WAITING,
    waitMs: BOUNDS.timeoutMs,
    refusal: () => unavailable('too many numbers are asked for'),
  });

  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly base: string,
    private readonly bounds = BOUNDS,
  ) {
    super();
  }

  async find(
    accountId: Uuid,
    asked: EuVatNumber,
    requester: EuVatNumber | null,
  ): Promise<RegisteredVatNumber> {
    const turn = this.places.enter(accountId);
    if (turn) await turn;
    try {
      return await this.ask(asked, requester);
    } finally {
      this.places.leave(accountId);
    }
  }

  private async ask(
    { prefix, number }: EuVatNumber,
    requester: EuVatNumber | null,
  ): Promise<RegisteredVatNumber> {
    const call = {
      url: `${this.base}/check-vat-number`,
      method: 'POST' as const,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        countryCode: prefix,
        vatNumber: number,
        ...(requester && {
          requesterMemberStateCode: requester.prefix,
          requesterNumber: requester.number,
        }),
      }),
    };
    const answer = await boundedCall(this.fetch, call, this.bounds).catch(() => {
      throw unavailable('VIES does not answer');
    });
    const failure = Failure.safeParse(answer.json);
    if (failure.success) throw unavailable(failure.data.errorWrappers[0]?.error ?? '');
    const { data } = Answer.safeParse(answer.json);
    if (answer.status !== 200 || !data) throw unavailable(`VIES answered ${answer.status}`);
    if (data.userError && !JUDGED.has(data.userError)) {
      const word = Code.safeParse(data.userError).data;
      throw unavailable(word ?? 'VIES answered an unknown word');
    }
    return {
      isRegistered: data.valid,
      name: data.name,
      address: data.address,
      consultationNumber: data.requestIdentifier,
    };
  }
}

/** @param reason the register's own word, such as `MS_UNAVAILABLE` */
function unavailable(reason: string): DomainError {
  return DocumentRefusal.vat_register_unavailable.later(
    RETRY_AFTER_SECONDS,
    `The register of VAT numbers cannot tell now (${reason}); ask again later.`,
  );
}
