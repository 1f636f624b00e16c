import { renderToString } from 'preact-render-to-string';
import { type DocumentView, Locale, printed } from '../../documents/index.js';
import type { Money } from '../../kernel/money.js';
import type { PaymentLinkStatus } from '../../payments/index.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 2rem; margin: .5rem 0; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 0; border-radius: .5rem;
  background: #1b5fc1; color: #fff; cursor: pointer; }
p { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

interface SandboxPage {
  view: DocumentView;
  amount: Money;
  status: PaymentLinkStatus;
  back: string | null;
}

/** Tells a payer whom, for what and how much to pay, in the document's language. */
export function sandboxPage({ view, amount, status, back }: SandboxPage): string {
  const locale = Locale.of(view.language);
  const { texts } = locale;
  const sum = locale.money(amount);
  const page = renderToString(
    <html lang={locale.language} dir={locale.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{texts.pay.title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <p>
            <bdi>{view.seller.name}</bdi>
          </p>
          <h1>
            <bdi>{sum}</bdi>
          </h1>
          <p>
            <bdi>{printed(view).heading}</bdi>
          </p>
          {status === 'open' ? (
            <form method="post">
              <button type="submit">{texts.pay.amount(sum)}</button>
            </form>
          ) : (
            <p role="status">{outcomeText(status, sum, locale)}</p>
          )}
          <p>{texts.pay.sandbox}</p>
          {back && (
            <p>
              <a href={back}>{texts.pay.back}</a>
            </p>
          )}
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>${page}`;
}

function outcomeText(status: PaymentLinkStatus, sum: string, { texts: { pay } }: Locale): string {
  if (status === 'paid') return pay.received(sum);
  return status === 'processing' ? pay.onItsWay(sum) : pay.closed;
}
