import type { VatReturnForm } from './vat-return.js';

/** Services whose place of supply is abroad are in the recapitulative statement alone. */
export const AUSTRIA: VatReturnForm = {
  country: 'AT',
  currency: 'EUR',
  name: 'Umsatzsteuervoranmeldung (U 30)',
  source: 'bmf.gv.at: form U 30 of 2026',
  digits: { base: 'all', tax: 'all' },
  boxes: [
    {
      box: '000',
      label: 'Gesamtbetrag der Bemessungsgrundlage für Lieferungen und sonstige Leistungen',
      hasTax: false,
    },
    {
      box: '021',
      label: 'Umsätze, für die die Steuerschuld auf den Leistungsempfänger übergegangen ist',
      hasTax: false,
    },
    { box: '011', label: 'Ausfuhrlieferungen (§ 6 Abs. 1 Z 1 iVm § 7)', hasTax: false },
    { box: '017', label: 'Innergemeinschaftliche Lieferungen (Art. 6 Abs. 1)', hasTax: false },
    { box: '020', label: 'Übrige steuerfreie Umsätze ohne Vorsteuerabzug', hasTax: false },
    { box: '022', label: 'Zu versteuern mit 20 % Normalsteuersatz', hasTax: true },
    { box: '029', label: 'Zu versteuern mit 10 % ermäßigter Steuersatz', hasTax: true },
    { box: '006', label: 'Zu versteuern mit 13 % ermäßigter Steuersatz', hasTax: true },
    { box: '037', label: 'Zu versteuern mit 19 % für Jungholz und Mittelberg', hasTax: true },
  ],
  rules: [
    { categories: ['S'], rates: ['20'], boxes: ['000', '022'] },
    { categories: ['S'], rates: ['10'], boxes: ['000', '029'] },
    { categories: ['S'], rates: ['13'], boxes: ['000', '006'] },
    { categories: ['S'], rates: ['19'], buyers: ['home'], boxes: ['000', '037'] },
    { categories: ['S'], buyers: ['eu'], outside: 'oss' },
    { categories: ['AE'], buyers: ['home'], boxes: ['000', '021'] },
    { categories: ['G'], boxes: ['000', '011'] },
    { categories: ['K'], boxes: ['000', '017'] },
    { categories: ['E'], boxes: ['000', '020'] },
    { categories: ['AE', 'O'], outside: 'not_asked' },
  ],
};
