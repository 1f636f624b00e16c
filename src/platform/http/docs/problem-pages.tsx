import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { renderToString } from 'preact-render-to-string';
import { type AnyRefusal, statusOfRefusal } from '../problem.js';
import { problemExample } from '../openapi/problem-schemas.js';
import { type DescribedOperation, problemPath, refusalsIn } from './reference-document.js';

const STYLE = `
  body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif;
    color: #1f2937; background: #fff }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace }
  pre { padding: 1rem; overflow-x: auto; background: #f3f4f6; border-radius: 0.5rem }
  a { color: #14532d }
  li { margin: 0.25rem 0 }
  @media (prefers-color-scheme: dark) {
    body { color: #e5e7eb; background: #111827 } pre { background: #1f2937 } a { color: #86efac }
  }`;

interface Answering {
  call: string;
  /** In the reference. */
  place: string;
  summary: string;
}

/** The page of one code: when it is given, by which calls, and its answer as a whole. */
export function problemPage(refusal: AnyRefusal, api: OpenAPIObject, nonce: string): string {
  const { code, example } = refusal;
  const status = statusOfRefusal(refusal);
  const calls = callsAnswering(code, api);
  return page(
    code,
    nonce,
    <>
      <p>
        <a href="/docs">Quittance API</a> / <a href="/docs/problems">problems</a>
      </p>
      <h1>
        <code>{code}</code>
      </h1>
      <p>
        {status} {STATUS_CODES[status]}. Branch on the code; the sentence says what to do, such as:
      </p>
      <blockquote>{example}</blockquote>
      <p>
        When several fields are wrong, the answer's code is <code>validation_failed</code>, and{' '}
        <code>errors</code> has each field with its own.
      </p>
      <pre>{JSON.stringify(problemExample(refusal), null, 2)}</pre>
      <h2>{calls.length === 1 ? 'The call that answers it' : 'Calls that answer it'}</h2>
      <ul>
        {calls.map(({ call, place, summary }) => (
          <li key={call}>
            <a href={place}>
              <code>{call}</code>
            </a>{' '}
            {summary}
          </li>
        ))}
      </ul>
    </>,
  );
}

/** All codes by status, each with a sentence. */
export function problemList(refusals: readonly AnyRefusal[], nonce: string): string {
  const statuses = [...new Set(refusals.map(statusOfRefusal))].sort((one, other) => one - other);
  return page(
    'Problems',
    nonce,
    <>
      <p>
        <a href="/docs">Quittance API</a>
      </p>
      <h1>Problems</h1>
      {statuses.map((status) => (
        <section key={status}>
          <h2>
            {status} {STATUS_CODES[status]}
          </h2>
          <ul>
            {refusals
              .filter((refusal) => statusOfRefusal(refusal) === status)
              .map(({ code, example }) => (
                <li key={code}>
                  <a href={problemPath(code)}>
                    <code>{code}</code>
                  </a>{' '}
                  {example}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>,
  );
}

function page(title: string, nonce: string, content: preact.ComponentChildren): string {
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style nonce={nonce}>{STYLE}</style>
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>,
  );
  return `<!doctype html>${html}`;
}

function callsAnswering(code: string, api: OpenAPIObject): Answering[] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DescribedOperation>)
      .filter(([, { responses }]) =>
        refusalsIn(responses, api).some(({ codes }) => codes.includes(code)),
      )
      .map(([name, { summary = '', tags: [tag = ''] = [] }]) => {
        const method = name.toUpperCase();
        const place = `/docs#tag/${tag.replaceAll(' ', '-')}/${method}${path}`;
        return { call: `${method} ${path}`, place, summary };
      }),
  );
}
