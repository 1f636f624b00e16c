/** An element of an XML document, by its local name; its text without that of its children. */
export interface XmlElement {
  name: string;
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
}

/** All elements at a path below an element. */
export function elementsAt(element: XmlElement | undefined, ...path: string[]): XmlElement[] {
  return path.reduce(
    (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
    element ? [element] : [],
  );
}

export function elementAt(element: XmlElement | undefined, ...path: string[]) {
  return elementsAt(element, ...path)[0];
}

/** Trimmed; undefined where there is none. */
export function textAt(element: XmlElement | undefined, ...path: string[]): string | undefined {
  return elementAt(element, ...path)?.text.trim() || undefined;
}
