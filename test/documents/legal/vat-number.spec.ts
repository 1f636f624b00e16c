import { describe, expect, it } from 'vitest';
import { isValidVatNumber } from '../../../src/documents/domain/legal/vat-number.js';

// Numbers, one or more of each country.
const RIGHT =
  'ATU13585627 BE0428759497 BG175074752 CHE100155212MWST CY10259033P CZ25123891 DE136695976 ' +
  'DK13585628 EE100931558 EL094259216 ESB58378431 ESA28015865 FI20774740 FR40303265045 ' +
  'FR83404833048 GB980780684 HR33392005961 HU12892312 IE6433435F IE6388047V IT00743110157 ' +
  'LT119511515 LU15027442 LV40003521600 MT11679112 NL004495445B01 NO988077917MVA PL8567346215 ' +
  'PT501964843 RO18547290 SE556188840401 SI50223054 SK2022749619 XI980780684';

const EU_AND_NEIGHBOURS =
  'AT BE BG CH CY CZ DE DK EE EL ES FI FR GB HR HU IE IT LT LU LV MT NL NO PL PT RO SE SI SK XI';

describe('a VAT number', () => {
  it('is told by its pattern and check digits, in each country', () => {
    const numbers = RIGHT.split(' ');
    expect([...new Set(numbers.map((one) => one.slice(0, 2)))].sort().join(' ')).toBe(
      EU_AND_NEIGHBOURS,
    );
    expect(numbers.filter((one) => isValidVatNumber(one) !== true)).toEqual([]);
  });

  it('is wrong once a digit of it is another one', () => {
    const passed = RIGHT.split(' ').filter((number) => {
      // The first digit that is not of the prefix; of Spain and Ireland, it is within the check.
      const at = 2 + number.slice(2).search(/\d/) + 2;
      const changed = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1);
      return isValidVatNumber(changed) !== false;
    });
    expect(passed).toEqual([]);
  });

  it('is wrong when a character is missing or too many', () => {
    const numbers = RIGHT.split(' ').flatMap((one) => [`${one}9Z`, one.slice(0, 5)]);
    expect(numbers.filter((one) => isValidVatNumber(one) !== false)).toEqual([]);
  });

  it('may be written with spaces, dots, hyphens and small letters', () => {
    expect(isValidVatNumber(' de 136.695-976 ')).toBe(true);
    expect(isValidVatNumber('che-100.155.212 mwst')).toBe(true);
  });

  it('is unknown without the letters of a country that is known', () => {
    for (const text of ['30/123/45678', '136695976', 'US12-3456789', '', 'D']) {
      expect([text, isValidVatNumber(text)]).toEqual([text, null]);
    }
  });
});
