import sax, { type Tag } from 'sax';
import { MailRefused } from '../domain/mail-sender.js';
import type { Markup } from '../domain/letter.js';

/** Elements of text, lists and tables, with the attributes that each may have beside `style`. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'p br hr b strong i em u s small sub sup span div blockquote h1 h2 h3 ul ol li bdi'
      .split(' ')
      .map((name) => [name, ['dir', 'lang']]),
  ),
  ...Object.fromEntries(
    ['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'].map((name) => [
      name,
      ['align', 'valign', 'width', 'colspan', 'rowspan', 'cellpadding', 'cellspacing', 'role'],
    ]),
  ),
  a: ['href', 'title'],
};
const EMPTY = new Set(['br', 'hr']);
/** No address, no escape: nothing is fetched when a letter is opened. */
const PLAIN_STYLE = /^[\w\s:;#.,%"'()!-]*$/;
const FETCHES = /url|expression|import|behavior|binding/i;
/** The library's types do not know the option. */
const STRICT: object = { strictEntities: true };
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? '');

/**
 * HTML of an extension, read as XML and written anew, so that no program reads another thing in it
 * (decision 237).
 * @throws MailRefused that names the first element or attribute that is more than text, lists and tables
 */
export function plainMarkup({ kind, html }: Markup): string {
  const refuse = (what: string) => {
    throw new MailRefused(`the letter ${kind} has html that ${what}`);
  };
  const parts: string[] = [];
  const parser = sax.parser(true, STRICT);
  Object.assign(parser, {
    onerror: (error: Error) => {
      refuse(`is not well-formed: ${error.message.replace(/\s+/g, ' ')}`);
    },
    onopentag: (tag: Tag) => {
      const more = excessOf(tag);
      if (more !== null) refuse(`has more than text, lists, tables and links: ${more}`);
      if (tag.name !== ROOT) parts.push(openTag(tag));
    },
    onclosetag: (name: string) => name !== ROOT && !EMPTY.has(name) && parts.push(`</${name}>`),
    ontext: (text: string) => parts.push(escaped(text)),
    oncdata: (text: string) => parts.push(escaped(text)),
    ondoctype: () => refuse('has a document type'),
    onprocessinginstruction: () => refuse('has a processing instruction'),
  });
  parser.write(`<${ROOT}>${html}</${ROOT}>`).close();
  return parts.join('');
}

const ROOT = 'letter';

function openTag({ name, attributes }: Tag): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join('')}${EMPTY.has(name) ? ' /' : ''}>`;
}

/** An element or attribute that is more than text; null: none. */
function excessOf({ name, attributes }: Tag): string | null {
  const allowed = name === ROOT ? [] : Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name];
  if (!allowed) return `the element ${name}`;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute === 'style') {
      if (!PLAIN_STYLE.test(value) || FETCHES.test(value)) return `the style ${value.slice(0, 60)}`;
    } else if (!allowed.includes(attribute)) return `the attribute ${attribute} of ${name}`;
    if (attribute === 'href' && !isAddress(value)) return `the link ${value.slice(0, 60)}`;
  }
  return null;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'mailto:'].includes(new URL(text).protocol);
}
