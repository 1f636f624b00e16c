import { defineExtension, type DocumentView } from 'quittance';

/** A line of the file for each line of the document; amounts in decimals, as they are printed. */
function csvOf({ number, lines }: DocumentView): string {
  const rows = lines.map(({ position, description, quantity, net }) =>
    [number ?? '', position, description, quantity, ...net.toString().split(' ')]
      .map(cell)
      .join(','),
  );
  return ['number,line,description,quantity,net,currency', ...rows, ''].join('\r\n');
}

/** A spreadsheet runs what begins like a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export default defineExtension({
  name: 'csvlines',
  quittance: '^0.2',
  formats: [
    {
      name: 'csv',
      mediaType: 'text/csv',
      summary: 'The lines of a document as CSV',
      render: csvOf,
    },
  ],
});
