import type { Locale, PrintedDocument } from '../../documents/index.js';
import type { OpenedPage } from '../application/portal-pages.service.js';
import type { SpokenPortal } from './portal-language.js';

/** A form that was not taken, to be shown again as it was sent. */
export interface RefusedForm {
  step: 'accept' | 'reject';
  values: Record<string, string>;
  /** Names of its fields. */
  wrong: ReadonlySet<string>;
}

export interface PortalPageProps extends SpokenPortal<OpenedPage> {
  token: string;
  /** One sentence about what the reader has just done. */
  notice?: string | undefined;
  refused?: RefusedForm | undefined;
}

export interface PageProps extends PortalPageProps {
  locale: Locale;
  paper: PrintedDocument;
}
