import { renderToString } from 'preact-render-to-string';
import { STATUS_ORDER, type StatusReport, type StatusState } from './service-status.js';

export const STATUS_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const STYLE =
  'body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color-scheme: light dark } ' +
  'table { border-collapse: collapse; width: 100% } th, td { text-align: start; padding: .4rem .8rem .4rem 0; vertical-align: top } ' +
  'td:nth-child(2) { white-space: nowrap }';

/** The heading of each kind of lines, also on a terminal. */
const STATUS_HEADINGS: Readonly<Record<StatusState, string>> = {
  failed: 'Failed',
  behind: 'Behind',
  waits: 'Waits for a person',
  fine: 'Fine',
};

/** How the whole stands, in a sentence. */
const STATUS_SENTENCES: Readonly<Record<StatusState, string>> = {
  failed: 'Something has failed.',
  behind: 'Something is behind.',
  waits: 'All works. Some things wait for a person.',
  fine: 'All works, and nothing waits.',
};

const ONLY_READS = 'It only reads: changes go to another address of the service.';

/** For people, also in a browser of text: no scripts, and nothing that needs a style to be read. */
export function statusPage(report: StatusReport): string {
  return `<!doctype html>${renderToString(<StatusPage {...report} />)}`;
}

/** The same on a terminal. */
export function statusText({ at, version, readOnly, state, lines }: StatusReport): string {
  const groups = STATUS_ORDER.flatMap((one) => {
    const found = lines.filter((line) => line.state === one);
    if (found.length === 0) return [];
    const told = found.flatMap(({ what, shown, next }) => [
      `  ${what}: ${shown}`,
      ...(next === null ? [] : [`    next: ${next}`]),
    ]);
    return ['', STATUS_HEADINGS[one], ...told];
  });
  const head = `${STATUS_SENTENCES[state]} ${at}, version ${version}`;
  return [head, ...(readOnly ? [ONLY_READS] : []), ...groups].join('\n');
}

function StatusPage({ at, version, readOnly, state, lines }: StatusReport) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{STATUS_SENTENCES[state]}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <h1>{STATUS_SENTENCES[state]}</h1>
        <p>
          Quittance {version}, <time dateTime={at}>{at}</time>
        </p>
        {readOnly && <p>{ONLY_READS}</p>}
        {STATUS_ORDER.map((one) => (
          <Group key={one} state={one} lines={lines.filter((line) => line.state === one)} />
        ))}
        <p>
          The same for programs: <a href="/status.json">/status.json</a>,{' '}
          <a href="/metrics">/metrics</a>.
        </p>
      </body>
    </html>
  );
}

function Group({ state, lines }: Pick<StatusReport, 'state' | 'lines'>) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>{STATUS_HEADINGS[state]}</h2>
      <table>
        {lines.map(({ what, shown, next, metric }) => (
          <tr key={metric}>
            <td>{what}</td>
            <td>
              <strong>{shown}</strong>
            </td>
            <td>{next}</td>
          </tr>
        ))}
      </table>
    </section>
  );
}
