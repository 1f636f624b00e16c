/** From left to right: a module imports, and its SQL reads, only what stands to its left. */
const MODULE_ORDER = [
  ['kernel'],
  ['platform'],
  ['auth'],
  ['clocks'],
  ['events'],
  ['documents'],
  ['einvoices'],
  ['books'],
  ['payments'],
  ['bank'],
  ['gateways'],
  ['schedules'],
  ['webhooks', 'portal'],
  ['mail'],
  ['dunning'],
  ['integrity'],
  ['feed'],
  ['privacy'],
  ['app'],
  ['testing'],
];

export const rankOf = (module: string) => MODULE_ORDER.findIndex((names) => names.includes(module));

/** A large module has rooms, each a Nest module of its own, on those before it; the HTTP of all is its last. */
const ROOM_ORDER: Record<string, string[]> = {
  payments: ['port', 'recording', 'collecting', 'returning', 'inbox'],
};

export const isRoom = (module: string, name: string) => roomsOf(module).includes(name);

/** Above all rooms where it is in none. */
export const roomRankOf = (module: string, room: string | undefined) =>
  room === undefined ? roomsOf(module).length : roomsOf(module).indexOf(room);

const roomsOf = (module: string) => ROOM_ORDER[module] ?? [];
