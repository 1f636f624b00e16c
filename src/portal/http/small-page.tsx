import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { Locale } from '../../documents/index.js';
import { PortalHead } from './portal-head.js';

export const SMALL_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'";

/** A page of a sentence or two, in a language of ours. */
export interface SmallPage {
  /** BCP 47. */
  language: string | null;
  title: string;
  sentence: string;
  link?: { text: string; url: string };
  /** Of a form that sends nothing but itself, to the address of the page. */
  button?: string;
}

export function sendSmallPage(response: Response, page: SmallPage): void {
  response.setHeader('Content-Security-Policy', SMALL_PAGE_POLICY);
  response.type('html').send(smallPage(page));
}

export function smallPage({ language: asked, title, sentence, link, button }: SmallPage): string {
  const { language, direction } = Locale.of(asked);
  const page = renderToString(
    <html lang={language} dir={direction}>
      <PortalHead title={title} />
      <body>
        <main>
          <section class="sheet">
            <h1>{title}</h1>
            <p role="status">{sentence}</p>
            {button && (
              <form method="post">
                <button type="submit">{button}</button>
              </form>
            )}
            {link && (
              <p>
                <a href={link.url}>{link.text}</a>
              </p>
            )}
          </section>
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>${page}`;
}
