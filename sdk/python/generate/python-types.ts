import type { MadeModel } from './made-code.js';

/** A schema of OpenAPI 3.0. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** A field may be named like one of these, as `object` is. */
const NATIVE: Record<string, string> = {
  str: '_builtins.str',
  int: '_builtins.int',
  float: '_builtins.float',
  bool: '_builtins.bool',
  object: 'Any',
  date: '_datetime.date',
  datetime: '_datetime.datetime',
  // The path of a file that has the bytes.
  file: '_builtins.str',
};

const OF_SCHEMA: Record<string, string> = {
  string: '_builtins.str',
  integer: '_builtins.int',
  number: '_builtins.float',
  boolean: '_builtins.bool',
};

/** Types as Python's `typing` has them, of what the generator made. */
export class PythonTypes {
  private readonly models: ReadonlyMap<string, MadeModel>;

  constructor(
    private readonly schemas: Record<string, Schema>,
    models: MadeModel[],
  ) {
    this.models = new Map(models.map((model) => [model.name, model]));
  }

  /**
   * @param made in the generator's words, which say what is there at run time
   * @param schema tells more exactly than they do
   */
  of(made: string, schema?: Schema): string {
    const [, item] = /^list\[(.*)\]$/.exec(made) ?? [];
    const own = this.found(schema);
    if (item !== undefined) return `List[${this.of(item, own?.items)}]`;
    const [, value] = /^dict\(\w+, (.*)\)$/.exec(made) ?? [];
    const more = own?.additionalProperties;
    if (value !== undefined)
      return `Dict[_builtins.str, ${this.optional(this.of(value, typeof more === 'object' ? more : undefined), more)}]`;
    if (made === 'str' && own?.enum) return literal(own.enum);
    const model = this.models.get(made);
    if (model) return model.constants.length > 0 ? `_words.${made}` : `_models.${made}`;
    const choices = own?.oneOf ?? own?.anyOf;
    if (choices) return this.union(choices);
    return NATIVE[made] ?? 'Any';
  }

  /** A body may be a plain dict: its null is sent, which that of a model is not. */
  bodyOf(made: string): string {
    if (made === 'file') return '_builtins.bytes';
    return this.models.has(made)
      ? `Union[_models.${made}, Dict[_builtins.str, Any]]`
      : this.of(made);
  }

  isNullable(schema: Schema | undefined): boolean {
    const { nullable, oneOf = [], anyOf = [] } = this.found(schema) ?? {};
    if (schema?.nullable === true || nullable === true) return true;
    return [...oneOf, ...anyOf].some((one) => one.nullable === true);
  }

  private union(choices: Schema[]): string {
    const types = choices.map((choice) => {
      const own = this.found(choice);
      if (own?.enum) return literal(own.enum);
      return OF_SCHEMA[own?.type ?? ''] ?? 'Any';
    });
    return `Union[${types.join(', ')}]`;
  }

  private optional(type: string, schema: Schema | boolean | undefined): string {
    return typeof schema === 'object' && this.isNullable(schema) ? `Optional[${type}]` : type;
  }

  /** The schema itself, where only a reference and words about it stand. */
  private found(schema: Schema | undefined): Schema | undefined {
    const $ref = schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
    if ($ref === undefined) return schema;
    return this.found(this.schemas[$ref.split('/').at(-1) ?? '']);
  }
}

const literal = (words: readonly unknown[]) =>
  `Literal[${words
    .filter((word) => word !== null)
    .map((word) => (typeof word === 'boolean' ? (word ? 'True' : 'False') : JSON.stringify(word)))
    .join(', ')}]`;
