import type { Contestant, Name } from './contestants.js';
import { median, type ReportRow } from './report.js';

const COUNTS = [100, 1000, 10_000];

/** One is alone at it: nothing else that the service does counts. */
const STEPS = ['preview', 'issue', 'read', 'XML', 'credit note', 'PDF'] as const;
type Step = (typeof STEPS)[number];

const DOCUMENTS = '/v1/finance/documents';

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    description: `Connection ${index} to +49 30 ${100_000 + index}, data and calls`,
    sku: `SIM-${index}`,
    quantity: '1.5',
    unit_amount: 100 + (index % 700),
    tax_rate: index % 3 ? '19' : '7',
  }));

/** Milliseconds of each step, for documents of more and more lines, of the service and the build before. */
export async function measureLines(
  contestants: readonly Contestant[],
  rounds: number,
  say: (line: string) => void,
): Promise<ReportRow[]> {
  const measured = contestants.filter(({ name }) => name === 'service' || name === 'before');
  const rows: ReportRow[] = [];
  for (const count of COUNTS) {
    say(`measuring documents of ${count} lines`);
    const times = new Map<Name, Map<Step, number[]>>(measured.map(({ name }) => [name, new Map()]));
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const one of round % 2 === 0 ? measured : measured.toReversed()) {
        const took = await timesOf(one, count);
        const of = times.get(one.name);
        for (const [step, ms] of round > 0 ? took : [])
          of?.set(step, [...(of.get(step) ?? []), ms]);
      }
    }
    for (const step of STEPS) {
      const figures = measured.map(({ name }) => [name, median(times.get(name)?.get(step) ?? [])]);
      rows.push({
        name: `${step} of ${count.toLocaleString('en')} lines`,
        unit: 'ms',
        ...(Object.fromEntries(figures) as Partial<Record<Name, number>>),
      });
    }
  }
  return rows;
}

async function timesOf(contestant: Contestant, count: number): Promise<[Step, number][]> {
  const customer = { name: 'Stadtwerke', country: 'DE', city: 'Berlin', postal_code: '10115' };
  const body = { customer, currency: 'EUR', lines: linesOf(count) };
  const took: [Step, number][] = [];
  const timed = async (step: Step, path: string, sent?: object): Promise<Buffer> => {
    const startedAt = performance.now();
    const bytes = await answered(contestant, path, sent);
    took.push([step, performance.now() - startedAt]);
    return bytes;
  };
  await timed('preview', `${DOCUMENTS}/preview`, body);
  const issued = await timed('issue', DOCUMENTS, { ...body, issue: true });
  const document = `${DOCUMENTS}/${(JSON.parse(issued.toString()) as { id: string }).id}`;
  await timed('read', document);
  await timed('XML', `${document}/xml?profile=en16931-ubl`);
  await timed('PDF', `${document}/pdf`);
  const lines = Array.from({ length: count }, (_, at) => ({ position: at + 1, quantity: '0.5' }));
  await timed('credit note', `${document}/credit-notes`, { lines });
  return took;
}

async function answered(
  { name, server, payments }: Contestant,
  path: string,
  sent?: object,
): Promise<Buffer> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { ...payments.headers, 'Content-Type': 'application/json' },
    ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok)
    throw new Error(`${name}: ${path} ${answer.status} ${bytes.toString().slice(0, 300)}`);
  return bytes;
}
