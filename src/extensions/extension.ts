import type { Abstract, DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { Command } from 'commander';
import { z } from 'zod';
import type { DocumentView } from '../documents/index.js';
import type { Provider } from '../gateways/index.js';
import type { DomainRefusal } from '../kernel/domain-refusal.js';
import type { LetterWriter } from '../mail/index.js';
import type { ExtensionMigration } from '../platform/database/extension-migrations.js';
import type { ExtensionScope } from '../platform/http/access.js';
import type { Port } from '../platform/ports.js';

/** A document as a file of another kind, made of the view that page and PDF are made of. */
export interface DocumentFormat {
  /** The last part of its path, such as `edi`. */
  name: string;
  /** Such as `text/csv`. */
  mediaType: string;
  /** For people, in the OpenAPI document. */
  summary: string;
  render(document: DocumentView): string | Buffer | Promise<string | Buffer>;
}

/** The means of a command: the application on the service's database, and a place for its answer. */
export interface CommandMeans {
  /** The command is in the audit log. */
  withApp(work: (app: INestApplicationContext) => Promise<void>): Promise<void>;
  print(options: { json?: boolean }, value: object, text: string): void;
}

/** Settings that each account gives, as texts, at `/v1/ext/<name>/settings`. All are encrypted. */
export interface AccountSettingsShape {
  schema: z.ZodType;
  /** Of each setting: whether it is told again, or its end at most. */
  kinds: Readonly<Record<string, 'shown' | 'secret'>>;
}

/** A message by e-mail to the customer of a document, of the kind `ext:<extension>:<name>`. */
export interface ExtensionLetter extends LetterWriter {
  /** Such as `thanks`. */
  name: string;
}

export interface JobMeans {
  /** An instance of a class of the extension's module, or of one that `quittance` exports. */
  get<Class>(type: Type<Class> | Abstract<Class>): Class;
  /** A long round looks here between its steps, and ends. */
  readonly isStopping: boolean;
}

/** Work in rounds: never two of them at once, and only in the process that does the jobs. */
export interface ExtensionJob {
  /** Such as `expire-points`: the log names it with the extension. */
  name: string;
  /** From a tenth of a second to a day. */
  everyMs: number;
  /** A round that fails is logged, and the next one comes. */
  run(means: JobMeans): Promise<unknown>;
}

/** All that an extension brings. Each part but name and range may be absent. */
export interface Extension {
  /** Small letters and digits: its routes are below `/v1/ext/<name>`, its tables `ext_<name>_`. */
  name: string;
  /** The versions of Quittance that it fits, such as `^0.2`. */
  quittance: string;
  /** Of variables `EXT_<NAME>_*`, which `ExtensionSettings` gives to its classes. */
  settings?: z.ZodType;
  /** `AccountSettings` gives them to its classes. */
  accountSettings?: AccountSettingsShape;
  /** A NestJS module. It injects what `quittance` exports, without an import of ours. */
  module?: Type | DynamicModule;
  /** Rights of its own, `ext:<name>:<verb>`, with what they mean. */
  scopes?: Readonly<Record<ExtensionScope, string>>;
  /** Refusals of its own, as `domainRefusals` makes them. */
  problems?: Readonly<Record<string, DomainRefusal>>;
  /** Its tables, in the order in which they are made. One that ran stays as it is. */
  migrations?: readonly ExtensionMigration[];
  /** Payment providers. */
  providers?: readonly Provider[];
  formats?: readonly DocumentFormat[];
  /** Classes in the place of ours, with the same contract. */
  ports?: readonly { provide: Port; useClass: Type }[];
  letters?: readonly ExtensionLetter[];
  jobs?: readonly ExtensionJob[];
  /** Commands below `quittance <name>`. */
  commands?: (means: CommandMeans) => readonly Command[];
}

const hasText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const isFunction = (value: unknown) => typeof value === 'function';
const text = z.custom<string>(hasText, 'a text');
const object = z.custom<object>(
  (value) => typeof value === 'object' && value !== null,
  'an object',
);
const LETTERS = 'small letters and digits, at most 30';
/** No name of a table may belong to two of them, as `ext_a_b_c` would to `a` and `a-b`. */
const name = z.string(LETTERS).regex(/^[a-z][a-z0-9]{0,29}$/, LETTERS);
const WORDS = 'small letters, digits and -';
const wordName = z.string(WORDS).regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, WORDS);

