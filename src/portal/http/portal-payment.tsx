import { payableOf } from '../../documents/index.js';
import type { PayPage } from '../../payments/index.js';
import type { PageProps } from './portal-props.js';
import { portalUrl } from './portal-language.js';

/** To pay once more takes one more step while money is on its way. */
export function PayButtons(props: PageProps) {
  const { processing, offers, payLinks, paper, locale, timeZone } = props;
  const { texts } = paper;
  if (processing.length === 0) return <PayForms {...props} />;
  return (
    <>
      {processing.map(({ amount, since }) => (
        <span key={since.toISOString()} class="notice" role="status">
          {texts.payOnItsWay(locale.money(amount), locale.instant(since, timeZone))}
        </span>
      ))}
      {offers.length + payLinks.length > 0 && (
        <details>
          <summary>{texts.payAnyway}</summary>
          <PayForms {...props} />
        </details>
      )}
    </>
  );
}

/** One button for each gateway, and one for each other amount that the seller asks for. */
function PayForms(props: PageProps) {
  const { view, token, asked, offers, payLinks, processing, paper, locale } = props;
  const { texts } = paper;
  const due = payableOf(view);
  const isAnother = ({ gateway, amount }: PayPage) =>
    amount.compare(due) !== 0 || !offers.some((offer) => offer.gateway === gateway);
  return (
    <>
      {offers.map(({ gateway, title }) => (
        <form key={gateway} method="post" action={portalUrl(token, '/pay', asked)}>
          <input type="hidden" name="gateway" value={gateway} />
          {processing.length > 0 && <input type="hidden" name="despite_processing" value="true" />}
          <button type="submit" class="button primary">
            {offers.length > 1 ? texts.payWith(title) : texts.payNow}
          </button>
        </form>
      ))}
      {payLinks
        .filter((link) => isAnother(link) && isWebLink(link))
        .map(({ amount, url }) => (
          <a key={url} class="button" href={url} rel="noreferrer">
            {texts.pay.amount(locale.money(amount))}
          </a>
        ))}
    </>
  );
}

/** Providers send these addresses, and a script must not become a link. */
function isWebLink({ url }: { url: string }): boolean {
  return /^(https?:\/\/|\/)/i.test(url);
}
