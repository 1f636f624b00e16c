import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ServiceClient } from '../../../src/testing/service/service-client.js';
import type { TestService } from '../../support/service.js';
import { type Difference, differencesOf, isFigure } from './comparison.js';
import { sampleRequests } from './document-request.js';
import type { Lack } from './lacks.js';
import { type Refusal, taken } from './refused-particulars.js';
import { readSample, type Sample } from './read-sample.js';

export interface SampleFile {
  /** The folder that it lies in, below the one of all samples. */
  suite: string;
  name: string;
  xml: string;
}

export interface Trial {
  file: SampleFile;
  outcome: 'equal' | 'refused' | 'differs';
  /** Particulars that were refused, and without which it was taken. */
  leftOut: Refusal[];
  refusals: Refusal[];
  figures: Difference[];
  /** Terms that come back otherwise, apart from figures. */
  others: Difference[];
  lacks: Set<Lack>;
}

/** Every XML below a folder, by suite and name. */
export async function samplesIn(folder: string): Promise<SampleFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.xml$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const [suite = '', ...name] = relative(folder, path).split(sep);
      return { suite, name: name.join('/'), xml: await readFile(path, 'utf8') };
    }),
  );
}

/** Each sample is of another seller, so each has an account of its own. */
export async function tried(
  service: TestService,
  file: SampleFile,
  sample: Sample,
): Promise<Trial> {
  const { seller, document, lacks } = sampleRequests(sample);
  const client = await service.aClient();
  const leftOut: Refusal[] = [];
  const trial = { file, leftOut, refusals: [], figures: [], others: [], lacks };
  const profile = await taken(seller, '/seller', leftOut, async (body) =>
    client.patch('/v1/finance/seller', body),
  );
  if (profile.refusals.length > 0) return { ...trial, ...profile, outcome: 'refused' };
  const made = await taken(document, '', leftOut, async (body) =>
    client.post('/v1/finance/documents', body),
  );
  if (made.refusals.length > 0) return { ...trial, ...made, outcome: 'refused' };
  const ours = readSample(await xmlOf(client, made.answer.body['id'], sample));
  const all = differencesOf(sample.said, ours.said);
  const figures = all.filter(isFigure);
  const others = all.filter((one) => !isFigure(one));
  return { ...trial, outcome: figures.length === 0 ? 'equal' : 'differs', figures, others };
}

async function xmlOf(client: ServiceClient, id: unknown, sample: Sample): Promise<string> {
  const path = `/v1/finance/documents/${String(id)}/xml?profile=${profileOf(sample)}`;
  const { status, text } = await client.get(path);
  if (status !== 200) throw new Error(text);
  return text;
}

/** The profile that says what the sample’s own does. */
function profileOf({ syntax, said }: Sample): string {
  const specification = said.terms.get('BT-24') ?? '';
  if (specification.includes('xrechnung')) return `xrechnung-${syntax}`;
  if (syntax === 'cii') return 'factur-x';
  return specification.includes('peppol') ? 'peppol' : 'en16931-ubl';
}
