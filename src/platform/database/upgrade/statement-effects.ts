/** Names as pg_locks has them, the strongest last. */
export const LOCK_MODES = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
] as const;
export type LockMode = (typeof LOCK_MODES)[number];

/** From this one on, a payment waits for it. */
const FIRST_BLOCKING = LOCK_MODES.indexOf('ShareLock');

/** How a table is read or written as a whole: the time it takes goes by its size. */
type TableWork = 'scan' | 'index' | 'update' | 'rewrite';

export interface StatementEffect {
  /** `adds the column customers.kind` */
  says: string;
  locks: { table: string; mode: LockMode }[];
  work: { table: string; kind: TableWork } | null;
  /** Indexes that it drops, whose tables are locked wholly. */
  indexes: string[];
  /** A table that is new: its locks hold up nobody. */
  made: string | null;
  /** Processes of the version before may read and write beside it, and after it. */
  oldMayGoOn: boolean;
}

export function isBlocking(mode: LockMode): boolean {
  return LOCK_MODES.indexOf(mode) >= FIRST_BLOCKING;
}

type Effect = Partial<Omit<StatementEffect, 'says'>> & { says: string };
type Rule = [pattern: RegExp, effect: (...groups: string[]) => Effect];

const STRONGEST = 'AccessExclusiveLock';

