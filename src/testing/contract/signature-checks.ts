import { deepStrictEqual, ok } from 'node:assert';
import { type Gateway, InvalidSignature, type SampleDelivery } from '../../payments/index.js';
import { Chance } from '../chance.js';
import type { ContractCheck } from './contract-options.js';
import {
  assertForged,
  type ContractTrial,
  deliveredAs,
  shown,
  verdictOn,
} from './contract-trial.js';

const SEED = 20_261_124;
const RANDOM_HEADERS = 100;
const RAW_BYTES =
  'Compare the signature over the raw bytes of the body, exactly as they came, not over what was parsed from them.';
const ONE_FORM =
  'Take one header of exactly the form that the provider sends, and compare it whole and in constant time.';

/** Nothing that anybody changed is taken. */
export function signatureChecks(trial: ContractTrial): ContractCheck[] {
  return [
    {
      name: 'refuses every change of one byte of the body that counts',
      run: async () => refusesEachByte(trial),
    },
    {
      name: 'refuses headers that are missing, empty, repeated, cut or garbled',
      run: async () => refusesWrongHeaders(trial),
    },
    {
      name: 'never verifies random headers, and never fails in another way',
      run: async () => refusesRandomHeaders(trial),
    },
  ];
}

async function refusesEachByte(trial: ContractTrial): Promise<void> {
  const gateway = trial.open();
  const { body, headers } = trial.sample(gateway);
  const whole = Buffer.from(body);
  let unsigned = 0;
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
    const outcome = await verdictOn(gateway, { body: changed, headers });
    const what = `a body whose byte ${at} was changed: ${shown(changed.toString('latin1'))}`;
    if (outcome === 'verified' && trial.options.signsFields) {
      unsigned += 1;
      assertSame(trial, gateway, changed, { body, headers });
    } else assertForged(outcome, what, RAW_BYTES);
  }
  ok(
    unsigned > 0 === (trial.options.signsFields !== undefined),
    'every byte is signed, though `signsFields` is given; leave it out.',
  );
  const empty = await verdictOn(gateway, { body: '', headers });
  assertForged(empty, 'an empty body under the signature of another one', RAW_BYTES);
  const longer = trial.options.signsFields ? `${body}x` : `${body} `;
  const verdict = await verdictOn(gateway, { body: longer, headers });
  assertForged(verdict, 'a body with one more character at its end', RAW_BYTES);
}

/** Of fields that are not signed, so it means the same. */
function assertSame(
  trial: ContractTrial,
  gateway: Gateway,
  changed: Buffer,
  real: SampleDelivery,
): void {
  const { headers } = real;
  const told = trial.reportOf(gateway, { rawBody: changed, headers });
  deepStrictEqual(
    trial.meaningOf(told),
    trial.meaningOf(trial.reportOf(gateway, deliveredAs(real))),
    'a change that the signature does not cover changes the report; sign the field, or name it in `signsFields.unsigned`.',
  );
}

async function refusesWrongHeaders(trial: ContractTrial): Promise<void> {
  const gateway = trial.open();
  const sample = trial.sample(gateway);
  const { body, headers } = sample;
  const judged = trial.judged(sample);
  for (const key of Object.keys(headers).filter((each) => each !== 'content-type')) {
    const value = headers[key] ?? '';
    const wrong = [
      undefined,
      '',
      ' ',
      [],
      [value],
      [value, value],
      `${value}, ${value}`,
      value.slice(0, 4),
      // An unsigned header is a hint; its last letters may be any.
      ...(judged.includes(key) ? [value.slice(0, -4), `${value}x`] : []),
      `\u00e9${value}`,
      'x'.repeat(10_000),
      '__proto__',
      '-1',
      '1e3',
      '0x10',
      'NaN',
    ];
    for (const each of wrong) {
      const verdict = await verdictOn(gateway, { body, headers: { ...headers, [key]: each } });
      assertForged(verdict, `the header ${key} of ${shown(each)}`, ONE_FORM);
    }
  }
}

async function refusesRandomHeaders(trial: ContractTrial): Promise<void> {
  const gateway = trial.open();
  const sample = trial.sample(gateway);
  const judged = trial.judged(sample);
  ok(
    judged.length > 0 || trial.options.signsFields,
    `a sample of ${trial.name} has no header by which it is judged; sign it, or give \`signsFields\`.`,
  );
  const chance = new Chance(SEED);
  const keys = Object.keys(sample.headers);
  for (let tried = 0; tried < RANDOM_HEADERS; tried += 1) {
    const random = Object.fromEntries(
      keys.map((key) => [key, chance.isIn(50) ? textBy(chance) : sample.headers[key]]),
    );
    const changed = keys.filter((key) => key !== 'content-type');
    // At least one is another than the real one.
    const [first = ''] = [chance.of(changed)];
    if (changed.every((key) => random[key] === sample.headers[key])) random[first] = textBy(chance);
    const verdict = await verdictOn(gateway, { body: sample.body, headers: random });
    ok(
      verdict instanceof InvalidSignature,
      `verify answers ${shown(verdict)} to the headers ${shown(random)}. ${ONE_FORM}`,
    );
  }
}

/** Short and long, of letters, of signs and of characters that are no ASCII. */
function textBy(chance: Chance): string {
  const length = chance.below(12);
  const codes = Array.from({ length }, () =>
    chance.isIn(80) ? 0x20 + chance.below(0x5f) : chance.below(0xd800),
  );
  return String.fromCodePoint(...codes);
}
