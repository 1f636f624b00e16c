import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { canRun } from './prometheus-server.js';

// The alerts for operators: deploy/prometheus/alerts.yml.

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));
const RUNBOOK = new URL('../../docs/runbook.md', import.meta.url);

interface Rules {
  groups: { rules: { alert: string; labels: object; annotations: Record<string, string> }[] }[];
}

interface RuleTests {
  tests: { promql_expr_test: { expr: string; exp_samples: object[] }[] }[];
}

const read = (name: string): unknown => parse(readFileSync(`${FOLDER}${name}`, 'utf8'));
const alerts = (read('alerts.yml') as Rules).groups.flatMap(({ rules }) => rules);

/** `QuittanceBooksDiffer` has the heading `Books differ`, and the anchor `books-differ`. */
const anchorOf = (alert: string) =>
  alert
    .replace(/^Quittance/, '')
    .replaceAll(/(?<!^)(?=[A-Z])/g, '-')
    .toLowerCase();

describe('the alerts', () => {
  it('have a severity, a summary and lines in the runbook each', () => {
    expect(alerts.length).toBeGreaterThan(20);
    for (const { alert, labels, annotations } of alerts) {
      expect([alert, labels, annotations]).toEqual([
        alert,
        { severity: expect.stringMatching(/^(critical|warning)$/) },
        {
          summary: expect.stringMatching(/^[A-Z1].{10,}[^.]$/),
          runbook: `docs/runbook.md#${anchorOf(alert)}`,
        },
      ]);
    }
  });

  it('are all that the runbook has, in the same order', () => {
    const headings = [...readFileSync(RUNBOOK, 'utf8').matchAll(/^## (.+)$/gm)];
    const anchors = headings.map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'));
    expect(anchors).toEqual(alerts.map(({ alert }) => anchorOf(alert)));
  });

  it('are each seen firing by a test, and all silent in another', () => {
    const tried = (read('alerts.test.yml') as RuleTests).tests.flatMap(
      (one) => one.promql_expr_test,
    );
    const firing = tried
      .filter(({ exp_samples: samples }) => samples.length > 0)
      .map(({ expr }) => /alertname="(\w+)", alertstate="firing"/.exec(expr)?.[1]);
    expect(firing).toEqual(alerts.map(({ alert }) => alert));
    expect(
      tried.filter(({ expr, exp_samples: none }) => expr === 'ALERTS' && !none.length),
    ).toHaveLength(1);
  });

  it('pass the tests of Prometheus itself', async (test) => {
    const reason = await canRun('promtool');
    if (reason) return test.skip(reason);
    const check = await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd: FOLDER });
    expect(check.stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
    const tried = await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: FOLDER });
    return expect(tried.stdout).toContain('SUCCESS');
  });
});
