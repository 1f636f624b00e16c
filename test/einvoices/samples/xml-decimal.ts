import { Decimal } from '../../../src/kernel/decimal.js';

/** A number as XML Schema writes them: `+1`, `.5` and `100.` are some, too. */
const XML_DECIMAL = /^([+-]?)(\d*)\.?(\d*)$/;

/** @throws Error where the text is no number */
export function decimalOf(text: string): Decimal {
  const decimal = decimalIn(text);
  if (decimal === null) throw new Error(`${text} is no number`);
  return decimal;
}

export function decimalIn(text: string): Decimal | null {
  const [, sign = '', whole = '', fraction = ''] = XML_DECIMAL.exec(text) ?? [];
  if (whole === '' && fraction === '') return null;
  return Decimal.parse(`${sign === '-' ? '-' : ''}${whole || '0'}.${fraction || '0'}`);
}
