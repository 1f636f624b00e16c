/** HTML as an extension wrote it, which is judged where it is put into a page. */
export interface Markup {
  kind: string;
  html: string;
}

/** A message in the words of its reader. It is put into HTML and into plain text. */
export interface Letter {
  /** BCP 47. */
  language: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  sellerName: string;
  /** Data URI. */
  logo: string | null;
  /** Of the button: its ground and its letters, `#rrggbb`. */
  accent: { ground: string; letters: string };
  paragraphs: string[];
  /** In the place of the paragraphs, where there is HTML. */
  markup?: Markup;
  /** Figures and dates, by their names. */
  facts: { name: string; value: string }[];
  /** Words of a person, as they wrote them. */
  quoted: string | null;
  button: { text: string; url: string } | null;
  closing: string;
  /** The page on which its reader refuses further letters. */
  refusal: { text: string; url: string } | null;
}

export interface LetterFile {
  name: string;
  /** Media type. */
  type: string;
  content: Buffer;
}

/** A letter with what goes with it. */
export interface LetterToSend extends Letter {
  replyTo: string | null;
  attachments: LetterFile[];
}

/** Without content it has a name only, and nothing was printed for it. */
const ofType =
  (type: string) =>
  (name: string, content: Buffer = Buffer.alloc(0)): LetterFile => ({ name, type, content });

export const pdfFile = ofType('application/pdf');
export const xmlFile = ofType('application/xml');
