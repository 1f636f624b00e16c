import { askedOf, type DocumentView, payableOf, type Texts } from '../../documents/index.js';

interface State {
  text: string;
  tone: 'good' | 'warn' | 'bad' | '';
}

const TONES: Record<DocumentView['status'], State['tone']> = {
  draft: '',
  open: '',
  partially_paid: 'warn',
  paid: 'good',
  accepted: 'good',
  rejected: 'bad',
  expired: 'bad',
  converted: 'good',
  uncollectible: 'bad',
  applied: 'good',
  void: 'bad',
};

/** With how much of it went back; that alone, where nobody is asked for anything any more. */
export function stateOf(view: DocumentView, texts: Texts): State {
  const isOnItsWay = payableOf(view).isPositive() && askedOf(view).isZero();
  if (isOnItsWay) return { text: texts.onItsWay, tone: '' };
  if (isAllBack(view)) return { text: texts.refundStatus.full, tone: '' };
  const state = statusOf(view, texts);
  if (view.refundStatus === 'none') return state;
  const text = texts.refundStatus[view.refundStatus];
  const isLeft = view.amountUndecided.isPositive() && payableOf(view).isZero();
  return isLeft ? { text, tone: '' } : { ...state, text: `${state.text} · ${text}` };
}

function statusOf({ kind, status, isOverdue }: DocumentView, texts: Texts): State {
  if (isOverdue && status === 'open') return { text: texts.overdue, tone: 'bad' };
  if (isOverdue) return { text: texts.overduePartiallyPaid, tone: 'bad' };
  if (kind === 'credit_note' && status === 'open') return { text: texts.creditIssued, tone: '' };
  return { text: texts.status[status], tone: TONES[status] };
}

/** The document that took the place of this one: the next version or the invoice. */
export function followUpOf({ followUps }: DocumentView, texts: Texts): string | null {
  const numberOf = (wanted: string) =>
    followUps.find(({ relation, number }) => relation === wanted && number !== null)?.number;
  const revision = numberOf('revision');
  if (revision) return texts.replacedBy(revision);
  const invoice = numberOf('conversion');
  return invoice ? texts.invoicedAs(invoice) : null;
}

/** Whether all that was paid went back, and nothing is due for it. */
export function isAllBack(view: DocumentView): boolean {
  const { amountPaid, amountRefunded } = view;
  const isBack = amountRefunded.isPositive() && amountRefunded.compare(amountPaid) === 0;
  return isBack && may('pay', view) && payableOf(view).isZero();
}

/** Whether it may be done now, as the document itself says. */
export function may(wanted: 'accept' | 'reject' | 'pay', view: DocumentView): boolean {
  return view.availableActions.some(({ action, refusal }) => action === wanted && !refusal);
}
