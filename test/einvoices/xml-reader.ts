import sax from 'sax';

/** An element as it was read; its name is the namespace's last part and the local name. */
export interface ReadElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: ReadElement[];
}

/** Prefixes of ours mean nothing to a reader: namespaces do. */
const NAMES: Record<string, string> = {
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': 'ubl',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': 'ubl',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2': 'a',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2': 'b',
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100': 'rsm',
  'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100': 'ram',
  'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100': 'udt',
  'urn:un:unece:uncefact:data:standard:QualifiedDataType:100': 'qdt',
};

/** Of what others write, which has extensions: an element of a namespace that we do not know. */
const OTHER = 'other';

/**
 * @param takesOthers elements of unknown namespaces are read, too, as those of others
 * @throws Error where the text is not well-formed, or a namespace is unknown
 */
export function readXml(xml: string, { takesOthers = false } = {}): ReadElement {
  const parser = sax.parser(true, { xmlns: true });
  const root: ReadElement = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const takeText = (text: string) => {
    const current = open.at(-1);
    if (current) current.text += text;
  };
  Object.assign(parser, {
    onerror: (error: Error) => {
      throw error;
    },
    onopentag: ({ name, uri, local, attributes }: sax.QualifiedTag) => {
      const namespace = NAMES[uri] ?? (takesOthers ? OTHER : undefined);
      if (namespace === undefined) throw new Error(`${name} is of the namespace ${uri}`);
      const said = Object.values(attributes)
        .filter((one) => one.prefix !== 'xmlns' && one.name !== 'xmlns')
        .map((one): [string, string] => [one.name, one.value]);
      const read: ReadElement = {
        name: `${namespace}:${local}`,
        attributes: Object.fromEntries(said),
        text: '',
        children: [],
      };
      open.at(-1)?.children.push(read);
      open.push(read);
    },
    ontext: takeText,
    oncdata: takeText,
    onclosetag: () => open.pop(),
  });
  parser.write(xml).close();
  const [read] = root.children;
  if (!read) throw new Error('there is no element');
  return read;
}

/** Every element at a path such as `a:Party/b:Name`. */
export function allAt(from: ReadElement, path: string): ReadElement[] {
  return path
    .split('/')
    .reduce<ReadElement[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
      [from],
    );
}

/** The texts there; null where there is none, and all of them in one where there are several. */
export function textAt(from: ReadElement, path: string): string | null {
  const found = allAt(from, path);
  return found.length === 0 ? null : found.map(({ text }) => text).join(' | ');
}

/** Elements without text and children, by name. */
export function emptyElements(from: ReadElement): string[] {
  const own = from.children.length === 0 && from.text.trim() === '' ? [from.name] : [];
  return [...own, ...from.children.flatMap(emptyElements)];
}
