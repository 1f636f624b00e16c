import type { Locale, PrintedDocument } from '../../documents/index.js';
import type { SpokenPortal } from './portal-language.js';

export interface PortalPageProps extends SpokenPortal {
  token: string;
  /** One sentence about what the reader has just done. */
  notice?: string | undefined;
}

export interface PageProps extends PortalPageProps {
  locale: Locale;
  paper: PrintedDocument;
}
