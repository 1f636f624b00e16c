import { accentStyle } from '../../documents/index.js';
import { ICON } from './icon.js';
import { PORTAL_STYLE } from './portal-style.js';

/** Of each page: search engines leave it out, and no other site learns the address with its token. */
export function PortalHead({ title, accent }: { title: string; accent?: string | null }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <link rel="icon" href={ICON} />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: PORTAL_STYLE + accentStyle(accent) }} />
    </head>
  );
}