/** Actions of ALTER TABLE; `$` is its table. The first that fits counts. */
const ACTIONS: readonly Rule[] = [
  [
    /^(DIS|EN)ABLE TRIGGER (\w+)/,
    (dis, name) => ({
      says: `${dis === 'DIS' ? 'switches off' : 'switches on'} the trigger ${name} of $`,
      ...locking('ShareRowExclusiveLock'),
    }),
  ],
  [
    /^VALIDATE CONSTRAINT (\w+)/,
    (name) => ({
      says: `checks all rows of $ by ${name}`,
      ...locking('ShareUpdateExclusiveLock'),
      work: { table: '$', kind: 'scan' },
    }),
  ],
  [
    /^ADD (?:CONSTRAINT (\w+) )?FOREIGN KEY .*?REFERENCES (\w+)(.*)/,
    (name, to = '', rest = '') => ({
      says: `ties $ to ${to}${name ? ` (${name})` : ''}`,
      locks: ['$', to].map((table) => ({ table, mode: 'ShareRowExclusiveLock' as const })),
      work: scanUnless(rest),
    }),
  ],
  [
    /^ADD CONSTRAINT (\w+) (?:UNIQUE|PRIMARY KEY)(?! USING)/,
    (name) => ({
      says: `makes the key ${name} of $`,
      ...locking(STRONGEST),
      work: { table: '$', kind: 'index' },
      oldMayGoOn: false,
    }),
  ],
  // Rows of the version before may be refused by it.
  [
    /^ADD CONSTRAINT (\w+) (.*)/,
    (name, rest = '') => ({
      says: `adds the rule ${name} to $`,
      ...locking(STRONGEST),
      work: scanUnless(rest),
      oldMayGoOn: false,
    }),
  ],
  [
    /^ADD COLUMN (?:IF NOT EXISTS )?(\w+) (.*)/,
    (column, rest = '') => ({
      says: `adds the column $.${column}`,
      locks: [
        { table: '$', mode: STRONGEST },
        ...tiedTo(rest).map((table) => ({ table, mode: 'ShareRowExclusiveLock' as const })),
      ],
      work: workOfColumn(rest),
      oldMayGoOn: !/NOT NULL/.test(rest) || /DEFAULT/.test(rest),
    }),
  ],
  [
    /^DROP CONSTRAINT (?:IF EXISTS )?(\w+)/,
    (name) => ({
      says: `drops the rule ${name} of $`,
      ...locking(STRONGEST),
    }),
  ],
  [
    /^DROP COLUMN (?:IF EXISTS )?(\w+)/,
    (column) => ({
      says: `drops the column $.${column}`,
      ...locking(STRONGEST),
      oldMayGoOn: false,
    }),
  ],
  [
    /^ALTER COLUMN (\w+) (?:SET DATA )?TYPE/,
    (column) => ({
      says: `changes the type of $.${column}`,
      ...locking(STRONGEST),
      work: { table: '$', kind: 'rewrite' },
      oldMayGoOn: false,
    }),
  ],
  [
    /^ALTER COLUMN (\w+) SET NOT NULL/,
    (column) => ({
      says: `wants a value in $.${column}`,
      ...locking(STRONGEST),
      work: { table: '$', kind: 'scan' },
      oldMayGoOn: false,
    }),
  ],
  [
    /^ALTER COLUMN (\w+) (SET DEFAULT|DROP DEFAULT|DROP NOT NULL|SET STORAGE|SET COMPRESSION)/,
    (column) => ({
      says: `changes how $.${column} is filled or stored`,
      ...locking(STRONGEST),
    }),
  ],
  [
    /^(ALTER COLUMN \w+ SET STATISTICS|SET \()/,
    () => ({
      says: 'changes settings of $',
      ...locking('ShareUpdateExclusiveLock'),
    }),
  ],
];

const STATEMENTS: readonly Rule[] = [
  [
    /^CREATE TABLE (?:IF NOT EXISTS )?(\w+) ?\((.*)/,
    (table, rest = '') => ({
      says: `makes the table ${table}`,
      made: table,
      locks: tiedTo(rest).map((to) => ({ table: to, mode: 'ShareRowExclusiveLock' as const })),
    }),
  ],
  [
    /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(\w+) ON (\w+)/,
    (name, table = '') => ({
      says: `makes the index ${name} of ${table} beside writers`,
      locks: [{ table, mode: 'ShareUpdateExclusiveLock' }],
      work: { table, kind: 'index' },
    }),
  ],
  [
    /^CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+)(.*)/,
    (name, table = '', rest = '') => ({
      says: `makes the index ${name} of ${table}`,
      locks: [{ table, mode: 'ShareLock' }],
      work: { table, kind: / USING brin/.test(rest) ? 'scan' : 'index' },
    }),
  ],
  [
    /^CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*? ON (\w+)/,
    (name, table = '') => ({
      says: `makes the trigger ${name} of ${table}`,
      locks: [{ table, mode: 'ShareRowExclusiveLock' }],
    }),
  ],
  [
    /^DROP TRIGGER (?:IF EXISTS )?(\w+) ON (\w+)/,
    (name, table = '') => ({
      says: `drops the trigger ${name} of ${table}`,
      locks: [{ table, mode: STRONGEST }],
    }),
  ],
  [/^CREATE FUNCTION (\w+)/, (name) => ({ says: `makes the function ${name}` })],
  [
    /^CREATE OR REPLACE FUNCTION (\w+)/,
    (name) => ({
      says: `changes the function ${name}`,
      oldMayGoOn: false,
    }),
  ],
  [
    /^CREATE (DOMAIN|TYPE|SEQUENCE|VIEW) (\w+)/,
    (kind = '', name = '') => ({
      says: `makes the ${kind.toLowerCase()} ${name}`,
    }),
  ],
  [
    /^COMMENT ON (?:TABLE|COLUMN) (\w+)/,
    (table = '') => ({
      says: `describes ${table}`,
      locks: [{ table, mode: 'ShareUpdateExclusiveLock' }],
    }),
  ],
  [/^SELECT /, () => ({ says: 'reads' })],
  [/^COMMENT ON/, () => ({ says: 'describes what it made' })],
  [
    /^UPDATE (?:ONLY )?(\w+)/,
    (table = '') => ({
      says: `changes rows of ${table}`,
      locks: [{ table, mode: 'RowExclusiveLock' }],
      work: { table, kind: 'update' },
    }),
  ],
  [
    /^INSERT INTO (\w+) (.*)$/,
    (table = '', rest = '') => {
      const from = /\bFROM (\w+)/.exec(rest)?.[1];
      return {
        says: `adds rows to ${table}`,
        locks: [{ table, mode: 'RowExclusiveLock' }],
        work: from ? { table: from, kind: 'update' } : null,
      };
    },
  ],
  [
    /^DELETE FROM (\w+)/,
    (table = '') => ({
      says: `deletes rows of ${table}`,
      locks: [{ table, mode: 'RowExclusiveLock' }],
      work: { table, kind: 'update' },
      oldMayGoOn: false,
    }),
  ],
  [
    /^DROP TABLE (?:IF EXISTS )?(\w+)/,
    (table = '') => ({
      says: `drops the table ${table}`,
      locks: [{ table, mode: STRONGEST }],
      oldMayGoOn: false,
    }),
  ],
  [
    /^DROP INDEX (?:IF EXISTS )?([\w, ]+)/,
    (names = '') => ({ says: `drops the index ${names}`, indexes: names.split(/, ?/) }),
  ],
  [
    /^DROP (FUNCTION|VIEW|TYPE) (?:IF EXISTS )?(\w+)/,
    (kind = '', name = '') => ({
      says: `drops the ${kind.toLowerCase()} ${name}`,
      oldMayGoOn: false,
    }),
  ],
];

/** The effects of one statement of a migration, one for each action of an ALTER TABLE. */
export function effectsOf(sql: string): StatementEffect[] {
  const lines = sql.split('\n').map((line) => line.split('--', 1)[0]);
  const all = lines.join(' ').replaceAll(/\s+/g, ' ').trim().replace(/;$/, '');
  // Rows of a WITH may be added.
  const text = all.startsWith('WITH ') ? all.slice(Math.max(all.indexOf('INSERT INTO '), 0)) : all;
  const altered = /^ALTER TABLE (?:ONLY )?(\w+) (.*)$/.exec(text);
  if (!altered) return [effectOf(text, STATEMENTS)];
  const [, table = '', actions = ''] = altered;
  return topLevelParts(actions).map((action) => ofTable(effectOf(action, ACTIONS), table));
}

function effectOf(text: string, rules: readonly Rule[]): StatementEffect {
  for (const [pattern, effect] of rules) {
    const found = pattern.exec(text);
    if (found)
      return {
        locks: [],
        indexes: [],
        work: null,
        made: null,
        oldMayGoOn: true,
        ...effect(...found.slice(1)),
      };
  }
  const says = `does what is not known here: ${text.slice(0, 60)}`;
  return { says, locks: [], indexes: [], work: null, made: null, oldMayGoOn: false };
}

function ofTable(effect: StatementEffect, table: string): StatementEffect {
  const named = <Of extends { table: string }>(one: Of): Of => ({
    ...one,
    table: one.table.replace('$', table),
  });
  return {
    ...effect,
    says: effect.says.replace('$', table),
    locks: effect.locks.map(named),
    work: effect.work && named(effect.work),
  };
}

const locking = (mode: LockMode): Pick<StatementEffect, 'locks'> => ({
  locks: [{ table: '$', mode }],
});

function scanUnless(rest: string): StatementEffect['work'] {
  return /NOT VALID/.test(rest) ? null : { table: '$', kind: 'scan' };
}

/** A default that is the same for all rows is stored once; a rule is checked for each. */
function workOfColumn(rest: string): StatementEffect['work'] {
  if (
    /GENERATED ALWAYS AS .*STORED|DEFAULT (gen_random_uuid|clock_timestamp|random|nextval)\(/.test(
      rest,
    )
  ) {
    return { table: '$', kind: 'rewrite' };
  }
  return /CHECK|REFERENCES|UNIQUE/.test(rest) ? { table: '$', kind: 'scan' } : null;
}

function tiedTo(rest: string): string[] {
  return [...new Set([...rest.matchAll(/REFERENCES (\w+)/g)].map(([, table = '']) => table))];
}

/** Parts between commas that stand in no brackets and no text. */
function topLevelParts(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let isText = false;
  for (const letter of text) {
    if (letter === "'") isText = !isText;
    else if (!isText && letter === '(') depth += 1;
    else if (!isText && letter === ')') depth -= 1;
    if (letter === ',' && depth === 0 && !isText) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
