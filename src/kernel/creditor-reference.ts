// ISO 11649: a reference that names its document through any bank. `RF`, two check digits (ISO 7064
// MOD 97-10) and up to 21 letters and digits.

const BODY = /^[A-Za-z0-9]{1,21}$/;
const FORM = /^RF(\d\d)([A-Z0-9]{1,21})$/;
/** The characters that people write between the parts of a number. */
const SEPARATORS = /[ \-/._#]/g;

/** Letters and digits alone, in capitals: `Inv-2026/7` is `INV20267`. */
function withoutSeparators(text: string): string {
  return text.replace(SEPARATORS, '').toUpperCase();
}

/** The reference that says `text`; undefined where that has other characters or is too long. */
export function creditorReference(text: string): string | undefined {
  // Judged before it is put in capitals: an `ß` is none that we may write as SS.
  const body = text.replace(SEPARATORS, '');
  if (!BODY.test(body)) return undefined;
  const capitals = body.toUpperCase();
  return `RF${checkDigits(capitals)}${capitals}`;
}

/** Reads a reference as people write it, in groups and in small letters; undefined for none. */
export function parseCreditorReference(text: string): string | undefined {
  const reference = withoutSeparators(text);
  const [, digits, body = ''] = FORM.exec(reference) ?? [];
  return digits !== undefined && digits === checkDigits(body) ? reference : undefined;
}

/**
 * The reference of something whose number makes none, from the random end of its UUIDv7: twelve
 * characters, always the same ones.
 */
export function creditorReferenceOfId(id: string): string {
  const random = BigInt(`0x${id.replaceAll('-', '').slice(-15)}`);
  const body = random.toString(36).toUpperCase().padStart(12, '0');
  return `RF${checkDigits(body)}${body}`;
}

/** In groups of four, as ISO 11649 has it on paper. */
export function groupedByFour(reference: string): string {
  return reference.replace(/(.{4})(?=.)/g, '$1 ');
}

/** From 02 to 98, so that each reference has one pair of digits only. */
function checkDigits(body: string): string {
  const digits = [...`${body}RF00`].map((character) => parseInt(character, 36)).join('');
  return `${98n - (BigInt(digits) % 97n)}`.padStart(2, '0');
}
