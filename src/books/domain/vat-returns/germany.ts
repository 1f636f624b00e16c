import type { VatReturnForm } from './vat-return.js';

/** Bases are in whole euros; the tax of 81 and 86 the form computes by itself. */
export const GERMANY: VatReturnForm = {
  country: 'DE',
  currency: 'EUR',
  name: 'Umsatzsteuer-Voranmeldung (USt 1 A)',
  source: 'BMF, 29 December 2025, III C 3 - S 7344/00039/007/036: form USt 1 A of 2026',
  digits: { base: 'cut', tax: 'all' },
  boxes: [
    { box: '81', label: 'Steuerpflichtige Umsätze zum Steuersatz von 19 %', hasTax: true },
    { box: '86', label: 'Steuerpflichtige Umsätze zum Steuersatz von 7 %', hasTax: true },
    { box: '87', label: 'Steuerpflichtige Umsätze zum Steuersatz von 0 %', hasTax: false },
    { box: '35', taxBox: '36', label: 'Umsätze zu anderen Steuersätzen', hasTax: true },
    {
      box: '41',
      label: 'Innergemeinschaftliche Lieferungen an Abnehmer mit USt-IdNr.',
      hasTax: false,
    },
    {
      box: '43',
      label: 'Weitere steuerfreie Umsätze mit Vorsteuerabzug (z. B. Ausfuhrlieferungen)',
      hasTax: false,
    },
    { box: '48', label: 'Steuerfreie Umsätze ohne Vorsteuerabzug', hasTax: false },
    {
      box: '60',
      label: 'Umsätze, für die der Leistungsempfänger die Steuer nach § 13b Abs. 5 UStG schuldet',
      hasTax: false,
    },
    {
      box: '21',
      label: 'Nicht steuerbare sonstige Leistungen gemäß § 18b Satz 1 Nr. 2 UStG',
      hasTax: false,
    },
    {
      box: '45',
      label: 'Übrige nicht steuerbare Umsätze (Leistungsort nicht im Inland)',
      hasTax: false,
    },
  ],
  rules: [
    { categories: ['S'], rates: ['19'], boxes: ['81'] },
    { categories: ['S'], rates: ['7'], boxes: ['86'] },
    { categories: ['S'], buyers: ['home'], boxes: ['35'] },
    { categories: ['S'], buyers: ['eu'], outside: 'oss' },
    { categories: ['Z'], boxes: ['87'] },
    { categories: ['K'], boxes: ['41'] },
    { categories: ['G'], boxes: ['43'] },
    { categories: ['E'], boxes: ['48'] },
    { categories: ['AE'], buyers: ['home'], boxes: ['60'] },
    { categories: ['AE'], buyers: ['eu'], boxes: ['21'] },
    { categories: ['AE', 'O'], buyers: ['eu', 'third'], boxes: ['45'] },
    { categories: ['O'], outside: 'not_asked' },
  ],
};
