/** In characters as JSON Schema and PostgreSQL count them; `length` counts some of them twice. */
export function lengthOf(text: string): number {
  const { length } = text;
  let pairs = 0;
  for (let at = 0; at < length; at += 1) if (text.charCodeAt(at) >>> 10 === 0x36) pairs += 1;
  return length - pairs;
}
