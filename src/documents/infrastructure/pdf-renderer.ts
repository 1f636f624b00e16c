/** Prints a complete HTML document on paper. Abstract class: port and injection token at once. */
export abstract class PdfRenderer {
  /**
   * @param owner the account: whoever prints many lets others come first
   * @throws DomainError `unavailable`: `pdf_busy`, `pdf_timeout`, `pdf_failed`
   */
  abstract render(html: string, owner?: string): Promise<Buffer>;

  /** The characters of a text that it would print as empty boxes. */
  abstract withoutGlyph(text: string): string[];

  /** Gets ready ahead of the first document. */
  abstract warm(): Promise<void>;

  /** Ends the renderer; whoever still waits is refused. */
  abstract close(): Promise<void>;
}
