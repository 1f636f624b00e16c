import type { VatReturnForm } from './vat-return.js';

/** Of mainland France and the overseas departments; Corsica's own rates have no box here. */
export const FRANCE: VatReturnForm = {
  country: 'FR',
  currency: 'EUR',
  name: 'Déclaration de TVA (n° 3310-CA3-SD)',
  source: 'impots.gouv.fr: form 3310-CA3-SD and its notice 3310-NOT-CA3-SD of 2025',
  digits: { base: 'rounded', tax: 'rounded' },
  boxes: [
    { box: 'A1', label: 'Ventes, prestations de services', hasTax: false },
    { box: 'E1', label: 'Exportations hors UE', hasTax: false },
    { box: 'E2', label: 'Autres opérations non imposables', hasTax: false },
    {
      box: 'E3',
      label: 'Ventes à distance taxables dans un autre État membre (ventes B to C)',
      hasTax: false,
    },
    {
      box: 'F2',
      label: 'Livraisons intracommunautaires à destination d’une personne assujettie',
      hasTax: false,
    },
    { box: '08', label: 'France métropolitaine, taux normal 20 %', hasTax: true },
    { box: '09', label: 'France métropolitaine, taux réduit 5,5 %', hasTax: true },
    { box: '9B', label: 'France métropolitaine, taux réduit 10 %', hasTax: true },
    { box: '10', label: 'DOM, taux normal 8,5 %', hasTax: true },
    { box: 'T6', label: 'France continentale, taux 2,1 %', hasTax: true },
  ],
  rules: [
    { categories: ['S'], rates: ['20'], boxes: ['A1', '08'] },
    { categories: ['S'], rates: ['5.5'], boxes: ['A1', '09'] },
    { categories: ['S'], rates: ['10'], boxes: ['A1', '9B'] },
    { categories: ['S'], rates: ['8.5'], boxes: ['A1', '10'] },
    { categories: ['S'], rates: ['2.1'], boxes: ['A1', 'T6'] },
    { categories: ['S'], buyers: ['eu'], boxes: ['E3'], outside: 'oss' },
    { categories: ['G'], boxes: ['E1'] },
    { categories: ['K'], boxes: ['F2'] },
    { categories: ['AE', 'E'], boxes: ['E2'] },
    { categories: ['O'], buyers: ['eu', 'third'], boxes: ['E2'] },
    { categories: ['O'], outside: 'not_asked' },
  ],
};