/** A second one would never be reached. */
const namedOnce = <Part extends z.ZodType<{ name: string }>>(part: Part) =>
  z
    .array(part)
    .refine(
      (parts) => new Set(parts.map(({ name }) => name)).size === parts.length,
      'a name twice',
    );

const EVERY_MS = 'a whole number from 100 to 86400000';

const schema = z.custom((value) => isFunction(Object(value).safeParse), 'a schema of zod');
const TABLE = 'names of tables, ext_..., at most 49 characters';
const SETTING = 'names of small letters, digits and _';
const SETTING_NAME = /^[a-z][a-z0-9_]{0,39}$/;

const Parts = z.strictObject({
  settings: schema,
  accountSettings: z.strictObject({
    schema,
    kinds: z
      .record(z.string(), z.enum(['shown', 'secret'], 'shown or secret'))
      .refine((kinds) => Object.keys(kinds).every((name) => SETTING_NAME.test(name)), SETTING),
  }),
  module: z.custom((value) => isFunction(value) || isFunction(Object(value).module), 'a module'),
  scopes: z.record(z.string(), text),
  problems: z.record(z.string(), object),
  migrations: z.array(
    z.strictObject({
      name: text,
      sql: text,
      seals: z.array(z.string(TABLE).regex(/^ext_[a-z0-9_]{1,45}$/, TABLE)).optional(),
    }),
  ),
  providers: z.array(object),
  formats: namedOnce(
    z.strictObject({
      name: wordName,
      mediaType: z.string('such as text/csv').regex(/^[a-z]+\/[\w.+-]+$/, 'such as text/csv'),
      summary: text,
      render: z.custom(isFunction, 'a function'),
    }),
  ),
  ports: z.array(
    z.strictObject({ provide: z.unknown(), useClass: z.custom(isFunction, 'a class') }),
  ),
  letters: namedOnce(
    z.strictObject({
      name: wordName.max(40, WORDS),
      write: z.custom(isFunction, 'a function'),
      withPdf: z.boolean().optional(),
    }),
  ),
  jobs: namedOnce(
    z.strictObject({
      name: wordName,
      everyMs: z.int(EVERY_MS).min(100, EVERY_MS).max(86_400_000, EVERY_MS),
      run: z.custom(isFunction, 'a function'),
    }),
  ),
  commands: z.custom(isFunction, 'a function'),
});

/** TypeScript holds most of it, and not all extensions are written in TypeScript. */
const Shape = Parts.partial().extend({ name, quittance: text });

const defined = new WeakSet<object>();

/**
 * The default export of an extension's package.
 * @throws Error that names what is wrong or missing
 */
export function defineExtension(extension: Extension): Extension {
  const judged = Shape.safeParse(extension);
  if (!judged.success) {
    const wrong = judged.error.issues.map(({ path, message }) => {
      const place = path.join('.');
      return place === '' ? message : `${place}: ${message}`;
    });
    throw new Error(`The extension is not whole: ${wrong.join('; ')}.`);
  }
  assertOwnScopes(extension);
  defined.add(extension);
  return extension;
}

export const isDefinedHere = (extension: object): extension is Extension => defined.has(extension);

function assertOwnScopes({ name, scopes = {} }: Extension): void {
  const foreign = Object.keys(scopes).filter((scope) => !isOwnScope(name, scope));
  if (foreign.length === 0) return;
  throw new Error(
    `The extension is not whole: scopes: ${foreign.join(', ')} is not ext:${name}:<verb>.`,
  );
}

const isOwnScope = (name: string, scope: string) => {
  const [ext, owner, verb = '', more] = scope.split(':');
  return ext === 'ext' && owner === name && /^[a-z]{1,20}$/.test(verb) && more === undefined;
};
