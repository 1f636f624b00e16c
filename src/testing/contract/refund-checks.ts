import { ok } from 'node:assert';
import type { ContractCheck } from './contract-options.js';
import { type ContractTrial, shown } from './contract-trial.js';
import { assertAlike, OTHER_REFUND, RefundBench } from './refund-bench.js';
import { refundFaultChecks } from './refund-fault-checks.js';
import type { RefundTrial } from './refund-stand-in.js';

/** Money goes back once, and can be found again. */
export function refundChecks(trial: ContractTrial): ContractCheck[] {
  const { refunds } = trial.options;
  if (!refunds)
    return [
      { name: 'has its refunds tried, if it can refund', run: async () => refundsNothing(trial) },
    ];
  const on = (name: string, work: (bench: RefundBench) => Promise<void>): ContractCheck => ({
    name,
    run: async () => RefundBench.with(trial, refunds, work),
  });
  return [
    on('refunds once, however often it is asked', refundsOnce),
    on('tells two refunds of one payment apart', tellsTwoApart),
    on('finds a refund by its id', findsById),
    on('does not find what it was never asked for', findsNoOther),
    on('finds a refund without its id, or makes the same one again', findsWithoutId),
    {
      name: 'can refund only with what the API asks for',
      run: async () => refundsWithKey(trial, refunds),
    },
    ...(refunds.hasApi === false ? [] : refundFaultChecks(trial, refunds)),
  ];
}

function refundsNothing(trial: ContractTrial): void {
  const gateway = trial.openWithKey();
  ok(
    !gateway.canRefund || !gateway.tellsRefunds,
    `${trial.name} can refund, and nothing of this contract tries it; give \`refunds: { open }\`, ` +
      "a stand-in of the provider's API. If events alone tell what becomes of a refund, `tellsRefunds` is false.",
  );
}

async function refundsOnce(bench: RefundBench): Promise<void> {
  const gateway = bench.gateway();
  ok(
    gateway.canRefund,
    'canRefund is false with the settings of the stand-in; nobody could refund with them.',
  );
  const first = await gateway.refund(bench.request());
  bench.assertMade(first);
  const advice = 'the same refund id is the same refund, however often and by whom it is asked.';
  assertAlike(await gateway.refund(bench.request()), first, advice);
  assertAlike(await bench.gateway().refund(bench.request()), first, advice);
  bench.assertMadeOnce();
}

async function tellsTwoApart(bench: RefundBench): Promise<void> {
  const gateway = bench.gateway();
  const [one, other] = await Promise.all([
    gateway.refund(bench.request()),
    gateway.refund(bench.request({ refundId: OTHER_REFUND })),
  ]);
  const ids = [bench.assertMade(one), bench.assertMade(other)];
  ok(
    ids[0] !== ids[1],
    `two refunds of one payment have the same id, ${shown(ids[0])}; take the provider's id of the ` +
      'refund, and a key of each refund id.',
  );
}

async function findsById(bench: RefundBench): Promise<void> {
  const gateway = bench.gateway();
  if (!gateway.tellsRefunds) return;
  const made = await gateway.refund(bench.request());
  const providerRefundId = bench.assertMade(made);
  const found = await gateway.lookUpRefund(bench.request({ providerRefundId }));
  assertAlike(found, made, 'lookUpRefund has to ask for the refund by its providerRefundId.');
}

async function findsNoOther(bench: RefundBench): Promise<void> {
  if (!bench.gateway().tellsRefunds) return;
  await bench.gateway().refund(bench.request({ refundId: OTHER_REFUND }));
  const found = await bench.gateway().lookUpRefund(bench.request());
  ok(
    found.status === 'not_found',
    `lookUpRefund tells a refund that was never asked for as ${shown(found)}; compare the refund id ` +
      'that the provider keeps, and tell `not_found` if a complete list does not have it.',
  );
}

async function findsWithoutId(bench: RefundBench): Promise<void> {
  const gateway = bench.gateway();
  if (!gateway.tellsRefunds) return;
  const made = await gateway.refund(bench.request());
  const found = await gateway.lookUpRefund(bench.request());
  const again = found.status === 'not_found' ? await gateway.refund(bench.request()) : found;
  assertAlike(again, made, 'find it by our refund id, which the provider keeps with it.');
}

function refundsWithKey(trial: ContractTrial, { hasApi = true }: RefundTrial): void {
  const { canRefund } = trial.open();
  ok(
    canRefund !== hasApi,
    hasApi
      ? `canRefund is ${canRefund} with \`settings\` alone, which have no key; it is true only if the refund can be sent. If none needs a key, say \`refunds.hasApi: false\`.`
      : 'canRefund is false, though `refunds.hasApi` is false: no key is needed for it.',
  );
}
