import { Money } from '../../../kernel/money.js';
import type { FieldChange } from '../changes.js';
import type { DocumentView } from '../document-view.js';
import { REFERENCES, type ServicePeriod } from '../document-details.js';
import { Locale } from './formatting.js';
import { paymentMeansName } from '../texts/texts.js';
import { taxLabel, taxTexts } from '../calculation/tax-names.js';

/** Of a changed text no more is quoted. */
const LONGEST_QUOTE = 80;

/**
 * The changes of a revision as sentences, in the client's language. Only what the client has to
 * know; what follows from it, such as the net amount of a line, is left out.
 */
export function changeSentences(changes: readonly FieldChange[], view: DocumentView): string[] {
  const teller = new Teller(changes, view);
  const sentences = [...changes].sort(byPlace).map((change) => teller.sentenceOf(change));
  // Several fields may have changed that one sentence tells.
  return [...new Set(sentences.filter((sentence) => sentence !== null))];
}

/** Details that are text, which have their labels by their names. */
const TEXTS = [...REFERENCES, 'payment_terms'] as const;

/** As a reader goes through a document. */
const ORDER = [
  'customer',
  'due_date',
  'cash_discounts',
  'supply_date',
  'service_period',
  'tax_point_date',
  'delivery',
  'purchase_order',
  ...TEXTS,
  'invoiced_object',
  'preceding_invoices',
  'payment_means_code',
  'payment_reference',
  'payee',
  'tax_representative',
  'currency',
  'prices_include_tax',
  'lines',
  'discounts',
  'charges',
  'rounding_amount',
  'total',
  'notes',
  'subject_notes',
  'attachments',
];

function byPlace(one: FieldChange, other: FieldChange): number {
  const [, field = '', index = ''] = one.field.split('/');
  const [, otherField = '', otherIndex = ''] = other.field.split('/');
  const byField = ORDER.indexOf(field) - ORDER.indexOf(otherField);
  if (byField !== 0) return byField;
  if (field === 'customer') return index === 'name' ? -1 : otherIndex === 'name' ? 1 : 0;
  return compareIndexes(index, otherIndex);
}

