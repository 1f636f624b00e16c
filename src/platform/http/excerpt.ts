const LONGEST_NAME = 60;

/** A caller's text, short enough to be sent back. */
export function excerpt(text: string, most = LONGEST_NAME): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** One step of a JSON Pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  return `/${excerpt(String(name)).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
