import { askedOf, lastDate, type Locale, payableOf, type Texts } from '../../documents/index.js';
import type { Money } from '../../kernel/money.js';
import type { PortalView } from '../application/portal-documents.js';
import type { PageProps } from './portal-props.js';
import { isAllBack, may } from './portal-state.js';

/** A quote asks for no money. An invoice shows what is asked for, or else what has happened. */
export function Sums(props: PageProps) {
  const { view, credited, locale, paper } = props;
  const { texts } = paper;
  const [name, amount] = mainSum(props, texts);
  const isAsked = may('pay', view) && askedOf(view).isPositive();
  const isInPart = may('pay', view) && amount.compare(view.total) < 0;
  return (
    <div class="sums">
      <p class="soft">{name}</p>
      <p class="due">
        <bdi>{locale.money(amount)}</bdi>
      </p>
      {isInPart && <p class="soft">{texts.ofTotal(locale.money(view.total))}</p>}
      {credited.isPositive() && (
        <p class="soft">
          {texts.addedToCredit} <bdi>{locale.money(credited)}</bdi>
        </p>
      )}
      {isAsked && view.amountProcessing.isPositive() && (
        <p class="soft">
          {texts.onItsWay} <bdi>{locale.money(view.amountProcessing)}</bdi>
        </p>
      )}
      {datesOf(props).map((line) => (
        <p key={line} class="soft">
          {line}
        </p>
      ))}
      {isAsked && view.amountProcessing.isZero() && <CashDiscounts {...{ view, texts, locale }} />}
    </div>
  );
}

/** The largest figure of the page, with its name. */
function mainSum({ view, credited }: PortalView, texts: Texts): [name: string, amount: Money] {
  if (!may('pay', view)) return [texts.total, view.total];
  const { amountRefunded, amountCredited, amountProcessing } = view;
  const paid = view.amountPaid.plus(credited);
  const payable = payableOf(view);
  const asked = askedOf(view);
  if (asked.isPositive()) return [texts.amountDue, asked];
  if (payable.isPositive()) return [texts.onItsWay, amountProcessing.min(payable)];
  if (isAllBack(view)) return [texts.refunded, amountRefunded];
  if (paid.isPositive()) return [texts.paid, paid];
  return amountCredited.isPositive() ? [texts.credited, amountCredited] : [texts.total, view.total];
}

/** When it is due, or else when it was paid; and when money went back. */
function datesOf({ view, payments, refunds, paper, locale, timeZone }: PageProps): string[] {
  const { texts } = paper;
  const isAsked = askedOf(view).isPositive() || !may('pay', view);
  const due = isAsked && view.status !== 'void' ? lastDate(view, locale) : null;
  const paidAt = payableOf(view).isZero() ? payments.at(-1)?.paidAt : undefined;
  const backAt = refunds.at(-1)?.at;
  const isPartBack = view.amountRefunded.isPositive() && !isAllBack(view);
  const back = (date: string) => texts.timeline.refunded(locale.money(view.amountRefunded), date);
  return [
    ...(due ? [`${due.name} ${due.value}`] : []),
    ...(backAt && isAllBack(view) ? [texts.refundedOn(locale.instant(backAt, timeZone))] : []),
    ...(paidAt && may('pay', view) ? [texts.paidOn(locale.instant(paidAt, timeZone))] : []),
    ...(backAt && isPartBack ? [back(locale.instant(backAt, timeZone))] : []),
  ];
}

function CashDiscounts(props: { view: PortalView['view']; texts: Texts; locale: Locale }) {
  const { view, texts, locale } = props;
  return (
    <>
      {view.details.payment_terms && <p class="soft pre">{view.details.payment_terms}</p>}
      {view.cashDiscounts.map(({ percent, until, amountDue }) =>
        until && amountDue ? (
          <p key={until} class="soft">
            {texts.cashDiscount.by(
              locale.percent(percent),
              locale.date(until),
              locale.money(amountDue),
            )}
          </p>
        ) : null,
      )}
    </>
  );
}
