const LONGEST_NAME = 60;

/** A caller's text, short enough to be sent back. */
export function excerpt(text: string, most = LONGEST_NAME): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** A name that the caller gave to something; a token that was pasted in its place is none. */
export function shownName(name: string): string {
  // Enough to see a run that begins in what is shown; a name may be as long as a body.
  const seen = name.slice(0, LONGEST_NAME + SHORTEST_TOKEN);
  return excerpt(seen.replaceAll(LONG_RUN, (run) => (isRandom(run) ? '***' : run)));
}

const SHORTEST_TOKEN = 40;
/** As long as that. */
const LONG_RUN = /[\w-]{40,}/g;

function isRandom(run: string): boolean {
  return /[A-Z]/.test(run) && /\d/.test(run);
}

/** One step of a JSON Pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  return `/${shownName(String(name)).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
