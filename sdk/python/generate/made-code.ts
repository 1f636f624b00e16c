/** A class of data as the generator wrote it. */
export interface MadeModel {
  name: string;
  /** The last part of its module's name. */
  module: string;
  /** By attribute: its type in the generator's words, such as `list[Line]`. */
  types: Map<string, string>;
  /** By attribute: the name in JSON. */
  fields: Map<string, string>;
  /** Constants of a list of words. */
  constants: string[];
}

export interface MadeMethod {
  name: string;
  taken: { name: string; type: string; isRequired: boolean }[];
  /** In the generator's words; nothing if there is no answer to read. */
  answer: string | undefined;
}

export interface MadeApi {
  name: string;
  module: string;
  methods: MadeMethod[];
}

/** Reads a model of openapi-generator's `python`. */
export function readModel(module: string, text: string): MadeModel {
  const constants = [...text.matchAll(/^ {4}(\w+) = "/gm)].map(([, name = '']) => name);
  return {
    name: classIn(module, text),
    module,
    types: entriesOf(text, 'openapi_types'),
    fields: entriesOf(text, 'attribute_map'),
    // Two words may have one name, such as those of dates.
    constants: text.includes('    allowable_values = ') ? [...new Set(constants)] : [],
  };
}

/** Reads a class of operations. */
export function readApi(module: string, text: string): MadeApi {
  const parts = text.split(/^ {4}def /m).slice(2);
  const methods: MadeMethod[] = [];
  // Each is there twice; the second one has the call itself.
  for (let at = 0; at < parts.length; at += 2)
    methods.push(readMethod(parts[at] ?? '', parts[at + 1] ?? ''));
  return { name: classIn(module, text), module, methods };
}

function readMethod(text: string, whole: string): MadeMethod {
  const [, name = '', list = ''] = /^(\w+)\(self, (.*?)\*\*kwargs\)/.exec(text) ?? [];
  if (!whole.startsWith(`${name}_with_http_info(`)) throw new Error(`no second ${name}`);
  const required = list.split(', ').filter(Boolean);
  const told = new Map(
    [...text.matchAll(/^ {8}:param (\S.*?) (\w+):/gm)]
      .filter(([, type]) => type !== 'async_req')
      .map(([, type = '', parameter = '']) => [parameter, type]),
  );
  const optional = [...told.keys()].filter((parameter) => !required.includes(parameter));
  return {
    name,
    taken: [...required, ...optional].map((parameter) => ({
      name: parameter,
      type: told.get(parameter) ?? 'object',
      isRequired: required.includes(parameter),
    })),
    answer: /response_type='([^']+)'/.exec(whole)?.[1],
  };
}

function classIn(module: string, text: string): string {
  const [, name] = /^class (\w+)\(object\):/m.exec(text) ?? [];
  if (name === undefined) throw new Error(`no class in ${module}`);
  return name;
}

function entriesOf(text: string, dictionary: string): Map<string, string> {
  const [, inner = ''] =
    new RegExp(`^    ${dictionary} = \\{\\n(.*?)^    \\}`, 'ms').exec(text) ?? [];
  return new Map(
    [...inner.matchAll(/^\s*'(\w+)': '(.*?)',?$/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  );
}
