import { renderToString } from 'preact-render-to-string';
import { type DocumentView, Locale, printed } from '../../documents/index.js';
import type { Money } from '../../kernel/money.js';
import type { PaymentLinkStatus } from '../../payments/index.js';
import {
  SANDBOX_OUTCOME_NAMES,
  type SandboxManner,
  type SandboxOutcome,
} from './sandbox-outcomes.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 2rem; margin: .5rem 0; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 1px solid #1b5fc1;
  border-radius: .5rem; background: #1b5fc1; color: #fff; cursor: pointer; }
ul { list-style: none; padding: 0; margin: 0; }
li { padding: .75rem 0; border-top: 1px solid #8888; }
li button { padding: .35rem .9rem; background: none; color: inherit; border-color: currentColor; }
li p { margin: .35rem 0 0; font-size: .875rem; }
p { overflow-wrap: anywhere; }
a { color: inherit; }
:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/**
 * For developers, who read English: production has no such page. `wait` is a delay in words.
 */
const CHOICES: Record<SandboxOutcome | 'left', [button: string, then: (wait: string) => string]> = {
  paid: ['Pay', () => 'The money comes at once.'],
  failed: ['The payment fails', () => 'The link fails, and the document stays due.'],
  paid_later: ['Pay later', (wait) => `A bank debit: on its way at once, paid after ${wait}.`],
  failed_later: [
    'Pay later, and it fails',
    (wait) => `A bank debit: on its way at once, failed after ${wait}.`,
  ],
  bounced: ['Pay, and it bounces', (wait) => `Paid at once, taken back after ${wait}.`],
  dispute_won: [
    'Pay, then a dispute that you win',
    (wait) => `Paid at once, disputed after ${wait}, won after another ${wait}.`,
  ],
  dispute_lost: [
    'Pay, then a dispute that you lose',
    (wait) => `Paid at once, disputed after ${wait}, lost after another ${wait}.`,
  ],
  refunded: [
    'Pay, then a refund at the provider',
    (wait) => `Paid at once, refunded in its dashboard after ${wait}.`,
  ],
  paid_out: [
    'Pay, then a payout to the bank',
    (wait) => `Paid at once, sent to the seller’s bank after ${wait}.`,
  ],
  left: ['Close the page', () => 'Nothing is told, and the page stays open.'],
};

interface SandboxPage {
  view: DocumentView;
  amount: Money;
  status: PaymentLinkStatus;
  /** The choice that was made here. */
  chosen: SandboxOutcome | null;
  delaySeconds: number;
  manner: SandboxManner;
  /** Goes with each choice. */
  token: string;
  back: string | null;
}

/** Tells a payer whom, for what and how much to pay, in the document's language. */
export function sandboxPage(shown: SandboxPage): string {
  const { view, amount, status, chosen, back } = shown;
  const locale = Locale.of(view.language);
  const { texts } = locale;
  const sum = locale.money(amount);
  const wait = secondsInWords(shown.delaySeconds);
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
          {status === 'open' && chosen === null ? (
            choices(shown, texts.pay.amount(sum))
          ) : (
            <p role="status">{outcomeText(status, sum, locale)}</p>
          )}
          {chosen !== null && (
            <p lang="en" dir="ltr">
              {`Chosen: ${CHOICES[chosen][0]}. ${CHOICES[chosen][1](wait)}`}
            </p>
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

/** The first button is the one of a plain payer. */
function choices({ token, delaySeconds, manner }: SandboxPage, pay: string) {
  const others = [...SANDBOX_OUTCOME_NAMES.filter((name) => name !== 'paid'), 'left' as const];
  return (
    <form method="post">
      <input type="hidden" name="token" value={token} />
      <button type="submit">{pay}</button>
      <section lang="en" dir="ltr" aria-labelledby="others">
        <h2 id="others">Or try what else can happen</h2>
        {manner === 'like_a_provider' && (
          <p>Events come late, and at times twice or out of order.</p>
        )}
        <ul>
          {others.map((name) => (
            <li key={name}>
              <button type="submit" name="outcome" value={name} aria-describedby={`of-${name}`}>
                {CHOICES[name][0]}
              </button>
              <p id={`of-${name}`}>{CHOICES[name][1](secondsInWords(delaySeconds))}</p>
            </li>
          ))}
        </ul>
      </section>
    </form>
  );
}

function secondsInWords(count: number): string {
  return count === 1 ? 'one second' : `${count} seconds`;
}

/** A page that is used and whose events have not come yet has an open link. */
function outcomeText(status: PaymentLinkStatus, sum: string, { texts: { pay } }: Locale): string {
  if (status === 'paid') return pay.received(sum);
  if (status === 'unmatched') return pay.unmatched(sum);
  if (status === 'failed') return pay.failed;
  return status === 'processing' || status === 'open' ? pay.onItsWay(sum) : pay[status];
}
