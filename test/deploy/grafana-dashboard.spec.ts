import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

// The dashboard for operators, judged by the types that Grafana publishes of its own.

const DASHBOARD = readFileSync(
  new URL('../../deploy/grafana/quittance.json', import.meta.url),
  'utf8',
);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Enumerations are words in JSON. */
const PREAMBLE = `import type { Dashboard } from '@grafana/schema';
type Json<T> = T extends string ? \`\${T}\`
  : T extends (infer One)[] ? Json<One>[]
  : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;
`;

/** Complaints of the compiler about a dashboard against Grafana's types, by code and sentence. */
function complaintsOf(json: string): string[] {
  const name = `${ROOT}test/deploy/dashboard-under-test.ts`;
  const source = `${PREAMBLE}export const dashboard: Json<Dashboard> = ${json};`;
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? source : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === name
      ? ts.createSourceFile(path, source, ts.ScriptTarget.ES2024)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ code, messageText }) => `${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

interface Board {
  uid: string;
  templating: { list: { name: string }[] };
  panels: {
    id: number;
    type: string;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    datasource?: object;
    targets?: { expr: string; refId: string; datasource: object }[];
  }[];
}

const board = JSON.parse(DASHBOARD) as Board;
const charts = board.panels.filter(({ type }) => type !== 'row');

describe('the dashboard', () => {
  it('is of the shape that Grafana publishes', () => {
    expect(complaintsOf(DASHBOARD)).toEqual([]);
  });

  it.each([
    ['a field that is none', (it: Board) => ({ ...it, panel: [] })],
    ['a panel without its type', (it: Board) => ({ ...it, panels: [{ id: 1, title: 'x' }] })],
    [
      'a word that is none',
      (it: Board) => ({ ...it, templating: { list: [{ name: 'x', type: 'words' }] } }),
    ],
  ])('would be refused for %s', (_, change) => {
    expect(complaintsOf(JSON.stringify(change(board)))).not.toEqual([]);
  });

  it('has rows for traffic, money, queues, the database and people', () => {
    const rows = board.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Now', 'Traffic', 'Money', 'Queues', 'Database', 'People']);
  });

  it('has no two panels in one place, or with one id', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(board.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  it('asks the source and the installation that were chosen, in every query', () => {
    const chosen = { type: 'prometheus', uid: '${datasource}' };
    expect(board.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job']);
    for (const { title, datasource, targets = [] } of charts) {
      expect([title, datasource]).toEqual([title, chosen]);
      expect([title, targets.length]).toEqual([title, expect.toSatisfy((count) => count > 0)]);
      for (const { expr, datasource: own } of targets) {
        expect([expr, own]).toEqual([expect.stringContaining('job="$job"'), chosen]);
      }
    }
  });
});
