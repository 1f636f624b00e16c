import { askedOf, payableOf } from '../../documents/index.js';
import type { PayPage, PlannedCollection } from '../../payments/index.js';
import type { PageProps } from './portal-props.js';
import { portalUrl } from './portal-language.js';

/** To pay once more takes one more step while money is on its way. */
export function PayButtons(props: PageProps) {
  const { view, processing, collection, offers, payLinks, paper, locale, timeZone } = props;
  const { texts } = paper;
  const isAsked = askedOf(view).isPositive() && !collection;
  return (
    <>
      {collection && <CollectionNotice {...{ collection, texts, locale }} />}
      {processing.map(({ amount, since }) => (
        <span key={since.toISOString()} class="notice" role="status">
          {texts.payOnItsWay(locale.money(amount), locale.instant(since, timeZone))}
        </span>
      ))}
      {isAsked && <PayForms {...props} />}
      {!isAsked && offers.length + payLinks.length > 0 && (
        <details>
          <summary>{processing.length > 0 ? texts.payAnyway : texts.collection.payInstead}</summary>
          <PayForms {...props} despite />
        </details>
      )}
    </>
  );
}

/** The client is debited anyway, and knows the debit on the bank statement by the mandate. */
function CollectionNotice(props: {
  collection: PlannedCollection;
  texts: PageProps['paper']['texts'];
  locale: PageProps['locale'];
}) {
  const { collection, texts, locale } = props;
  const { amount, on, provider, reference, accountEnding } = collection;
  const { planned, mandate, account } = texts.collection;
  const known = [
    ...(reference === null ? [] : [mandate(reference)]),
    ...(accountEnding === null ? [] : [account(accountEnding)]),
  ];
  return (
    <span class="notice" role="status">
      {planned(locale.money(amount), locale.date(on), provider)}
      {known.map((one) => (
        <small key={one} class="known">
          {one}
        </small>
      ))}
    </span>
  );
}

/**
 * One button for each gateway, and one for each other amount that the seller asks for. `despite`: what is on its
 * way may be paid once more.
 */
function PayForms(props: PageProps & { despite?: boolean }) {
  const {
    view,
    token,
    asked,
    offers,
    payLinks,
    processing,
    paper,
    locale,
    despite = false,
  } = props;
  const { texts } = paper;
  const due = despite ? payableOf(view) : askedOf(view);
  // Another link may have been made before money was on its way.
  const mayBePaid = ({ amount }: PayPage) => processing.length === 0 || amount.compare(due) <= 0;
  const isAnother = ({ gateway, amount }: PayPage) =>
    amount.compare(due) !== 0 || !offers.some((offer) => offer.gateway === gateway);
  return (
    <>
      {offers.map(({ gateway, title }) => (
        <form key={gateway} method="post" action={portalUrl(token, '/pay', asked)}>
          <input type="hidden" name="gateway" value={gateway} />
          {despite && processing.length > 0 && (
            <input type="hidden" name="despite_processing" value="true" />
          )}
          <button type="submit" class="button primary">
            {offers.length > 1 ? texts.payWith(title) : texts.payNow}
          </button>
        </form>
      ))}
      {payLinks
        .filter((link) => isAnother(link) && mayBePaid(link) && isWebLink(link))
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
