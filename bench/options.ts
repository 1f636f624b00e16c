import { parseArgs } from 'node:util';
import { type Name, NAMES } from './contestants.js';
import type { Timing } from './money-load.js';

export const USUAL_SECTIONS = [
  'payments',
  'one-document',
  'webhooks',
  'reads',
  'pdf',
  'start-up',
] as const;
/** Only where they are asked for. The last three need filled databases, which are made first. */
const OTHER_SECTIONS = [
  'deliveries',
  'in-full',
  'rows',
  'lines',
  'fields',
  'lists',
  'integrity',
  'growth',
] as const;
const SECTIONS = [...USUAL_SECTIONS, ...OTHER_SECTIONS] as const;
export type Section = (typeof SECTIONS)[number];
const ALONE: ReadonlySet<Section> = new Set(['in-full', 'deliveries']);

export const USAGE = `npm run bench -- [--json] [--seconds 5] [--rounds 3] [--warm-up 4] [--documents 2000]
  [--connections 32]   callers at once; may be given several times, one measurement each
  [--only ${SECTIONS.join('|')}]   one section; may be given several times;
    ${USUAL_SECTIONS.join(', ')} if absent; in-full and deliveries only by themselves
  [--endpoints 0]   of the service, sent all events: by itself in deliveries, else by a process
    that is not there, so that the others show what they cost a payment
  [--beside lean|bare|textbook]   other servers, all if absent; may be given several times
  [--against folder]   an earlier build of the service, from its checkout
  [--processes 1|2|auto]   of the service, behind its port
  [--profile folder]   writes a CPU profile of the service there`;

export interface Options {
  json: boolean;
  sections: Section[];
  timing: Timing;
  against: string | undefined;
  processes: string;
  profile: string | undefined;
  /** Callers at once, one measurement for each. */
  callers: number[];
  documents: number;
  endpoints: number;
  names: readonly Name[];
}

/** @throws Error with `USAGE` */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      'warm-up': { type: 'string', default: '4' },
      connections: { type: 'string', multiple: true, default: ['32'] },
      documents: { type: 'string', default: '2000' },
      endpoints: { type: 'string', default: '0' },
      beside: { type: 'string', multiple: true, default: ['lean', 'bare', 'textbook'] },
      only: { type: 'string', multiple: true, default: [...USUAL_SECTIONS] },
      against: { type: 'string' },
      processes: { type: 'string', default: '1' },
      profile: { type: 'string' },
    },
  });
  const callers = values.connections.map(Number);
  const given = [values.seconds, values.rounds, values['warm-up'], values.documents];
  const endpoints = Number(values.endpoints);
  const numbers = [...given.map(Number), ...callers];
  const [seconds = 0, rounds = 0, warmUpSeconds = 0, documents = 0, connections = 0] = numbers;
  const names = NAMES.filter((name) => values.beside.includes(name));
  const sections = SECTIONS.filter((section) => values.only.includes(section));
  const wrong =
    numbers.some((number) => !(number > 0)) || !Number.isInteger(rounds) || !(endpoints >= 0);
  // A document that another section paid in part cannot be paid in full.
  const isMixed = sections.length > 1 && sections.some((one) => ALONE.has(one));
  const isUnknown = new Set(values.only).size !== sections.length;
  if (wrong || isMixed || isUnknown) throw new Error(USAGE);
  const timing = { seconds, rounds, warmUpSeconds, connections };
  const { json, against, processes, profile } = values;
  return {
    json,
    sections,
    timing,
    against,
    processes,
    profile,
    callers,
    documents,
    endpoints,
    names,
  };
}
