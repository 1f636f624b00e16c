import iconv from 'iconv-lite';

const UNDEFINED = '\ufffd';

/**
 * Each character of Windows-1252 with its byte. `TextDecoder` is no help: in some releases of Node
 * it takes Latin-1 for it, which has no euro.
 */
const BYTES = new Map(
  Array.from(
    iconv.decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), 'windows1252'),
    (character, byte) => [character, byte] as const,
  ).filter(([character]) => character !== UNDEFINED),
);

/** Letters with a stroke are no letter and an accent. */
const STROKES = new Map(Object.entries({ Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i' }));

const QUESTION_MARK = 0x3f;

/** A character without a byte loses its accents; one that still has none is a question mark. */
export function toWindows1252(text: string): Buffer {
  return Buffer.from([...text.normalize('NFC')].flatMap(bytesOf));
}

function bytesOf(character: string): number[] {
  const byte = BYTES.get(character);
  if (byte !== undefined) return [byte];
  const bare = [...(STROKES.get(character) ?? character.normalize('NFKD').replace(/\p{M}/gu, ''))];
  const bytes = bare.map((part) => BYTES.get(part) ?? QUESTION_MARK);
  return bytes.length > 0 ? bytes : [QUESTION_MARK];
}
