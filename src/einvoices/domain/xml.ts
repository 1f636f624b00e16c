/** Characters that no XML 1.0 can carry: controls, and halves of a pair that stand alone. */
const UNTOLD = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const MARKUP = /[&<>\r]/g;
const MARKUP_IN_ATTRIBUTES = /[&<>"\t\n\r]/g;

/** Most texts stand in XML as they are. */
const PLAIN = /^[\n\u{20}\u{21}\u{23}-\u{25}\u{27}-\u{3b}\u{3d}\u{3f}-\u{7e}\u{a0}-\u{d7ff}]*$/u;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const entityOf = (character: string) =>
  ENTITIES[character] ?? `&#${String(character.codePointAt(0))};`;

/** A text as it stands in XML; a character that none can carry becomes U+FFFD (decision 241). */
function inXml(text: string, markup: RegExp): string {
  return text.replaceAll(UNTOLD, '\u{fffd}').replaceAll(markup, entityOf);
}

export type Attributes = Record<string, string | null | undefined>;

/** An element with a text; nothing where there is none, because an empty element is an error. */
export function textElement(
  name: string,
  text: string | null | undefined,
  attributes?: Attributes,
): string {
  if (text == null || text.trim() === '') return '';
  const content = PLAIN.test(text) ? text : inXml(text, MARKUP);
  return `<${name}${attributes ? attributesOf(attributes) : ''}>${content}</${name}>`;
}

/** An element of others; nothing where all of them are empty. */
export function element(name: string, ...children: string[]): string {
  const content = children.join('');
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}

function attributesOf(attributes: Attributes): string {
  let written = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null) written += ` ${name}="${inXml(value, MARKUP_IN_ATTRIBUTES)}"`;
  }
  return written;
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
