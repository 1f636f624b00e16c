export interface PrintOptions {
  /** The account: whoever prints many lets others come first. */
  owner?: string;
  /** The file's date; without one it has none. The same page and date give the same bytes. */
  at?: Date | null;
  /** The number of tables that its lines are in. Default: 1. */
  tables?: number;
}

export interface PdfWithRows {
  pdf: Buffer;
  /** As `sheetsOfRows` tells them. */
  sheets: number[];
}

/**
 * Prints a complete HTML document as PDF/A-3a and PDF/UA-1. Abstract class: port and injection
 * token at once.
 */
export abstract class PdfRenderer {
  /** @throws DomainError `unavailable`: `pdf_busy`, `pdf_timeout`, `pdf_failed` */
  abstract render(html: string, options?: PrintOptions): Promise<Buffer>;

  /** The sheets on which the rows of its lines would be, from 0. @throws as `render` */
  abstract sheetsOfRows(html: string, options?: PrintOptions): Promise<number[]>;

  /** The file, and the sheets of its rows. A renderer that needs one print for both has its own. */
  async renderWithRows(html: string, options?: PrintOptions): Promise<PdfWithRows> {
    return {
      pdf: await this.render(html, options),
      sheets: await this.sheetsOfRows(html, options),
    };
  }

  /** The characters of a text that it would print as empty boxes. */
  abstract withoutGlyph(text: string): string[];

  /** Gets ready ahead of the first document. */
  abstract warm(): Promise<void>;

  /** Ends the renderer; whoever still waits is refused. */
  abstract close(): Promise<void>;
}
