import type { VatReturnForm } from './vat-return.js';

/** Exempt sales, and services to businesses outside the EU, are not asked for. */
export const NETHERLANDS: VatReturnForm = {
  country: 'NL',
  currency: 'EUR',
  name: 'Aangifte omzetbelasting',
  source: 'belastingdienst.nl: toelichting bij de aangifte omzetbelasting',
  digits: { base: 'cut', tax: 'cut' },
  boxes: [
    { box: '1a', label: 'Leveringen/diensten belast met hoog tarief', hasTax: true },
    { box: '1b', label: 'Leveringen/diensten belast met laag tarief', hasTax: true },
    {
      box: '1c',
      label: 'Leveringen/diensten belast met overige tarieven, behalve 0%',
      hasTax: true,
    },
    {
      box: '1e',
      label: 'Leveringen/diensten belast met 0% of niet bij u belast',
      hasTax: false,
    },
    { box: '3a', label: 'Leveringen naar landen buiten de EU (uitvoer)', hasTax: false },
    { box: '3b', label: 'Leveringen naar of diensten in landen binnen de EU', hasTax: false },
  ],
  rules: [
    { categories: ['S'], rates: ['21'], boxes: ['1a'] },
    { categories: ['S'], rates: ['9'], boxes: ['1b'] },
    { categories: ['S'], buyers: ['home'], boxes: ['1c'] },
    { categories: ['S'], buyers: ['eu'], outside: 'oss' },
    { categories: ['Z'], boxes: ['1e'] },
    { categories: ['AE'], buyers: ['home'], boxes: ['1e'] },
    { categories: ['AE', 'K'], buyers: ['eu'], boxes: ['3b'] },
    { categories: ['G'], boxes: ['3a'] },
    { categories: ['AE', 'E', 'O'], outside: 'not_asked' },
  ],
};
