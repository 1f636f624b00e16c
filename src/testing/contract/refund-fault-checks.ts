import { ok } from 'node:assert';
import { Money } from '../../kernel/money.js';
import type { ContractCheck } from './contract-options.js';
import { type ContractTrial, shown } from './contract-trial.js';
import { assertAlike, assertUnknown, RefundBench } from './refund-bench.js';
import { REFUND_FAULTS, type RefundFault, type RefundTrial } from './refund-stand-in.js';

/** Money went back, or not: with a provider that fails, nobody may guess. */
export function refundFaultChecks(trial: ContractTrial, refunds: RefundTrial): ContractCheck[] {
  const on = (name: string, work: (bench: RefundBench) => Promise<void>): ContractCheck => ({
    name,
    run: async () => RefundBench.with(trial, refunds, work),
  });
  return [
    ...REFUND_FAULTS.map((fault) =>
      on(`does not know what became of a refund whose request is ${fault}`, async (bench) =>
        survives(bench, fault),
      ),
    ),
    on('says why a refund is refused, in a word', saysWhy),
    on('asks for no amount that the provider does not have', asksForNoOddAmount),
    on('follows a pending refund to its end', followsPending),
    ...[401, 403, 404, 429, 500].map((status) =>
      on(`leaves a look-up that says ${status} undecided`, async (bench) =>
        leavesUndecided(bench, status),
      ),
    ),
    on('believes no answer about another refund', believesNoOther),
    on('knows nothing while the provider is out of reach', knowsNothing),
    on('makes no call without a key', async (bench) => callsNobody(trial, bench)),
  ];
}

async function survives(bench: RefundBench, fault: RefundFault): Promise<void> {
  bench.fail(fault);
  await assertUnknown(bench.gateway().refund(bench.request()), `After a request that is ${fault}`);
  if (bench.gateway().tellsRefunds) {
    const done = fault === 'lost' || fault === 'garbled';
    const expected = done ? (bench.options.first ?? 'succeeded') : 'not_found';
    const { status } = await bench.gateway().lookUpRefund(bench.request());
    ok(
      status === expected,
      `a refund whose request was ${fault} is looked up as ${status}, and is ${expected}.`,
    );
  }
  // Sent again under the same key, it is still one.
  bench.assertMade(await bench.gateway().refund(bench.request()));
  bench.assertMadeOnce();
  ok(bench.standIn.made() === 1, 'the refund was told as done, and the provider made none.');
}

async function saysWhy(bench: RefundBench): Promise<void> {
  if (!bench.standIn.refuse) return;
  bench.standIn.refuse();
  const outcome = await bench.gateway().refund(bench.request());
  const { refusal } = bench.options;
  ok(
    outcome.status === 'failed' && isWord(outcome.reason),
    `a refund that the provider refuses is told as ${shown(outcome)}; tell \`failed\` with the provider's short code.`,
  );
  ok(
    refusal === undefined || outcome.reason === refusal,
    `a refusal is told for the reason ${shown(outcome.reason)}, not ${shown(refusal)}.`,
  );
}

function isWord(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e]{1,255}$/.test(text);
}

async function asksForNoOddAmount(bench: RefundBench): Promise<void> {
  const { unsayable: amount } = bench.options;
  if (!amount) return;
  const { status } = await bench.gateway().refund(bench.request({ amount }));
  ok(
    status === 'failed' && bench.calls() === 0,
    `a refund of ${amount.toString()} is ${status} after ${bench.calls()} calls; the provider has no such amount: tell \`failed\` without asking.`,
  );
}

async function followsPending(bench: RefundBench): Promise<void> {
  const { hold, giveUp } = bench.standIn;
  if (!hold || !giveUp) return;
  hold();
  const gateway = bench.gateway();
  const pending = await gateway.refund(bench.request());
  ok(
    pending.status === 'pending' && pending.providerRefundId !== null,
    `a refund that waits is told as ${shown(pending)}; tell \`pending\` with the provider's id.`,
  );
  assertAlike(await gateway.lookUpRefund(bench.request()), pending, 'it still waits.');
  giveUp();
  const { providerRefundId } = pending;
  const later = await gateway.lookUpRefund(bench.request({ providerRefundId }));
  const reason = bench.options.failure ?? 'failed';
  assertAlike(later, { status: 'failed', reason }, 'the provider has given it up.');
}

async function leavesUndecided(bench: RefundBench, status: number): Promise<void> {
  const gateway = bench.gateway();
  if (!gateway.tellsRefunds) return;
  for (const providerRefundId of [null, 're_1']) {
    await bench.whileLookUpsSay(status, async () =>
      assertUnknown(
        bench.gateway().lookUpRefund(bench.request({ providerRefundId })),
        `When a look-up is answered ${status},`,
      ),
    );
  }
}

async function believesNoOther(bench: RefundBench): Promise<void> {
  if (!bench.gateway().tellsRefunds) return;
  const made = await bench.gateway().refund(bench.request());
  const providerRefundId = bench.assertMade(made);
  const { amount } = bench.request();
  const other = amount.currency === 'USD' ? 'EUR' : 'USD';
  const wrong = [
    bench.request({ providerRefundId, refundId: 'rfnd_other' }),
    bench.request({ providerRefundId, amount: bench.moreThan(bench.request()) }),
    bench.request({
      providerRefundId,
      amount: Money.of(BigInt(amount.toMinorNumber()), other),
    }),
  ];
  for (const request of wrong) {
    await assertUnknown(
      bench.gateway().lookUpRefund(request),
      'When the provider answers with a refund of another id, amount or currency,',
    );
  }
}

async function knowsNothing(bench: RefundBench): Promise<void> {
  const gateway = bench.outOfReach();
  const when = 'While the provider is out of reach';
  await assertUnknown(gateway.refund(bench.request()), when);
  if (gateway.tellsRefunds) await assertUnknown(gateway.lookUpRefund(bench.request()), when);
}

async function callsNobody(trial: ContractTrial, bench: RefundBench): Promise<void> {
  const gateway = trial.open();
  await assertUnknown(gateway.refund(bench.request()), 'Without a key');
  if (gateway.tellsRefunds)
    await assertUnknown(gateway.lookUpRefund(bench.request()), 'Without a key');
  ok(bench.calls() === 0, 'the provider is called without a key.');
}
