import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { Locale } from '../../documents/index.js';
import { ICON } from './icon.js';
import { PORTAL_STYLE } from './portal-style.js';

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
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href={ICON} />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: PORTAL_STYLE }} />
      </head>
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