function compareIndexes(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

type Side = 'from' | 'to';

class Teller {
  private readonly changes: ReadonlyMap<string, FieldChange>;
  private readonly locale: Locale;
  /** By their pointers. */
  private readonly lines: ReadonlyMap<string, DocumentView['lines'][number]>;

  constructor(
    changes: readonly FieldChange[],
    private readonly view: DocumentView,
  ) {
    this.changes = new Map(changes.map((change) => [change.field, change]));
    this.locale = Locale.of(view.language);
    this.lines = new Map(view.lines.map((line) => [`/lines/${line.position - 1}`, line]));
  }

  sentenceOf(change: FieldChange): string | null {
    const [, field = '', ...below] = change.field.split('/');
    const { locale } = this;
    const { texts } = locale;
    switch (field) {
      case 'currency':
        return this.differs(texts.currency, change);
      case 'due_date': {
        const label = this.view.kind === 'quote' ? texts.validUntil : texts.dueDate;
        return this.differs(label, change, (date) => locale.date(date));
      }
      case 'cash_discounts':
        return this.ofCashDiscount(below);
      case 'purchase_order':
        return this.differs(texts.purchaseOrder, change);
      case 'payment_reference':
        return this.differs(texts.paymentReference, change);
      case 'supply_date':
      case 'tax_point_date':
        return this.differs(texts.details[field], change, (date) => locale.date(date));
      case 'service_period':
        return this.ofPeriod(texts.details.service_period, '', this.view.details.service_period);
      case 'delivery':
        return texts.changes.shipping;
      case 'buyer_reference':
        return this.differs(texts.reference, change);
      case 'payment_means_code':
        return this.differs(texts.details.payment_means_code, change, (code) =>
          paymentMeansName(code, texts.details),
        );
      case 'invoiced_object':
        return below[0] === 'scheme' ? null : this.differs(texts.details[field], change);
      case 'attachments':
        return below[1] === 'name' ? this.differs(texts.attachments, change) : null;
      case 'payee':
      case 'tax_representative':
      case 'preceding_invoices':
        return this.differs(texts.details[field], change);
      case 'notes':
      case 'subject_notes':
        return texts.changes.notes;
      case 'prices_include_tax':
        return change.to === 'true' ? texts.changes.pricesWithTax : texts.changes.pricesWithoutTax;
      case 'customer':
        return this.ofCustomer(change, below);
      case 'lines':
        return this.ofLine(change, below);
      case 'discounts':
      case 'charges':
        return this.ofAdjustment(change, '', field, below);
      case 'total':
        return this.differs(texts.total, change, (minor, side) => this.money(minor, side));
      default: {
        const text = TEXTS.find((name) => name === field);
        return text ? this.differs(texts.details[text], change) : null;
      }
    }
  }

  /** Both days in one sentence, whichever of them changed. */
  private ofPeriod(label: string, at: string, now: ServicePeriod | null): string {
    const { changes } = this.locale.texts;
    const [start, end] = ['start', 'end'].map((day) =>
      this.changes.get(`${at}/service_period/${day}`),
    );
    const shown = (side: Side) => {
      const [first, last] = [
        start ? start[side] : (now?.start ?? null),
        end ? end[side] : (now?.end ?? null),
      ];
      if (first === null || last === null) return changes.none;
      return this.locale.period({ start: first, end: last });
    };
    return changes.changed(label, shown('from'), shown('to'));
  }

  /** Percent and days in one sentence, whichever of them changed. */
  private ofCashDiscount([index = '']: string[]): string {
    const { changes, cashDiscount } = this.locale.texts;
    const now = this.view.cashDiscounts.find((_, place) => `${place}` === index);
    const at = (name: string) => this.changes.get(`/cash_discounts/${index}/${name}`);
    const [percent, days] = [at('percent'), at('days')];
    const shown = (side: Side) => {
      const share = percent ? percent[side] : (now?.percent ?? null);
      const end = days ? days[side] : `${now?.days ?? 0}`;
      if (share === null || end === null) return changes.none;
      return cashDiscount.within(this.locale.percent(share), this.locale.number(end));
    };
    return changes.changed(cashDiscount.name, shown('from'), shown('to'));
  }

  private ofCustomer(change: FieldChange, [field = '']: string[]): string | null {
    const { texts } = this.locale;
    switch (field) {
      case 'name':
        return this.differs(texts.recipient[this.view.kind], change);
      case 'reference':
        return this.differs(texts.reference, change);
      case 'shipping_address':
        return texts.changes.shipping;
      case 'language':
      case 'electronic_address':
        return null;
      default:
        return texts.changes.recipient;
    }
  }

  private ofLine(change: FieldChange, [index = '', field = '', ...below]: string[]): string | null {
    const { locale } = this;
    const { texts } = locale;
    const description = this.changes.get(`/lines/${index}/description`);
    const line = texts.changes.line(position(index));
    if (description?.from === null) {
      return texts.changes.added(line, quoted(description.to ?? ''));
    }
    if (description?.to === null) return texts.changes.removed(line, quoted(description.from));
    const label = (name: string) => this.labelIn(`/lines/${index}`, name);
    switch (field) {
      case 'description':
        return this.differs(label(texts.description), change);
      case 'quantity':
        return this.differs(label(texts.quantity), change, (value) => locale.number(value));
      case 'unit':
        return this.differs(label(texts.changes.unit), change, (code) => locale.unit(code));
      case 'service_period': {
        const now = this.lines.get(`/lines/${index}`)?.details.service_period ?? null;
        return this.ofPeriod(label(texts.details.service_period), `/lines/${index}`, now);
      }
      case 'item_description':
        return this.differs(label(texts.description), change);
      case 'note':
        return this.differs(label(texts.notes), change);
      case 'attributes':
        return this.differs(label(texts.description), change);
      case 'order_line':
      case 'buyer_item_id':
      case 'buyer_accounting_reference':
        return this.differs(label(texts.details[field]), change);
      case 'country_of_origin':
        return this.differs(label(texts.details[field]), change, (code) => locale.country(code));
      case 'gross_unit_amount_decimal':
        return this.differs(label(texts.details.list_price), change, (value, side) =>
          locale.unitAmount(value, this.currency(side)),
        );
      case 'price_base_quantity':
        return this.differs(label(texts.unitPrice), change, (value) => `/ ${locale.number(value)}`);
      case 'unit_amount_decimal':
        return this.differs(label(texts.unitPrice), change, (value, side) =>
          locale.unitAmount(value, this.currency(side)),
        );
      case 'tax_rate':
      case 'tax_category':
        return this.ofTax(`/lines/${index}`);
      case 'discounts':
      case 'charges':
        return this.ofAdjustment(change, `/lines/${index}`, field, below);
      default:
        return null;
    }
  }

  /** Rate and category are told together, whichever of them changed. */
  private ofTax(at: string): string | null {
    const line = this.lines.get(at);
    if (!line) return null;
    const rate = this.changes.get(`${at}/tax_rate`);
    const category = this.changes.get(`${at}/tax_category`);
    const { seller } = this.view;
    const { texts } = this.locale;
    const shown = (side: Side) => {
      const tax = {
        rate: rate?.[side] ?? line.taxRate,
        category: category?.[side] ?? line.taxCategory,
      };
      return category ? taxLabel(tax, seller, this.locale) : this.locale.percent(tax.rate);
    };
    const label = this.labelIn(at, taxTexts(seller, texts).name);
    return texts.changes.changed(label, shown('from'), shown('to'));
  }

  /** A discount or charge, of a line or of all: by its percentage, else by its amount. */
  private ofAdjustment(
    change: FieldChange,
    at: string,
    kind: 'discounts' | 'charges',
    [index = '']: string[],
  ): string | null {
    const { texts } = this.locale;
    const word = kind === 'discounts' ? texts.discount : texts.charge;
    const label = this.labelIn(at, index === '0' ? word : `${word} ${position(index)}`);
    const percent = this.changes.get(`${at}/${kind}/${index}/percent`);
    const amount = this.changes.get(`${at}/${kind}/${index}/amount`);
    if (!percent && !amount) return this.differs(label, change);
    const holder = at === '' ? this.view : this.lines.get(at);
    const now = holder?.[kind].find((_, place) => `${place}` === index);
    // The amount of an unchanged percentage follows from what it is taken of.
    if (!percent && now && now.percent !== null) return null;
    const shown = (side: Side) => {
      const rate = percent?.[side] ?? null;
      if (rate !== null) return this.locale.percent(rate);
      const minor = amount ? amount[side] : `${now?.amount.minor ?? 0n}`;
      return minor === null ? texts.changes.none : this.money(minor, side);
    };
    return texts.changes.changed(label, shown('from'), shown('to'));
  }

  private differs(
    label: string,
    { from, to }: FieldChange,
    show: (value: string, side: Side) => string = quoted,
  ): string {
    const { changes } = this.locale.texts;
    const shown = (value: string | null, side: Side) =>
      (value !== null && show(value, side)) || changes.none;
    return changes.changed(label, shown(from, 'from'), shown(to, 'to'));
  }

  /** `Line 2, quantity` of a line; the label alone of the whole document. */
  private labelIn(at: string, label: string): string {
    if (at === '') return label;
    const line = this.locale.texts.changes.line(position(at.replace('/lines/', '')));
    return `${line}, ${this.locale.inline(label)}`;
  }

  private money(minor: string, side: Side): string {
    return this.locale.money(Money.of(BigInt(minor), this.currency(side)));
  }

  private currency(side: Side): string {
    return this.changes.get('/currency')?.[side] ?? this.view.currency;
  }
}

/** Lines are counted from 1 on paper, and from 0 in a JSON pointer. */
function position(index: string): string {
  return `${BigInt(index) + 1n}`;
}

function quoted(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  if (characters.length <= LONGEST_QUOTE) return characters.join('');
  return `${characters.slice(0, LONGEST_QUOTE).join('').trimEnd()}…`;
}
