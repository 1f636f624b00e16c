import sax from 'sax';

/** The texts of the elements right below each element of a name. */
export function elementsIn(xml: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  const path: string[] = [];
  const parser = sax.parser(true, {});
  Object.assign(parser, {
    onopentag: (tag: { name: string }) => {
      path.push(tag.name);
      if (tag.name === name) found.push({});
    },
    ontext: (text: string) => {
      const [above, own] = path.slice(-2);
      const one = found.at(-1);
      if (above === name && own !== undefined && one) one[own] = (one[own] ?? '') + text;
    },
    onclosetag: () => path.pop(),
    // An answer that is no XML, as of a proxy, has none of them.
    onerror: () => parser.resume(),
  });
  parser.write(xml).close();
  return found;
}

/** The text of an element right below the root. */
export function textIn(xml: string, name: string): string | undefined {
  const root = /<([A-Za-z]\w*)[\s>]/.exec(xml.replace(/^<\?[^>]*\?>/, ''))?.[1];
  return root === undefined ? undefined : elementsIn(xml, root)[0]?.[name];
}
