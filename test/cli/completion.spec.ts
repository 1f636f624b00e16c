import { type Command, Option } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { CommandRun, runCommand } from '../../src/cli/command-line.js';
import {
  isAskedByBash,
  isInstalled,
  offeredByBash,
  offeredByFish,
  offeredByZsh,
} from './shells.js';

// Scripts of `quittance completion`, asked in the shells themselves.

const NOWHERE = { environment: {}, folder: '/' };

async function scriptFor(shell: string): Promise<string> {
  let output = '';
  const print = (line: string) => (output += `${line}\n`);
  const code = await runCommand(['completion', shell], { ...NOWHERE, print, warn: print });
  expect(code).toBe(0);
  return output;
}

const program = new CommandRun({ ...NOWHERE, print: () => {}, warn: () => {} }).program();

interface Place {
  path: string[];
  command: Command;
}

function placesBelow(command: Command, path: string[] = []): Place[] {
  return [
    { path, command },
    ...command.commands.flatMap((one) => placesBelow(one, [...path, one.name()])),
  ];
}

const all = placesBelow(program);
const flagsOf = ({ command }: Place) =>
  ['--help', ...command.options.map(({ long }) => long ?? '')].toSorted();
/** Commander adds no `help` below a command that does something itself. */
const namesIn = ({ command }: Place) =>
  [
    ...('_actionHandler' in command && command._actionHandler ? [] : ['help']),
    ...command.commands.map((one) => one.name()),
  ].toSorted();

/** Lines with all that must be offered for them. */
const CASES: [line: string[], offered: string[]][] = [
  [['gateway-events', 'sh'], ['show']],
  [['gateway-events', '--json', 'rep'], ['replay']],
  [
    ['database-url', '--role', ''],
    ['app', 'owner', 'reader'],
  ],
  [['database-url', '--role', 're'], ['reader']],
  [['database-url', '--role', 'app', '--j'], ['--json']],
  [
    ['bank-statements', 'import', '--decimal', ''],
    ['comma', 'point'],
  ],
  [['bank-statements', 'import', '--account', 'acc_x', '--balance-rows', 'b'], ['book']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [
    ['trigger', 'document.pa'],
    ['document.paid', 'document.partially_paid'],
  ],
  [
    ['help', 'rest'],
    ['restore', 'restored'],
  ],
  // A value that nobody knows, even one that is called as a command.
  [['account', 'create', '--name', ''], []],
  [['account', 'create', '--name', 'list', '--cur'], ['--currency']],
];

describe('bash', () => {
  let script = '';
  const offered = (lines: string[][]) =>
    offeredByBash(script, lines).map((words) => words.toSorted());
  beforeAll(async () => {
    script = await scriptFor('bash');
  });

  it('asks the function that the script brings', () => {
    expect(isAskedByBash(script)).toBe(true);
  });

  it('is offered each command, and each option of each', () => {
    expect(all.length).toBeGreaterThan(30);
    expect(offered(all.map(({ path }) => [...path, '--']))).toEqual(all.map(flagsOf));
    const named = all.filter(({ command }) => command.commands.length > 0);
    expect(offered(named.map(({ path }) => [...path, '']))).toEqual(named.map(namesIn));
  });

  it('is offered choices, and no word where only the caller knows one', () => {
    expect(offered(CASES.map(([line]) => line))).toEqual(CASES.map(([, words]) => words));
  });

  it('parts an option from its value, as bash parts words', () => {
    expect(
      offered([
        ['database-url', '--role', '=', 'o'],
        ['database-url', '--role', '='],
      ]),
    ).toEqual([['owner'], ['app', 'owner', 'reader']]);
  });

  it('goes on with the values of a list, until an option comes', () => {
    const line = ['client', 'limit', 'cli_x', '--address', '192.0.2.0/24', '198.51.100.0/24'];
    expect(
      offered([
        [...line, ''],
        [...line, '--any'],
      ]),
    ).toEqual([[], ['--anywhere']]);
  });

  it('is offered files where a command takes one', () => {
    expect(
      offered([
        ['restore', '/et'],
        ['restore', '/etc/host'],
        ['account', 'create', '/et'],
      ]),
    ).toEqual([['/etc'], expect.arrayContaining(['/etc/hosts']), []]);
  });

  it('takes no time that one notices', () => {
    const lines = Array.from({ length: 100 }, () => ['bank-statements', 'import', '--decimal', '']);
    const begun = performance.now();
    offered(lines);
    console.info(`${((performance.now() - begun) / lines.length).toFixed(1)} ms a completion`);
  });
});

describe.each([
  ['fish', offeredByFish],
  ['zsh', offeredByZsh],
])('%s', (shell, ask) => {
  it('is offered commands, options and choices', async (test) => {
    if (!isInstalled(shell)) return test.skip(`${shell} is not installed`);
    const script = await scriptFor(shell);
    const offered = ask(
      script,
      CASES.map(([line]) => line),
    );
    expect(offered.map((words) => words.toSorted())).toEqual(CASES.map(([, words]) => words));
    const flags = ask(script, [['gateway-events', 'show', '--']]);
    expect(flags[0]?.toSorted()).toEqual(['--help', '--json']);
    expect(ask(script, [['restore', '/etc/host']])[0]?.join(' ')).toContain('hosts');
    expect(ask(script, [['']])[0]?.toSorted()).toEqual(all[0] && namesIn(all[0]));
  });
});

describe('a command that is new', () => {
  it('is completed without a line elsewhere', async () => {
    let script = '';
    const print = (line: string) => (script += line);
    const grown = new CommandRun({ ...NOWHERE, print, warn: print }).program();
    grown
      .command('melt <file>')
      .addOption(new Option('--heat <how>', 'how hot').choices(['low', 'high']))
      .addOption(new Option('--dye <colors...>', 'with these').choices(['blue', 'red']));
    await grown.parseAsync(['completion', 'bash'], { from: 'user' });
    const lines = [
      ['mel'],
      ['melt', '--heat', ''],
      ['melt', '--dye', 'red', ''],
      ['melt', '--dye', 'red', '--he'],
      ['melt', '/et'],
    ];
    expect(offeredByBash(script, lines)).toEqual([
      ['melt'],
      ['low', 'high'],
      ['blue', 'red'],
      ['--heat', '--help'],
      ['/etc'],
    ]);
  });
});
