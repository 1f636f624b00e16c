import { Injectable } from '@nestjs/common';
import { defineExtension, Log, PdfRenderer, type PrintOptions } from 'quittance';

/**
 * Prints the text of a page on one sheet. It shows the place of a renderer of one's own, as of a
 * service that prints; what it makes is no archivable invoice.
 */
@Injectable()
class TextRenderer extends PdfRenderer {
  constructor(private readonly log: Log) {
    super();
  }

  async render(html: string, { owner }: PrintOptions = {}): Promise<Buffer> {
    this.log.info({ owner }, 'a page was printed as text');
    return pdfOf(linesOf(html));
  }

  async sheetsOfRows(): Promise<number[]> {
    return [];
  }

  withoutGlyph(text: string): string[] {
    return [...text].filter((letter) => letter > '\u00ff');
  }

  async warm(): Promise<void> {}

  async close(): Promise<void> {}
}

function linesOf(html: string): string[] {
  const body = html
    .replace(/^.*<body[^>]*>/s, '')
    .replaceAll(/<(style|script|svg)\b.*?<\/\1>/gs, '');
  return body
    .replaceAll(/<[^>]+>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** PDF 1.4, one page, Helvetica. */
function pdfOf(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) '`);
  const text = `BT /F1 9 Tf 11 TL 50 800 Td\n${shown.join('\n')}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> >> >>',
    `<< /Length ${Buffer.byteLength(text, 'latin1')} >>\nstream\n${text}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = Buffer.byteLength(file, 'latin1');
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = Buffer.byteLength(file, 'latin1');
  file += `xref\n0 5\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

export default defineExtension({
  name: 'ownrenderer',
  quittance: '^0.2',
  ports: [{ provide: PdfRenderer, useClass: TextRenderer }],
});
