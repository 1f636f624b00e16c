import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { Locale, printed } from '../../documents/index.js';
import { PortalHead } from './portal-head.js';
import { portalUrl, type SpokenPortal } from './portal-language.js';
import { ReceiptParts } from './receipt.js';
import { SMALL_PAGE_POLICY } from './small-page.js';

/** The receipt for a browser, with the way to its PDF and back to the document. */
export function sendReceiptPage(response: Response, portal: SpokenPortal, token: string): void {
  const { language, direction, texts } = Locale.of(portal.view.language);
  const { heading, accentColor } = printed(portal.view);
  const title = texts.payments.receiptFor(heading);
  const page = renderToString(
    <html lang={language} dir={direction}>
      <PortalHead title={title} accent={accentColor} />
      <body>
        <main>
          <section class="sheet receipt">
            <ReceiptParts {...portal} />
            <div class="actions">
              <a class="button" href={`/v1/portal/documents/${token}/receipt`}>
                {texts.payments.download}
              </a>
              <a class="button" href={portalUrl(token, '', portal.asked)}>
                {texts.pay.back}
              </a>
            </div>
          </section>
        </main>
      </body>
    </html>,
  );
  response.setHeader('Content-Security-Policy', SMALL_PAGE_POLICY);
  response.type('html').send(`<!doctype html>${page}`);
}
