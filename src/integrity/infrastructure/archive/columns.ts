/** As a person knows them: `t.debit::text` is `debit`. */
export const columnNames = (columns: readonly string[]): string[] =>
  columns.map((column) =>
    column
      .replace(/^t\./, '')
      .replace(/::\w+$/, '')
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
