import type { Difference } from './comparison.js';
import { type Lack, LACKS } from './lacks.js';
import { oneLine } from './said.js';
import type { Trial } from './trial.js';

const LONGEST_VALUE = 60;

/** Counts by suite, each sample that is not equal with its reason, and what is worth most. */
export function reportOf(trials: readonly Trial[], { lists }: { lists: boolean }): string[] {
  return [
    ...counts(trials),
    '',
    ...trials.filter(({ outcome }) => outcome !== 'equal').flatMap(reasons),
    '',
    ...worth(trials),
    '',
    ...leftOutOf(trials),
    '',
    ...otherTerms(trials, lists),
  ];
}

const COLUMNS: [string, (trial: Trial) => boolean][] = [
  ['equal', ({ outcome }) => outcome === 'equal'],
  ['less some', ({ outcome, leftOut }) => outcome === 'equal' && leftOut.length > 0],
  ['refused', ({ outcome }) => outcome === 'refused'],
  ['differs', ({ outcome }) => outcome === 'differs'],
  ['of', () => true],
];

const row = (name: string, cells: readonly (string | number)[]) =>
  name.padEnd(12) + cells.map((cell) => String(cell).padStart(11)).join('');

/** `less some` are those of the equal ones that lack a particular which was refused. */
function counts(trials: readonly Trial[]): string[] {
  const suites = [...new Set(trials.map(({ file }) => file.suite))];
  const counted = (name: string, of: readonly Trial[]) =>
    row(
      name,
      COLUMNS.map(([, isSo]) => of.filter(isSo).length),
    );
  return [
    row(
      'suite',
      COLUMNS.map(([name]) => name),
    ),
    ...suites.map((suite) =>
      counted(
        suite,
        trials.filter(({ file }) => file.suite === suite),
      ),
    ),
    counted('all', trials),
  ];
}

function reasons({ file, outcome, refusals, figures, lacks }: Trial): string[] {
  const why =
    outcome === 'refused'
      ? refusals.map(({ code, pointer }) => `${code} ${pointer}`)
      : figures.map(differenceText);
  const unsaid = lacksBehind(figures, lacks).map((lack) => LACKS[lack].what);
  return [
    `${file.suite}/${file.name}: ${outcome}${unsaid.map((what) => `, ${what}`).join('')}`,
    ...why.slice(0, MOST_REASONS).map((text) => `    ${text}`),
    ...(why.length > MOST_REASONS ? [`    and ${why.length - MOST_REASONS} more`] : []),
  ];
}

const MOST_REASONS = 8;

const short = (text: string | null) =>
  text === null ? 'nothing' : oneLine(text).slice(0, LONGEST_VALUE);

function differenceText({ term, at, sample, ours }: Difference): string {
  return `${at}${at && ' '}${term}: ${short(sample)}, ours ${short(ours)}`;
}

/** Those that the sample has, and whose terms differ. */
function lacksBehind(differences: readonly Difference[], lacks: ReadonlySet<Lack>): Lack[] {
  return [...lacks].filter((lack) => differences.some(({ term }) => isOf(lack, term)));
}

const isOf = (lack: Lack, term: string) => (LACKS[lack].terms as readonly string[]).includes(term);

/** Of each lack: whose figures differ with it, for whom it is the only one, and who has it at all. */
function worth(trials: readonly Trial[]): string[] {
  const differing = trials.filter(({ outcome }) => outcome === 'differs');
  const behind = differing.map(({ figures, lacks }) => lacksBehind(figures, lacks));
  const byLacksAlone = differing.filter(({ figures, lacks }) =>
    figures.every(({ term }) => [...lacks].some((lack) => isOf(lack, term))),
  );
  return [
    `${byLacksAlone.length} of ${differing.length} that differ lack a field, and differ in nothing else:`,
    ...(Object.keys(LACKS) as Lack[]).map((lack) => {
      const withIt = behind.filter((all) => all.includes(lack));
      const alone = withIt.filter((all) => all.length === 1);
      const having = trials.filter(({ lacks }) => lacks.has(lack));
      return `    ${LACKS[lack].what}: said by ${having.length}, figures of ${withIt.length} differ, of ${alone.length} by it alone`;
    }),
  ];
}

/** Particulars that were refused, by their code. */
function leftOutOf(trials: readonly Trial[]): string[] {
  const rows = trials.flatMap(({ file, leftOut }) =>
    leftOut.map((one) => ({ ...one, name: `${file.suite}/${file.name}` })),
  );
  const codes = [...new Set(rows.map(({ code }) => code))].sort();
  return codes.flatMap((code) => {
    const of = rows.filter((one) => one.code === code);
    const names = [...new Set(of.map(({ name }) => name))];
    return [
      `${code}, left out in ${names.length}`,
      ...names.map((name) => {
        const pointers = of.filter((one) => one.name === name).map(({ pointer }) => pointer);
        return `    ${name}: ${pointers.join(' ')}`;
      }),
    ];
  });
}

/** Terms that no lack explains come first: they may be faults. */
function otherTerms(trials: readonly Trial[], lists: boolean): string[] {
  const rows = trials.flatMap(({ file, others, lacks }) =>
    others.map((one) => ({
      term: one.term,
      lack: [...lacks].find((lack) => isOf(lack, one.term)) ?? null,
      text: `${file.suite}/${file.name}: ${differenceText(one)}`,
      name: `${file.suite}/${file.name}`,
    })),
  );
  const names = [...new Set(rows.map(({ term, lack }) => `${term} ${lack ?? ''}`))].sort();
  return names.flatMap((name) => {
    const of = rows.filter(({ term, lack }) => `${term} ${lack ?? ''}` === name);
    const [{ term = '', lack = null } = {}] = of;
    const files = new Set(of.map((one) => one.name)).size;
    const why = lack === null ? 'come back otherwise' : LACKS[lack].what;
    const texts = lists && lack === null ? of.map(({ text }) => `    ${text}`) : [];
    return [`${term} in ${files}: ${why}`, ...texts];
  });
}
