import { describe, expect, it } from 'vitest';
import { fontFacesFor, withoutGlyph } from '../../src/documents/infrastructure/printing/fonts.js';
import { LANGUAGES, textsOf } from '../../src/documents/domain/texts/languages.js';

/** Everything that a catalogue says. */
function allOf(texts: unknown): string {
  if (typeof texts === 'function') return String(Reflect.apply(texts, undefined, ['1', '2', '3']));
  if (typeof texts !== 'object' || texts === null) return String(texts);
  return Object.values(texts).map(allOf).join(' ');
}

const families = (sheet: string) =>
  [...sheet.matchAll(/font-family:'([^']*)';font-weight:(\d+)/g)].map((one) => one[1]);

describe('the fonts that travel with the service', () => {
  it.each(LANGUAGES)('have all that is said in %s', (language) => {
    expect(withoutGlyph(allOf(textsOf(language)))).toEqual([]);
  });

  it.each([
    ['Latin', 'Ærøskøbing Łódź Škoda İstanbul Việt Nam ßẞ'],
    ['Greek', 'Αθήνα ἀρχή'],
    ['Cyrillic', 'Київ Москва Ђорђе Қазақстан'],
    ['Arabic, Persian and Urdu', 'شركة المثال پارسی گ چ ژ ٹ ں ے ١٢٣'],
    ['Hebrew', 'חֶבְרָה לְדֻגְמָה'],
    ['Devanagari', 'क्षत्रिय श्री ज्ञान ₹'],
    ['Thai', 'บริษัท ตัวอย่าง น้ำ ฿'],
    ['Chinese', '上海示例有限公司 龘 繁體'],
    ['Japanese', '株式会社サンプル ﾊﾝｶｸ 髙 々'],
    ['Korean', '주식회사 예시 뷁 韓'],
    ['Armenian', 'Հայաստանի Հանրապետություն'],
    ['Bengali', 'বাংলা প্রতিষ্ঠান'],
    ['Cherokee', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ'],
    ['Ethiopic', 'የኢትዮጵያ ድርጅት'],
    ['Georgian', 'შპს თბილისი ᲗᲑᲘᲚᲘᲡᲘ'],
    ['Gujarati', 'ગુજરાતી સંસ્થા'],
    ['Gurmukhi', 'ਪੰਜਾਬੀ ਸੰਸਥਾ'],
    ['Inuktitut', 'ᐃᓄᒃᑎᑐᑦ'],
    ['Kannada', 'ಕನ್ನಡ ಸಂಸ್ಥೆ'],
    ['Khmer', 'ក្រុមហ៊ុនឧទាហរណ៍'],
    ['Lao', 'ບໍລິສັດຕົວຢ່າງ'],
    ['Malayalam', 'മലയാളം സ്ഥാപനം'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ'],
    ['Myanmar', 'မြန်မာ ကုမ္ပဏီ'],
    ['Odia', 'ଓଡ଼ିଆ ସଂସ୍ଥା'],
    ['Sinhala', 'සිංහල ආයතනය'],
    ['Syriac', 'ܣܘܪܝܝܐ'],
    ['Tamil', 'தமிழ் நிறுவனம்'],
    ['Telugu', 'తెలుగు సంస్థ'],
    ['Thaana', 'ދިވެހި ކުންފުނި'],
    ['Tibetan', 'བོད་སྐད་ཀུང་སི།'],
    ['Tifinagh', 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
    ['symbols', '→ ⇒ ≤ ≠ ∑ √ ① ☎ ✓ ★ ♥ ☐ ½ ² ™ € ₿ … • „“”'],
  ])('have %s', (_script, text) => {
    expect(withoutGlyph(text)).toEqual([]);
  });

  it('lack others, and say which', () => {
    expect(withoutGlyph('A 😀 𓀀 𐎀\u200d\n\u00ad')).toEqual(['😀', '𓀀', '𐎀']);
  });

  it('show no control, and nothing that turns letters around', () => {
    expect(withoutGlyph('a\u0007b\u001bc')).toEqual(['\u0007', '\u001b']);
    expect(withoutGlyph('Rabatt \u202e00,001 RUE\u202c')).toEqual(['\u202e', '\u202c']);
    expect(withoutGlyph('\u2067شركة\u2069 \u200fA\u200e\t1\r\n')).toEqual([]);
  });

  it('are only those that a text needs', () => {
    expect(families(fontFacesFor('Invoice 1', 'en'))).toEqual(Array(3).fill('Noto Sans'));
    expect(fontFacesFor('\n', 'en')).toBe('');
    expect(new Set(families(fontFacesFor('請求書 ★', 'ja')))).toEqual(
      new Set(['Noto Sans', 'Noto Sans Symbols', 'Noto Sans Han']),
    );
  });

  it('draw a Han character as its readers write it', () => {
    const [zh, ja, ko] = ['zh', 'ja', 'ko'].map((language) => fontFacesFor('直', language));
    expect(new Set([zh, ja, ko]).size).toBe(3);
    expect(fontFacesFor('直', 'de')).toBe(zh);
  });
});
