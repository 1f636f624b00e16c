import { dateIn, type IsoDate } from '../../../kernel/clock.js';
import { type Currency, minorDigits } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import type { Money } from '../../../kernel/money.js';
import type { ServicePeriod } from '../document-details.js';
import { unitSymbol } from '../codes/code-lists.js';
import { kept } from '../kept.js';
import { type TextDirection, directionOf, printedLanguage, textsOf } from '../texts/languages.js';
import type { Texts } from '../texts/texts.js';

/**
 * The words, numbers and dates of one language. Every number is formatted from its decimal string,
 * so that no digit is lost.
 */
export class Locale {
  private readonly formats = new Map<string, Intl.NumberFormat>();
  private readonly plurals = new Map<string, Intl.PluralRules>();
  private readonly dates: Intl.DateTimeFormat;
  private readonly months: Intl.DateTimeFormat;
  private readonly countries: Intl.DisplayNames;

  private constructor(
    /** BCP 47: of what is printed, which is not always what was asked for. */
    readonly language: string,
    readonly texts: Texts,
    private readonly tag: string,
  ) {
    this.dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
    this.months = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    this.countries = new Intl.DisplayNames([tag], { type: 'region' });
  }

  /** @param language BCP 47; null, and a language without texts, is English */
  static of(language: string | null): Locale {
    return kept(locales, language ?? '', () => {
      const printed = printedLanguage(language);
      const { language: spoken, region } = new Intl.Locale(printed);
      const texts = textsOf(spoken);
      return new Locale(printed, texts, plain(region === undefined ? texts.locale : printed));
    });
  }

  /** The same with other words. */
  saying(texts: Texts): Locale {
    return texts === this.texts ? this : new Locale(this.language, texts, this.tag);
  }

  get direction(): TextDirection {
    return directionOf(this.language);
  }

  /** `€1,250.00`. */
  money(money: Money): string {
    const digits = minorDigits(money.currency);
    return this.currencyText(money.toDecimalString(), money.currency, digits, digits);
  }

  /** A unit price with all its digits: `0.0125` minor units of EUR is `€0.000125`. */
  unitAmount(unitAmountDecimal: string, currency: Currency): string {
    const digits = minorDigits(currency);
    const minor = Decimal.parse(unitAmountDecimal);
    const major = Decimal.parse(Decimal.of(minor.units, minor.scale + digits).toString());
    return this.currencyText(major.toString(), currency, digits, Math.max(digits, major.scale));
  }

  /** `1,250.5`, without trailing zeros. */
  number(decimal: string): string {
    const value = Decimal.parse(decimal);
    return this.numberText(value.toString(), { maximumFractionDigits: value.scale });
  }

  /** `2 h`, `3 months`; a count of pieces is shown without a unit. */
  quantity(quantity: string, unit: string): string {
    const name = this.unitName(unit, () => this.pluralOf(quantity));
    return [this.number(quantity), name].filter(Boolean).join('\u00a0');
  }

  /** A unit without a number. */
  unit(code: string): string {
    return this.unitName(code, () => 'one');
  }

  private unitName(code: string, plural: () => Intl.LDMLPluralRule): string {
    const { units } = this.texts;
    const name = Object.hasOwn(units, code) ? units[code] : undefined;
    if (name === undefined) return unitSymbol(code);
    return typeof name === 'string' ? name : (name[plural()] ?? name.other ?? '');
  }

  /** The kind of a number as it is written: `1` is one, `1.5` is not, in most languages. */
  private pluralOf(decimal: string): Intl.LDMLPluralRule {
    const value = Decimal.parse(decimal);
    const rules = kept(
      this.plurals,
      `${value.scale}`,
      () => new Intl.PluralRules(this.tag, { maximumFractionDigits: value.scale }),
    );
    // A decimal string is read as it is; only the type knows numbers alone.
    return rules.select(value.toString() as unknown as number);
  }

  /** `19%`. */
  percent(percent: string): string {
    const factor = Decimal.parse(percent).percent();
    const options = { style: 'percent', maximumFractionDigits: factor.scale } as const;
    return this.numberText(factor.toString(), options);
  }

  /** `20 November 2026`. */
  date(date: IsoDate): string {
    return this.dates.format(new Date(`${date}T00:00:00Z`));
  }

  /** `November 2026`. */
  month(date: IsoDate): string {
    return this.months.format(new Date(`${date}T00:00:00Z`));
  }

  /** `1 November 2026 – 30 November 2026`. */
  period({ start, end }: ServicePeriod): string {
    return `${this.date(start)} – ${this.date(end)}`;
  }

  /** The date of an instant where that zone is. */
  instant(instant: Date, timeZone: string): string {
    return this.date(dateIn(timeZone, instant));
  }

  /** `20 November 2026 at 14:05 (Europe/Berlin)`. */
  moment(instant: Date, timeZone: string): string {
    const options = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
    return `${new Intl.DateTimeFormat(this.tag, options).format(instant)} (${timeZone})`;
  }

  /** @param code ISO 3166-1 alpha-2, or one of the two that EN 16931 adds */
  country(code: string): string {
    if (code === 'XI') return this.texts.northernIreland;
    return this.countries.of(code === '1A' ? 'XK' : code) ?? code;
  }

  /** A label after other words: `Line 2, quantity`. In German nouns keep their capital. */
  inline(label: string): string {
    if (/^de\b/.test(this.language)) return label;
    return label.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLocaleLowerCase(this.tag));
  }

  private currencyText(value: string, currency: Currency, least: number, most: number): string {
    return this.numberText(value, {
      style: 'currency',
      currency,
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
  }

  /** A formatter costs far more to make than to use, and a document needs few of them. */
  private numberText(value: string, options: Intl.NumberFormatOptions): string {
    const format = kept(
      this.formats,
      JSON.stringify(options),
      // Four digits are grouped, too, so that the figures of a column look alike.
      () => new Intl.NumberFormat(this.tag, { useGrouping: 'always', ...options }),
    );
    return format.format(value as Intl.StringNumericLiteral);
  }
}

const locales = new Map<string, Locale>();

/** Digits that banks take, and the calendar of due dates: some countries' own ones are others. */
function plain(tag: string): string {
  return new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString();
}
