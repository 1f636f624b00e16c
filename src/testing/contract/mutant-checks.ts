import { ok } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { type Gateway, InvalidSignature, type SampleDelivery } from '../../payments/index.js';
import { Chance } from '../chance.js';
import type { ContractCheck } from './contract-options.js';
import { assertForged, type ContractTrial, deliveredAs, verdictOn } from './contract-trial.js';

const MUTANTS = 2000;
const SEED = 20_261_124;

type Headers = Record<string, string | string[]>;
interface Mutant {
  rawBody: Buffer;
  headers: Headers;
}

export function mutantChecks(trial: ContractTrial): ContractCheck[] {
  const { mutants = MUTANTS } = trial.options;
  return [
    {
      name: `takes none of ${mutants} mutated deliveries, and fails in no other way`,
      run: async () => takesNoMutant(trial, mutants),
    },
  ];
}

async function takesNoMutant(trial: ContractTrial, count: number): Promise<void> {
  const gateway = trial.open();
  const chance = new Chance(SEED);
  let [real, other] = [trial.sample(gateway), trial.sample(gateway)];
  for (let tried = 0; tried < count;) {
    if (tried % 100 === 0) [real, other] = [trial.sample(gateway), trial.sample(gateway)];
    const tampered = mutant(trial, real, other, chance);
    if (isSame(tampered, real)) continue;
    tried += 1;
    const { rawBody: body, headers } = tampered;
    const verdict = await verdictOn(gateway, { body, headers });
    if (verdict instanceof InvalidSignature) continue;
    if (verdict === 'verified' && trial.options.signsFields) {
      assertSigned(trial, gateway, tampered, [real, other]);
      continue;
    }
    const what = `the changed delivery ${body.toString('latin1')} with ${JSON.stringify(headers)}`;
    assertForged(verdict, what, 'Its sample was another one: judge every byte of body and header.');
  }
}

/** The delivery with one thing changed that its signature covers, or that is the signature. */
function mutant(
  trial: ContractTrial,
  real: SampleDelivery,
  other: SampleDelivery,
  chance: Chance,
): Mutant {
  const { body, headers } = real;
  const rawBody = Buffer.from(body);
  const name = chance.of(trial.judged(real));
  const value = headers[name] ?? '';
  const at = chance.below(rawBody.length);
  const withValue = (text: string | string[]) => ({
    rawBody,
    headers: { ...headers, [name]: text },
  });
  const withBody = (bytes: Buffer | string) => ({ rawBody: Buffer.from(bytes), headers });
  const kinds: (() => Mutant)[] = [
    () => withBody(flipped(rawBody, at, chance.below(8))),
    () => withBody(rawBody.subarray(0, at)),
    () =>
      withBody(Buffer.concat([rawBody.subarray(0, at), Buffer.from('x'), rawBody.subarray(at)])),
    () => withBody(JSON.stringify(JSON.parse(body), null, 1 + chance.below(4))),
    () => withBody(other.body),
    () => withValue(flippedText(value, chance)),
    () => withValue(value.slice(0, chance.below(value.length))),
    () => withValue(value + chance.hex(1 + chance.below(4))),
    () => withValue(chance.hex(1 + chance.below(64))),
    () => withValue([value, other.headers[name] ?? '']),
    () => withValue(`${value}, ${value}`),
    () => withValue(other.headers[name] ?? ''),
    () => ({ rawBody, headers: without(headers, name) }),
    () => ({ rawBody, headers: {} }),
  ];
  return chance.of(kinds)();
}

function without(headers: Record<string, string>, name: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
}

function flippedText(text: string, chance: Chance): string {
  return flipped(Buffer.from(text), chance.below(text.length), chance.below(7)).toString('latin1');
}

function plain(headers: object): string {
  return JSON.stringify(Object.entries(headers).sort());
}

/** A signature that says the same in other words is no forgery. */
function isSame({ rawBody, headers }: Mutant, real: SampleDelivery): boolean {
  return rawBody.equals(Buffer.from(real.body)) && plain(headers) === plain(real.headers);
}

/** The fields that are signed are as they were, so it means the same, or nothing. */
function assertSigned(
  trial: ContractTrial,
  gateway: Gateway,
  { rawBody, headers }: Mutant,
  real: SampleDelivery[],
): void {
  const told = trial.reportOf(gateway, { rawBody, headers });
  const meant = real.map((one) =>
    trial.meaningOf(trial.reportOf(gateway, { ...deliveredAs(one), headers })),
  );
  ok(
    told.kind === 'irrelevant' ||
      meant.some((one) => isDeepStrictEqual(one, trial.meaningOf(told))),
    `a forged body is read as ${told.kind}; the signature has to cover every field that counts: ${rawBody.toString('latin1')}`,
  );
}
