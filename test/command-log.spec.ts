import { describe, expect, it } from 'vitest';
import ts from 'typescript';
import { everyNode, parsed, type SourceFile, sourcesOf } from './support/source.js';

// Each command of the operator is in the audit log, unless it is known to change nothing. Work in
// `withApp` is recorded there (src/cli/command-log.ts); every other command is listed here.

const OUTSIDE: Record<string, string> = {
  backup: 'records itself before it begins, so that the copy has it, too',
  completion: 'prints a script',
  key: 'prints a new key pair, which nobody here knows',
  list: 'reads a store',
  verify: 'reads a store, or a file',
  send: 'works on a store, and needs no database: its own log has who called it',
  fetch: 'reads a store',
  move: 'records itself before it begins: the owner of the tables moves bytes',
  prune: 'the same',
  'database-url': 'reads',
  'demo-webhook': 'calls the running service, as a provider does',
  doctor: 'reads',
  events: 'calls the running service, as an integration does',
  listen: 'the same',
  mcp: 'the same',
  'migrate-from': 'calls the running service, as an integration does',
  migrate: 'migrations record themselves, wherever they run',
  start: 'is the service',
  status: 'asks the running service',
  trigger: 'calls the running service, as an integration does',
  upgrade: 'reads',
  restored: 'records itself, in the transaction of its change',
  restore: 'makes a database that does not run yet; its last entry is that of the backup',
};

interface Found {
  command: string;
  isInApp: boolean;
}

/** Every `.command('name ...') ... .action(...)`. */
function actionsIn({ tree }: Pick<SourceFile, 'tree'>): Found[] {
  const found: Found[] = [];
  everyNode(tree, (node) => {
    if (!ts.isCallExpression(node) || calledOn(node) !== 'action') return;
    const isInApp = /\bwithApp\(/.test(node.arguments.map((each) => each.getText()).join());
    found.push({ command: commandOf(node), isInApp });
  });
  return found;
}

const calledOn = ({ expression }: ts.CallExpression) =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;

function commandOf(call: ts.CallExpression): string {
  let node: ts.Node = call;
  while (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    if (calledOn(node) === 'command' && first && ts.isStringLiteral(first)) {
      return first.text.split(' ')[0] ?? '';
    }
    // A function that gives several commands the same options has the command in it.
    const { expression }: ts.CallExpression = node;
    const inner = ts.isPropertyAccessExpression(expression) ? expression.expression : first;
    if (!inner) return '?';
    node = inner;
  }
  return '?';
}

describe('commands of the operator', () => {
  const actions = sourcesOf('src').flatMap(actionsIn);

  it('are these', () => {
    const names = actions.map(({ command }) => command);
    expect(names).toEqual(
      expect.arrayContaining(['create', 'migrate', 'import', 'claim', 'audit']),
    );
    expect(names).not.toContain('?');
  });

  it('are recorded, or are known to change nothing', () => {
    const outside = actions.filter(({ isInApp }) => !isInApp).map(({ command }) => command);
    expect([...new Set(outside)].toSorted()).toEqual(Object.keys(OUTSIDE).toSorted());
  });
});

describe('the search', () => {
  it('finds a command that is not recorded', () => {
    const text = `
      program.command('group').command('burn <what>').option('-x').action(() => burn());
      program.command('keep').action((options) => withApp(async (app) => keep(app)));`;
    expect(actionsIn(parsed('src/x.ts', text))).toEqual([
      { command: 'burn', isInApp: false },
      { command: 'keep', isInApp: true },
    ]);
  });
});
