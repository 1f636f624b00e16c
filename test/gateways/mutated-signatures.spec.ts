import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  type Gateway,
  InvalidSignature,
  type SampleDelivery,
} from '../../src/payments/port/domain/gateway.js';
import { Chance } from '../hostile/chance.js';
import { meaningOf, openAllGateways, PROVIDER_NAMES, SIGNS_FIELDS } from './all-gateways.js';
import { LINK, NOW, reportOf } from './gateway-builders.js';

/** `npm run test:signatures` tries 100,000. */
const COUNT = Number(process.env['SIGNATURES'] ?? '2000');
/** Not signed: a hint where a certificate is, and the type of the body. */
const FREE = new Set(['content-type', 'paypal-cert-url']);

type Headers = Record<string, string | string[]>;
interface Mutant {
  rawBody: Buffer;
  headers: Headers;
}

let gateways = new Map<string, Gateway>();
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-mutants-'));
  gateways = await openAllGateways(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The delivery with one thing changed that its signature covers, or that is the signature. */
function mutant({ body, headers }: SampleDelivery, other: SampleDelivery, chance: Chance): Mutant {
  const rawBody = Buffer.from(body);
  const signed = Object.keys(headers).filter((name) => !FREE.has(name));
  const name = chance.of(signed);
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
function expectSigned(gateway: Gateway, { rawBody, headers }: Mutant, real: SampleDelivery[]) {
  const told = reportOf(gateway, { rawBody, headers });
  const meant = real.map(({ body }) =>
    meaningOf(reportOf(gateway, { rawBody: Buffer.from(body), headers })),
  );
  if (told.kind !== 'irrelevant') expect(meant).toContainEqual(meaningOf(told));
}

describe.each(PROVIDER_NAMES)('%s', (name) => {
  it(`takes none of ${COUNT} mutated deliveries, and fails in no other way`, async () => {
    const gateway = gateways.get(name);
    if (!gateway) throw new Error(`${name} is not open`);
    const sample = () =>
      gateway.samplePaidDelivery({ id: LINK, amount: Money.of(12_50n, 'EUR') }, NOW);
    const chance = new Chance(20_261_124);
    let [real, other] = [sample(), sample()];
    let tried = 0;
    while (tried < COUNT) {
      if (tried % 100 === 0) [real, other] = [sample(), sample()];
      const tampered = mutant(real, other, chance);
      if (isSame(tampered, real)) continue;
      tried += 1;
      const verdict = await gateway.verify(tampered).then(
        () => 'verified',
        (error: unknown) => error,
      );
      if (verdict instanceof InvalidSignature) continue;
      if (verdict === 'verified' && SIGNS_FIELDS.has(name)) {
        expectSigned(gateway, tampered, [real, other]);
        continue;
      }
      expect([tampered.rawBody.toString('latin1'), tampered.headers, verdict]).toBe('refused');
    }
    expect(tried).toBe(COUNT);
  });
});
