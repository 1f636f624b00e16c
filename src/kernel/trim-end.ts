/**
 * Drops the characters at the end of a text that pass the test. As a regular expression, /0+$/, it
 * takes quadratic time: the search starts anew at each character.
 */
export function trimEndWhile(text: string, isDropped: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isDropped(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The base of an API, to which paths are added. */
export function withoutEndSlashes(url: string): string {
  return trimEndWhile(url, (end) => end === '/');
}
