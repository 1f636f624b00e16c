import { ok } from 'node:assert';
import { type Delivery, type Gateway, InvalidSignature } from '../../payments/index.js';
import type { ContractCheck } from './contract-options.js';
import { type ContractTrial, refusalOr, shown, TRIED_LINK } from './contract-trial.js';

const WRONG = ['', -1, 1.5, 1e300, '1e3', {}, [], null, '\u0000', 'zzz', 'QQQ', 2 ** 53, true];
const READABLE: ReadonlySet<unknown> = new Set(['paid', 'approved', 'irrelevant', 'named']);
const ADVICE =
  'throw InvalidSignature where a signed body is not what the provider sends, and tell money that ' +
  'cannot be said as `irrelevant` with `review` and `moved`.';

/** A good signature makes no body good. */
export function nonsenseChecks(trial: ContractTrial): ContractCheck[] {
  return [
    {
      name: 'refuses bytes that are no UTF-8 inside a signed string',
      run: async () => refusesBrokenText(trial),
    },
    {
      name: 'answers really signed nonsense with InvalidSignature or a report',
      run: async () => answersNonsense(trial),
    },
  ];
}

function refusesBrokenText(trial: ContractTrial): void {
  const gateway = trial.open();
  const { body } = trial.sample(gateway);
  ok(
    body.includes(TRIED_LINK),
    'the body of a sample does not have the link id; without it nobody knows what was paid.',
  );
  const rawBody = Buffer.from(body.replace(TRIED_LINK, '\u00ff'), 'latin1');
  const { headers } = trial.signed(body);
  const answer = refusalOr(() => gateway.parse({ rawBody, headers }));
  ok(
    answer instanceof InvalidSignature,
    `parse reads bytes that are no UTF-8 as ${shown(answer)}; decode with ` +
      "`new TextDecoder('utf-8', { fatal: true })`, or the link is another text than the signed one.",
  );
}

async function answersNonsense(trial: ContractTrial): Promise<void> {
  const gateway = trial.open();
  const whole = JSON.parse(trial.sample(gateway).body) as Record<string, unknown>;
  for (const each of nonsenseOf(whole)) {
    const delivery = trial.signed(each);
    const said = `\`${shown(String(delivery.rawBody))}\``;
    if (!trial.options.signsFields) {
      const verdict = await gateway.verify(delivery).then(
        () => 'verified',
        (error: unknown) => error,
      );
      ok(
        verdict === 'verified',
        `verify refuses the really signed body ${said} (${shown(verdict)}); judge the signature ` +
          'of the raw bytes there, and the body in parse. Or `sign` signs otherwise than the provider.',
      );
    }
    await readOrRefused(trial, gateway, delivery, said);
  }
}

async function readOrRefused(
  trial: ContractTrial,
  gateway: Gateway,
  delivery: Delivery,
  said: string,
): Promise<void> {
  try {
    await gateway.verify(delivery);
    const told = gateway.parse(delivery);
    ok(told.length === 1, `parse tells ${shown(told)} of ${said}; tell one event for one body.`);
    ok(
      READABLE.has(told[0]?.kind),
      `parse tells ${shown(told)} of ${said}, which is a paid sample with one wrong part. ${ADVICE}`,
    );
    for (const one of told) trial.judge(one);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ASSERTION') throw error;
    ok(
      error instanceof InvalidSignature,
      `the signed body ${said} has verify or parse throw ${shown(error)}; ${ADVICE}`,
    );
  }
}

function nonsenseOf(whole: Record<string, unknown>): (string | Buffer)[] {
  return [
    '',
    '{',
    'null',
    '[]',
    '1',
    '"x"',
    '{}',
    '['.repeat(100_000),
    '\uFEFF{}',
    Buffer.from([0xff, 0xfe, 0x00]),
    JSON.stringify({ ...whole, id: 'a\u0000b', event_type: 'a b', type: '' }),
    ...Object.keys(whole).map((key) => JSON.stringify({ ...whole, [key]: null })),
    ...Object.keys(whole).map((key) => JSON.stringify({ ...whole, [key]: { object: { id: 7 } } })),
    ...everyValueSwapped(whole, WRONG),
  ];
}

/** The body over and over, each time with one value anywhere in it replaced by a wrong one. */
function everyValueSwapped(whole: unknown, wrong: readonly unknown[]): string[] {
  const swapped = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [...wrong];
    return Object.entries(value).flatMap(([key, inner]) =>
      [...wrong, ...swapped(inner)].map((other) => ({ ...value, [key]: other })),
    );
  };
  return swapped(whole).map((value) => JSON.stringify(value));
}
