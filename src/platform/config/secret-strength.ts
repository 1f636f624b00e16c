import { z } from 'zod';
/** Below this many bits a secret is refused: what a person makes up, or a key too short to be one. */
const ENOUGH_BITS = 80;
/** The bits that it costs to guess a repeated or well-known piece, whatever its length. */
const PIECE_BITS = 8;
const SHORTEST_PIECE = 3;
/** Letters of one case only are mostly words, and these are guessed more easily than dice. */
const LETTER_BITS = 2.5;
/** Nobody's secret is longer; the estimate takes time that grows with the square. */
const LONGEST_JUDGED = 256;

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop'];
const WORDS = (
  'password passwort secret token webhook quittance production development staging default ' +
  'admin root user login master private public letmein welcome changeme change please example ' +
  'sample test demo live sandbox invoice billing payment stripe paypal company service server ' +
  'client database postgres super very long this that with from your hello world dragon monkey ' +
  'football iloveyou correct horse battery staple deadbeef cafebabe trustno foobar whatever'
).split(' ');
const LEET: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' };

/**
 * Why a secret is too easy to guess, as the end of a sentence about it, or null. Text is read from
 * left to right. Text that was there before, runs such as `1234` or `aaaa`, keyboard rows and
 * common words count as one piece each. Every other character counts as one of the alphabet that is
 * used.
 */
export function weaknessOf(secret: string): string | null {
  // Providers write what a key is for before it: these and no others, as random text may hold a `_`.
  const text = secret.replace(/^(whsec|[a-z]{2,8}_(live|test|prod))_/, '').slice(0, LONGEST_JUDGED);
  return bitsOf(text) < ENOUGH_BITS
    ? 'is too easy to guess; use random bytes, as of openssl rand -base64 48'
    : null;
}

function bitsOf(text: string): number {
  const plain = text.toLowerCase();
  const read = [...plain].map((letter) => LEET[letter] ?? letter).join('');
  let pieces = 0;
  let singles = '';
  for (let at = 0; at < text.length;) {
    const length = Math.max(runAt(plain, at), repeatAt(plain, at), wordAt(read, at));
    if (length >= SHORTEST_PIECE) {
      pieces += 1;
      at += length;
    } else {
      singles += text.charAt(at);
      at += 1;
    }
  }
  return pieces * PIECE_BITS + singles.length * bitsPerCharacter(text);
}

/** Of what alphabet it is: by all that is used, not by what a short rest happens to use. */
function bitsPerCharacter(text: string): number {
  if (/^[a-z _.-]*$|^[A-Z _.-]*$/.test(text)) return LETTER_BITS;
  if (/^\d*$/.test(text)) return Math.log2(10);
  if (/^[\da-f-]*$|^[\dA-F-]*$/.test(text)) return 4;
  if (/^[\da-z_-]*$|^[\dA-Z_-]*$/.test(text)) return Math.log2(36);
  return 6;
}

/** Characters that stay, count up or count down. */
function runAt(text: string, from: number): number {
  const step = text.charCodeAt(from + 1) - text.charCodeAt(from);
  if (!(Math.abs(step) <= 1)) return 1;
  let to = from + 1;
  while (to + 1 < text.length && text.charCodeAt(to + 1) - text.charCodeAt(to) === step) to += 1;
  return to - from + 1;
}

/** The longest piece from here that begins earlier, also where the two overlap: `abcabcabc`. */
function repeatAt(text: string, from: number): number {
  let longest = 0;
  for (let earlier = 0; earlier < from; earlier += 1) {
    let length = 0;
    while (from + length < text.length && text[earlier + length] === text[from + length])
      length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

function wordAt(text: string, from: number): number {
  const word = WORDS.filter((each) => text.startsWith(each, from)).map(({ length }) => length);
  const rows = KEYBOARD.map((row) => sharedWith(row, text, from)).filter((length) => length > 3);
  return Math.max(0, ...word, ...rows);
}

function sharedWith(row: string, text: string, from: number): number {
  const start = row.indexOf(text.charAt(from));
  if (start < 0) return 0;
  let length = 0;
  while (start + length < row.length && row[start + length] === text[from + length]) length += 1;
  return length;
}

const SHORTEST_SECRET = 32;

/** `newest,older`: one secret, or several while they are rotated. */
export const secretList = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (secrets) => secrets.every(({ length }) => length >= SHORTEST_SECRET),
    `each secret must have at least ${SHORTEST_SECRET} characters; a comma separates several`,
  );
