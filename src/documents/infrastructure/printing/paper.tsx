import { renderToString } from 'preact-render-to-string';
import { Locale } from '../../domain/printing/formatting.js';
import type { LetterLayout } from '../../domain/printing/paper-layouts.js';
import { accentShades } from './accent-color.js';
import { fontFacesFor } from './fonts.js';
import { letterStyle } from './letter-style.js';
import { cssString, PAPER_STYLE, pageFooter } from './pdf-style.js';
import { SLIP_STYLE } from './swiss-slip.js';

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

interface Sheet {
  /** BCP 47, as it is printed. */
  language: string;
  /** The title of the file, and at the foot of each page, behind the seller. */
  heading: string;
  seller: string;
  /** The seller's own words above that. */
  footer: string | null;
  /** `#rrggbb`. */
  accentColor: string | null;
  /** HTML. */
  body: string;
  /** The places of a letter's parts, and the words that head its following sheets. */
  letter?: { layout: LetterLayout; subject: string } | null;
}

/** A whole page to print, with its fonts and nothing to fetch. */
export function paperHtml({ language, heading, seller, body: given, ...own }: Sheet): string {
  const { texts, direction } = Locale.of(language);
  const footer = `${shortened(seller)} · ${heading}`;
  const fonts = renderToString(
    <p class="footer-fonts" aria-hidden="true">
      {own.footer} {footer} {texts.page} {texts.pageOf}
    </p>,
  );
  const body = given + fonts;
  const style = [
    fontFacesFor(body, language),
    PAPER_STYLE,
    own.letter && letterStyle(own.letter.layout, cssString(own.letter.subject)),
    SLIP_STYLE,
    pageFooter(
      [own.footer, footer].filter((line) => line !== null),
      texts,
    ),
    own.accentColor && `:root { --accent: ${accentShades(own.accentColor).light}; }`,
  ].join('\n');
  const page = renderToString(
    <html lang={language} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={CONTENT_POLICY} />
        <title>{heading}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body class={own.letter ? 'letter' : undefined} dangerouslySetInnerHTML={{ __html: body }} />
    </html>,
  );
  return `<!doctype html>${page}`;
}

/** The footer has one line. */
function shortened(name: string): string {
  const characters = [...name];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : name;
}
