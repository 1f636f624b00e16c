const MARKS = /[ -/:-@[-`{-~]/g;

/**
 * A reference as it is compared: without spaces and punctuation, in capitals. The database has the
 * same function, and so both know the characters of ASCII alone.
 */
export function referenceKey(text: string): string {
  return text.replace(MARKS, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
