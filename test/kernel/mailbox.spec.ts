import { describe, expect, it } from 'vitest';
import { isEmailAddress, mailboxOf, storedMailboxOf } from '../../src/kernel/mailbox.js';

const long = (count: number) => 'a'.repeat(count);
const inAll = (text: string): [string, string, string] => [text, text, text];

describe('an address is refused', () => {
  it.each([
    ['without an @', 'nobody'],
    ['without a local part', '@example.com'],
    ['without a dot in its domain', 'a@localhost'],
    ['with two dots', 'a@x..com'],
    ['with a dot at an end of its domain', 'a@example.com.'],
    ['with two dots before the @', 'a..b@example.com'],
    ['with a dot at an end of its local part', 'a.@example.com'],
    ['with a local part of 65', `${long(65)}@example.com`],
    ['with a local part of 33 letters and 66 octets', `${'ä'.repeat(33)}@example.com`],
    ['of 255', `${long(60)}@${`${long(60)}.`.repeat(3)}${long(8)}.com`],
    ['with a label of 64', `a@${long(64)}.com`],
    ['with a label of 64 in ASCII', `a@${'ü'.repeat(60)}.com`],
    ['with an address literal', 'a@[127.0.0.1]'],
    ['with an IP address', 'a@127.0.0.1'],
    ['with an IP address as browsers read it', 'a@0x7f.0x1'],
    ['with IPv6', 'a@[IPv6:::1]'],
    ['in brackets', '<v@example.com>'],
    ['with a name', 'V <v@example.com>'],
    ['with a comment', 'v(home)@example.com'],
    ['in quotes', '"v"@example.com'],
    ['beside another one', 'v@example.com, w@example.com'],
    ['behind another one', 'v@example.com;w@example.com'],
    ['with a space', 'v @example.com'],
    ['with a space at its end', 'v@example.com '],
    ['with a line end', 'v@example.com\nBcc: w@example.com'],
    ['with a sign that is not seen', 'v\u200B@example.com'],
    ['with a hyphen at an end of a label', 'v@-example.com'],
    ['with an underscore in its domain', 'v@a_b.com'],
    ['with a percent sign in its domain', 'v@%65xample.com'],
  ])('%s', (_which, text) => expect(isEmailAddress(text)).toBe(false));

  it.each([null, 1, ['v@example.com'], { toString: () => 'v@example.com' }])(
    'that is no text: %s',
    (value) => expect(isEmailAddress(value)).toBe(false),
  );
});

describe('one mailbox', () => {
  it.each([
    ['V@Example.COM', 'V@example.com', 'v@example.com', 'v@example.com'],
    ['v+Shop@example.com', 'v+Shop@example.com', 'v+shop@example.com', 'v@example.com'],
    ['+v@example.com', '+v@example.com', '+v@example.com', '+v@example.com'],
    ['v@Bücher.example', ...inAll('v@xn--bcher-kva.example')],
    ['v@XN--bcher-KVA.example', ...inAll('v@xn--bcher-kva.example')],
    ['v@ｅxample.com', ...inAll('v@example.com')],
    [`${long(64)}@example.com`, ...inAll(`${long(64)}@example.com`)],
    ["o'neil_%&@example.com", ...inAll("o'neil_%&@example.com")],
    ['उदाहरण@हिन्दी.भारत', ...inAll('उदाहरण@xn--j2bd4cyah0f.xn--h2brj9c')],
  ])('%s', (text, address, name, untagged) =>
    expect(mailboxOf(text)).toEqual({ address, name, untagged }),
  );
});

it('Wishes of before hold, whatever was written around the address.', () => {
  const spellings = [
    '<v@example.com>',
    ' V@EXAMPLE.com',
    'Vera <v@Example.com> ',
    '"v" <V@example.com>',
  ];
  expect(spellings.map((text) => storedMailboxOf(text)?.name)).toEqual(
    spellings.map(() => 'v@example.com'),
  );
  expect(storedMailboxOf('nobody')).toBeNull();
});
