import sax, { type QualifiedAttribute, type QualifiedTag } from 'sax';
import { malformedStatement } from '../domain/bank-statement.js';
import type { XmlElement } from '../domain/xml-element.js';

/** A camt.053 nests about twelve deep. */
const LARGEST_DEPTH = 40;
const MOST_ELEMENTS = 1_000_000;
const MOST_ATTRIBUTES = 50;
const LARGEST_VALUE_CHARACTERS = 1_000;
const LARGEST_NAME_CHARACTERS = 200;
/** Of one element with its attributes, from `<` to `>`. */
const LARGEST_TAG_CHARACTERS = 8_192;
const LARGEST_TEXT_CHARACTERS = 20_000;
/** The most namespaces in scope: the parser goes through all for each element that ends. */
const MOST_NAMESPACES = 20;
/** The parser tells of attributes when it has all; between pieces we count them (decision 40). */
const PIECE_CHARACTERS = 2_048;
/** No entity but the five of XML itself; the library's types do not know the option. */
const STRICT = { xmlns: true, strictEntities: true };
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * The elements of an XML document.
 * @throws DomainError `malformed_statement` for what is not well formed, has a document type, or
 *   is more than what a file of a bank needs
 */
export function parseXml(text: string): XmlElement {
  return new XmlTree().read(text);
}

class XmlTree {
  private readonly parser = sax.parser(true, STRICT);
  private readonly open: XmlElement[] = [];
  private root: XmlElement | undefined;
  private elements = 0;
  private namespaces = 0;
  /** The start of the tag that has not ended yet. */
  private tagAt: number | undefined;

  constructor() {
    const addText = (more: string) => this.addText(more);
    Object.assign(this.parser, {
      onerror: (error: Error) => {
        const [reason = ''] = error.message.split('\n', 1);
        throw malformedStatement(
          `The file is no well-formed XML, line ${this.line}: ${reason.slice(0, 200)}.`,
        );
      },
      // With no document type there is no entity to expand or to fetch.
      ondoctype: () => {
        throw malformedStatement('The file has a document type (DOCTYPE); none is read.');
      },
      onopentagstart: ({ name }: { name: string }) => this.beginTag(name),
      onopennamespace: () => this.addNamespace(),
      onclosenamespace: () => void (this.namespaces -= 1),
      onopentag: (tag: QualifiedTag) => this.addElement(tag),
      onclosetag: () => void this.open.pop(),
      ontext: addText,
      oncdata: addText,
    });
  }

  read(text: string): XmlElement {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      this.parser.write(text.slice(at, at + PIECE_CHARACTERS));
      if (this.parser.position - (this.tagAt ?? Infinity) > LARGEST_TAG_CHARACTERS) {
        this.refuse(`an element has more than ${LARGEST_TAG_CHARACTERS} characters of attributes`);
      }
    }
    this.parser.close();
    if (!this.root) throw malformedStatement('The file has no XML element in it.');
    return this.root;
  }

  private get line(): number {
    return this.parser.line + 1;
  }

  private refuse(what: string): never {
    throw malformedStatement(`Line ${this.line}: ${what}; no file of a bank needs that.`);
  }

  private beginTag(name: string): void {
    this.tagAt = this.parser.position;
    if (name.length > LARGEST_NAME_CHARACTERS) {
      this.refuse(`the name of an element has more than ${LARGEST_NAME_CHARACTERS} characters`);
    }
    if (this.open.length >= LARGEST_DEPTH) {
      this.refuse(`elements nest deeper than ${LARGEST_DEPTH}`);
    }
    this.elements += 1;
    if (this.elements > MOST_ELEMENTS) this.refuse(`there are more than ${MOST_ELEMENTS} elements`);
  }

  private addNamespace(): void {
    this.namespaces += 1;
    if (this.namespaces > MOST_NAMESPACES) {
      this.refuse(`there are more than ${MOST_NAMESPACES} namespaces`);
    }
  }

  private addElement({ name, local, uri, attributes }: QualifiedTag): void {
    this.tagAt = undefined;
    if (this.root && this.open.length === 0) {
      throw malformedStatement('The file has two XML documents.');
    }
    const element: XmlElement = {
      name: local,
      namespace: uri,
      attributes: this.attributesOf(name, Object.values(attributes)),
      children: [],
      text: '',
    };
    this.open.at(-1)?.children.push(element);
    this.root ??= element;
    this.open.push(element);
  }

  private attributesOf(name: string, all: QualifiedAttribute[]): ReadonlyMap<string, string> {
    if (all.length === 0) return NO_ATTRIBUTES;
    if (all.length > MOST_ATTRIBUTES) {
      this.refuse(`<${name}> has more than ${MOST_ATTRIBUTES} attributes`);
    }
    if (all.some(({ value }) => value.length > LARGEST_VALUE_CHARACTERS)) {
      this.refuse(`an attribute of <${name}> has more than ${LARGEST_VALUE_CHARACTERS} characters`);
    }
    return new Map(all.map(({ local, value }) => [local, value]));
  }

  private addText(more: string): void {
    const element = this.open.at(-1);
    if (!element) return;
    element.text += more;
    if (element.text.length > LARGEST_TEXT_CHARACTERS) {
      this.refuse(`<${element.name}> has more than ${LARGEST_TEXT_CHARACTERS} characters of text`);
    }
  }
}
