/** Words of PromQL that are no metrics, beside functions, which a bracket follows. */
const WORDS = new Set(
  'and or unless bool offset on ignoring by without group_left group_right'.split(' '),
);

/** The metrics that a query of PromQL reads, without the suffixes of histograms. */
export function metricsIn(query: string): string[] {
  const bare = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const names = [...bare.matchAll(/(?<![\w.$])[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(
    ([name]) => name,
  );
  return [...new Set(names.filter((name) => !WORDS.has(name)))];
}

/** Labels that a query selects by, or groups by. */
export function labelsIn(query: string): string[] {
  const selected = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  );
  const grouped = [...query.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(
    ([, inside = '']) => inside.split(',').map((label) => label.trim()),
  );
  return [...new Set([...selected, ...grouped])];
}

interface DashboardPanel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

/** The queries of a dashboard of Grafana, by the titles of their rows and panels. */
export function queriesOf(dashboard: { panels: DashboardPanel[] }) {
  let row = '';
  return dashboard.panels.flatMap(({ title, type, targets = [] }) => {
    if (type === 'row') row = title;
    return targets.map(({ expr }) => ({ row, panel: title, query: expr }));
  });
}
