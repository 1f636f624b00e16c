import { afterEach, describe, expect, it } from 'vitest';
import { HeldCollections } from '../../../src/payments/index.js';
import {
  anInvoiceOf,
  aPayer,
  collect,
  debits,
  look,
  round,
  service,
  stub,
  withDebits,
} from './debits.js';

// After a restore nobody is debited once more without a word.

withDebits();

const restore = async () =>
  service.database.query(`UPDATE held_work SET history = 'another' WHERE kind = 'collections'`);
const held = () => service.app.get(HeldCollections);
afterEach(async () => held().release());

describe('debits after a restore', () => {
  it('do not begin by themselves until somebody says so', async () => {
    const { customer } = await aPayer();
    await anInvoiceOf(customer, 5);
    await restore();
    expect(await round()).toBe(0);
    expect(await held().survey()).toEqual({ held: true, due: 1 });
    expect((await service.metrics()).text).toMatch(/^collections_held 1$/m);
    expect(debits()).toEqual([]);
    await held().release();
    expect(await round()).toBe(1);
    expect(debits()).toHaveLength(1);
    expect(await held().survey()).toEqual({ held: false, due: 0 });
  });

  it('whose call was lost are looked for, and not sent again', async () => {
    const { customer } = await aPayer({});
    const invoice = await anInvoiceOf(customer, 5);
    stub.failure = 500;
    await collect(invoice);
    expect(debits()).toEqual([]);
    stub.failure = null;
    await restore();
    await look();
    expect(debits()).toEqual([]);
    await held().release();
    await look(60);
    expect(debits()).toHaveLength(1);
  });
});
