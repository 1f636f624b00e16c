// One by one: all numbers of all countries are 300 files, a tenth of a start.
import * as AT from 'stdnum/lib/cjs/at/uid.js';
import * as BE from 'stdnum/lib/cjs/be/vat.js';
import * as BG from 'stdnum/lib/cjs/bg/vat.js';
import * as CH from 'stdnum/lib/cjs/ch/vat.js';
import * as CY from 'stdnum/lib/cjs/cy/vat.js';
import * as CZ from 'stdnum/lib/cjs/cz/dic.js';
import * as DE from 'stdnum/lib/cjs/de/vat.js';
import * as DK from 'stdnum/lib/cjs/dk/cvr.js';
import * as EE from 'stdnum/lib/cjs/ee/kmkr.js';
import * as ES from 'stdnum/lib/cjs/es/nif.js';
import * as FI from 'stdnum/lib/cjs/fi/alv.js';
import * as FR from 'stdnum/lib/cjs/fr/tva.js';
import * as GB from 'stdnum/lib/cjs/gb/vat.js';
import * as GR from 'stdnum/lib/cjs/gr/vat.js';
import * as HR from 'stdnum/lib/cjs/hr/oib.js';
import * as HU from 'stdnum/lib/cjs/hu/anum.js';
import * as IE from 'stdnum/lib/cjs/ie/vat.js';
import * as IT from 'stdnum/lib/cjs/it/iva.js';
import * as LT from 'stdnum/lib/cjs/lt/pvm.js';
import * as LU from 'stdnum/lib/cjs/lu/tva.js';
import * as LV from 'stdnum/lib/cjs/lv/pvn.js';
import * as MT from 'stdnum/lib/cjs/mt/vat.js';
import * as NL from 'stdnum/lib/cjs/nl/btw.js';
import * as NO from 'stdnum/lib/cjs/no/mva.js';
import * as PL from 'stdnum/lib/cjs/pl/nip.js';
import * as PT from 'stdnum/lib/cjs/pt/nif.js';
import * as RO from 'stdnum/lib/cjs/ro/cif.js';
import * as SE from 'stdnum/lib/cjs/se/vat.js';
import * as SI from 'stdnum/lib/cjs/si/ddv.js';
import * as SK from 'stdnum/lib/cjs/sk/dph.js';

/** The number of each country that is its VAT number. */
const CHECKS = new Map(
  Object.entries({
    AT,
    BE,
    BG,
    CH,
    CY,
    CZ,
    DE,
    DK,
    EE,
    ES,
    FI,
    FR,
    GB,
    GR,
    HR,
    HU,
    IE,
    IT,
    LT,
    LU,
    LV,
    MT,
    NL,
    NO,
    PL,
    PT,
    RO,
    SE,
    SI,
    SK,
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
