import { stdnum } from 'stdnum';

/** The number of each country that is its VAT number, by the name that `stdnum` gives it. */
const VAT_NUMBERS =
  'AT.uid BE.vat BG.vat CH.vat CY.vat CZ.dic DE.vat DK.cvr EE.kmkr ES.nif FI.alv FR.tva GB.vat ' +
  'GR.vat HR.oib HU.anum IE.vat IT.iva LT.pvm LU.tva LV.pvn MT.vat NL.btw NO.mva PL.nip PT.nif ' +
  'RO.cif SE.vat SI.ddv SK.dph';

const CHECKS = new Map(
  VAT_NUMBERS.split(' ').map((entry) => {
    const [country = '', name = ''] = entry.split('.');
    return [country, stdnum[country]?.[name]] as const;
  }),
);

/** Greece writes EL too, and Northern Ireland has numbers of Great Britain (BR-CO-09). */
const COUNTRY_OF_PREFIX = new Map([
  ['EL', 'GR'],
  ['XI', 'GB'],
]);

/**
 * Of a number that begins with the letters of a country which we know: whether its pattern and
 * check digits are right. Null for any other number, such as a local one.
 */
export function isValidVatNumber(text: string): boolean | null {
  const compact = text.replaceAll(/[\s.-]/g, '').toUpperCase();
  const prefix = compact.slice(0, 2);
  const country = COUNTRY_OF_PREFIX.get(prefix) ?? prefix;
  const check = CHECKS.get(country);
  if (!check) return null;
  // Swiss numbers are CHE and nine digits.
  return check.validate(country === 'CH' ? compact : compact.slice(2)).isValid;
}
