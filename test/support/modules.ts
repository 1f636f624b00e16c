/** From left to right: a module imports, and its SQL reads, only what stands to its left. */
const MODULE_ORDER = [
  ['kernel'],
  ['platform'],
  ['auth'],
  ['events'],
  ['documents'],
  ['books'],
  ['payments'],
  ['bank'],
  ['gateways'],
  ['integrity'],
  ['webhooks', 'portal'],
  ['mail'],
  ['app'],
];

export const rankOf = (module: string) => MODULE_ORDER.findIndex((names) => names.includes(module));
