import { describe, expect, it } from 'vitest';
import { AddressList } from '../../src/kernel/address-list.js';

describe('a block of addresses', () => {
  it.each([
    '192.0.2.0/24',
    '192.0.2.7',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '2001:db8::/32',
    '::1',
    '::/0',
    'fe80::1/128',
  ])('is one: %s', (text) => {
    expect(AddressList.isBlock(text)).toBe(true);
  });

  it.each([
    '',
    'x',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/024',
    '192.0.2.0/',
    '192.0.2.0/24/8',
    '192.0.2/24',
    '192.0.2.0 /24',
    '0300.0.2.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:192.0.2.1',
    '::ffff:192.0.2.0/120',
    '192.0.2.0/1e1',
  ])('is none: %j', (text) => {
    expect(AddressList.isBlock(text)).toBe(false);
  });
});

describe('a list of addresses', () => {
  const list = new AddressList(['192.0.2.0/24', '2001:db8::/32', '203.0.113.7']);

  it.each(['192.0.2.255', '203.0.113.7', '::ffff:192.0.2.1', '2001:db8:1::1', '2001:DB8::'])(
    'has %s',
    (address) => expect(list.has(address)).toBe(true),
  );

  it.each(['192.0.3.0', '203.0.113.8', '::ffff:192.0.3.1', '2001:db9::1', '::1', '', 'x', null])(
    'has not %s',
    (address) => expect(list.has(address)).toBe(false),
  );

  it('has the address of a link, whatever its zone', () => {
    expect(new AddressList(['fe80::/10']).has('fe80::1%eth0')).toBe(true);
  });

  it.each([
    ['192.0.2.0/24', true],
    ['192.0.2.128/25', true],
    ['192.0.2.1', true],
    ['192.0.0.0/16', false],
    ['192.0.3.0/25', false],
    ['2001:db8:ff::/48', true],
    ['2001::/16', false],
    ['::/0', false],
    ['x', false],
  ])('holds all of %s: %s', (block, holds) => {
    expect(list.holds(block)).toBe(holds);
  });
});
