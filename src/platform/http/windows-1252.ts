/** Each character of Windows-1252 with its byte. */
const BYTES = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (character, byte) => [character, byte],
  ),
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
