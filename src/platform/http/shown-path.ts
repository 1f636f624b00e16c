const HIDDEN = '***';

/** Words, which routes and names of gateways are made of; a random token has capitals and digits. */
const WORDS = /^[a-z]{1,24}(?:[-._][a-z]{1,24}){0,9}$/;
const PUBLIC_ID = /^[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26}$/;
/** Less than half of a token. */
const SHORT = /^[\w.~-]{1,20}$/;

/** Of the portal, whose other segments are tokens, however short. */
const OF_THE_PORTAL = new Set(
  'documents pdf receipt return pay accept reject stop-reminders schedule ask-to-end end'.split(
    ' ',
  ),
);

/**
 * A request path that may be shown: whoever copies a refusal into a ticket gives no secret away.
 * Portal links and tokens may stand in any path, because people and programs mistype them. So only
 * segments that cannot be a secret are shown.
 */
export function withoutSecrets(path: string): string {
  let isPortal = false;
  const shown = path.split('/').map((segment) => {
    const isShown = segment === '' || (isPortal ? isOfThePortal(segment) : isHarmless(segment));
    isPortal ||= decoded(segment)?.toLowerCase() === 'portal';
    return isShown ? segment : HIDDEN;
  });
  return shown.join('/');
}

function isOfThePortal(segment: string): boolean {
  return OF_THE_PORTAL.has(segment.toLowerCase()) || PUBLIC_ID.test(segment);
}

function isHarmless(segment: string): boolean {
  const text = decoded(segment);
  return text !== null && (WORDS.test(text) || PUBLIC_ID.test(text) || SHORT.test(text));
}

/** Null if the bytes are no text. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
