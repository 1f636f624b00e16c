/**
 * A text without the characters at its end for which this holds. As a regular expression, /0+$/, it
 * takes time with the square of the length: the search starts anew at each of the characters.
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
