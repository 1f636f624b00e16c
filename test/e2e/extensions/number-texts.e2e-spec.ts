import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CountedNumber, NumberTexts } from '../../../src/documents/index.js';
import { defineExtension } from '../../../src/extensions/extension.js';
import { Installation } from '../../../src/extensions/installation.js';
import { createLog } from '../../../src/platform/observability/log.js';
import type { TestClient } from '../../support/client.js';
import { observers } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { audited, listed } from '../documents/numbering.js';

/* Numbers written by an extension: the count stays ours, and a wrong text leaves no gap. */

const good = ({ number, sequence, account }: CountedNumber) =>
  `${number}/${account.currency}-${sequence % 97n}`;
/** How the next numbers are written. */
const state: { write: (counted: CountedNumber) => unknown } = { write: good };

class CheckedNumbers extends NumberTexts {
  textOf(counted: CountedNumber): string {
    return state.write(counted) as string;
  }
}

const extension = defineExtension({
  name: 'numbers',
  quittance: '^0.2',
  ports: [{ provide: NumberTexts, useClass: CheckedNumbers }],
});

let service: TestService;
let client: TestClient;
const lines: string[] = [];
beforeAll(async () => {
  const log = createLog('error', { write: (line) => lines.push(line) });
  service = await startTestService({ installation: new Installation([extension]), log });
  observers.delete(service.url);
});
afterAll(() => service.close());
beforeEach(async () => {
  state.write = good;
  client = await service.aClient();
});

const issue = async () => (await client.anInvoice()).number;

describe('numbers of an extension', () => {
  it('stand on documents and in the list of series, and the audit is whole', async () => {
    expect(await issue()).toBe('INV-00001/EUR-1');
    const invoice = (await listed(client)).find(({ id }) => id === 'invoice');
    expect(invoice).toMatchObject({ next_number: 'INV-00002/EUR-2' });
    expect(await issue()).toBe('INV-00002/EUR-2');
    expect(await audited(client, 'invoice')).toMatchObject({
      complete: true,
      periods: [{ first_number: 'INV-00001/EUR-1', last_number: 'INV-00002/EUR-2', count: 2 }],
    });
  });

  it('have no gap where many are issued at once', async () => {
    const numbers = await Promise.all(Array.from({ length: 12 }, issue));
    expect(numbers.toSorted()).toEqual(
      Array.from({ length: 12 }, (_, at) => `INV-${String(at + 1).padStart(5, '0')}/EUR-${at + 1}`),
    );
    expect(await audited(client, 'invoice')).toMatchObject({ complete: true });
  });

  it.each<[string, (counted: CountedNumber) => unknown, string]>([
    ['empty', () => '', 'must be 1 to 50 characters long'],
    ['too long', ({ number }) => number.padEnd(51, 'x'), 'must be 1 to 50 characters long'],
    ['of two lines', ({ number }) => `${number}\nA`, 'must have printable characters only'],
    ['with a space behind', ({ number }) => `${number} `, 'must not begin or end with a space'],
    ['without the sequence', () => 'INV-A', 'does not show the sequence, 2'],
    ['no text', () => 2, 'is no text'],
    ['a promise', async () => Promise.reject(new Error('late')), 'is no text'],
    ['of another document', () => '2-1', 'is on another document already'],
    ['of a series', () => 'INV-20000', 'is one that a series of yours may still give'],
    [
      'thrown',
      () => {
        throw new Error('no numbers today');
      },
      'no numbers today',
    ],
  ])('that are %s are refused, and the next document has the place', async (_, write, reason) => {
    state.write = ({ sequence }) => `2-${sequence}`;
    expect(await issue()).toBe('2-1');
    state.write = write;
    lines.length = 0;
    const draft = await client.anInvoice({ issue: false });
    const refused = await client.post(`/v1/finance/documents/${draft.id}/issue`, {});
    expect(refused).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(refused.text).not.toContain('sequence');
    expect(lines.join()).toContain(reason);
    expect(await client.get(`/v1/finance/documents/${draft.id}`)).toMatchObject({
      body: { status: 'draft', number: null },
    });
    state.write = good;
    const issued = await client.post<{ number: string }>(
      `/v1/finance/documents/${draft.id}/issue`,
      {},
    );
    expect(issued).toMatchObject({ status: 200, body: { number: 'INV-00002/EUR-2' } });
    expect(await audited(client, 'invoice')).toMatchObject({ complete: true });
  });
});
