import { domainToASCII } from 'node:url';

/** A plain e-mail address, read once and for all that mail asks of it. */
export interface Mailbox {
  /** As mail servers are told: its domain in ASCII and small letters. */
  address: string;
  /** The same for two spellings of one mailbox. */
  name: string;
  /** The same for all tags of one mailbox, too: `v+shop@` is `v@`. */
  untagged: string;
}

/** Characters that no program of mail takes for more than one address, or for a part of its syntax. */
const LOCAL_PART = /^[^\s\p{C}@<>()[\]\\,;:".]+(\.[^\s\p{C}@<>()[\]\\,;:".]+)*$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;
/** RFC 5321 4.5.3.1, in octets. */
const LONGEST_LOCAL_PART = 64;
const LONGEST = 254;

/**
 * `local@a.domain`: no name beside, no brackets, no quotes, no IP address. RFC 5321 lets the local
 * part differ by case; as no provider does, its case tells nobody apart.
 */
export function mailboxOf(text: string): Mailbox | null {
  if (text.length > LONGEST) return null;
  const at = text.lastIndexOf('@');
  const [local, written] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (!LOCAL_PART.test(local) || Buffer.byteLength(local) > LONGEST_LOCAL_PART) return null;
  if (!DOMAIN.test(written)) return null;
  const domain = domainToASCII(written);
  const labels = domain.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return null;
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null;
  const address = `${local}@${domain}`;
  if (Buffer.byteLength(address) > LONGEST) return null;
  const plain = local.normalize('NFKC').toLowerCase();
  const [untagged = ''] = plain.split('+', 1);
  return {
    address,
    name: `${plain}@${domain}`,
    untagged: `${untagged || plain}@${domain}`,
  };
}

export function isEmailAddress(text: unknown): text is string {
  return typeof text === 'string' && mailboxOf(text) !== null;
}

/** Also of what was stored before only plain addresses were taken: `Name <v@example.com>`. */
export function storedMailboxOf(text: string): Mailbox | null {
  const [, inner] = /<([^<>]*)>\s*$/.exec(text) ?? [];
  return mailboxOf((inner ?? text).trim());
}

/** As an address may be kept: the name of its mailbox, or, before there were names, its small letters. */
export function spellingsOf(address: string): string[] {
  return [storedMailboxOf(address)?.name ?? '', address.toLowerCase()];
}
