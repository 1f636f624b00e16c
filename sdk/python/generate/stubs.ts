import type { OpenAPIObject } from '@nestjs/swagger';
import type { MadeApi, MadeMethod, MadeModel } from './made-code.js';
import { PythonTypes, type Schema } from './python-types.js';

const PACKAGE = 'quittance_client';

const HEAD = `import builtins as _builtins
import datetime as _datetime
from typing import Any, Dict, List, Literal, Mapping, Optional, Tuple, Union

from ${PACKAGE} import models as _models, words as _words
`;

interface Described {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema }[];
}

/**
 * Types of the made client, beside its files, which have none (decision 277). Names are read from those files,
 * and nullable, required and words from the document.
 * @returns texts by path in the package
 */
export function stubsOf(
  document: OpenAPIObject,
  models: MadeModel[],
  apis: MadeApi[],
): Map<string, string> {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const types = new PythonTypes(schemas, models);
  const operations = operationsOf(document);
  const texts = new Map<string, string>([
    ['py.typed', ''],
    ['words.py', wordsOf(schemas)],
  ]);
  for (const model of models)
    texts.set(`models/${model.module}.pyi`, modelStub(model, schemas[model.name] ?? {}, types));
  for (const api of apis) texts.set(`api/${api.module}.pyi`, apiStub(api, operations, types));
  const ofModels = shown('models', models).join('');
  const ofApis = shown('api', apis).join('');
  texts.set('models/__init__.pyi', ofModels);
  texts.set('api/__init__.pyi', ofApis);
  texts.set('__init__.pyi', `${ofApis}${ROOT}${ofModels}`);
  return texts;
}

const shown = (folder: string, of: { module: string; name: string }[]) =>
  of.map(({ module, name }) => `from ${PACKAGE}.${folder}.${module} import ${name} as ${name}\n`);

const ROOT = `from ${PACKAGE}.api_client import ApiClient as ApiClient
from ${PACKAGE}.configuration import Configuration as Configuration
from ${PACKAGE}.exceptions import (
    ApiException as ApiException,
    ApiKeyError as ApiKeyError,
    ApiTypeError as ApiTypeError,
    ApiValueError as ApiValueError,
    OpenApiException as OpenApiException,
)

__version__: str
`;

/** Lists of words as types, which a program may import, too. */
function wordsOf(schemas: Record<string, Schema>): string {
  const lists = Object.entries(schemas)
    .filter(([, { enum: words, type }]) => words && type === 'string')
    .map(([name, { enum: words = [] }]) => `${name} = Literal[\n${linesOf(words)}]\n`);
  return `"""The words of the API, as types."""\nfrom typing import Literal\n\n${lists.join('\n')}`;
}

const linesOf = (words: readonly unknown[]) =>
  words.map((word) => `    ${JSON.stringify(word)},\n`).join('');

function modelStub(model: MadeModel, schema: Schema, types: PythonTypes): string {
  const { required = [], properties = {} } = schema;
  const attributes = [...model.types].map(([name, made]) => {
    const field = model.fields.get(name) ?? name;
    const type = types.of(made, properties[field]);
    const isRequired = required.includes(field);
    const isOptional = !isRequired || types.isNullable(properties[field]);
    return { name, isRequired, type: isOptional ? `Optional[${type}]` : type };
  });
  const taken = [
    ...attributes.map(
      ({ name, type, isRequired }) => `${name}: ${type}${isRequired ? '' : ' = ...'}`,
    ),
    'local_vars_configuration: Optional[_Configuration] = ...',
  ];
  const lines = [
    ...model.constants.map((name) => `${name}: _builtins.str`),
    ...(model.constants.length > 0 ? ['allowable_values: List[_builtins.str]'] : []),
    'openapi_types: Dict[_builtins.str, _builtins.str]',
    'attribute_map: Dict[_builtins.str, _builtins.str]',
    `def __init__(self, *, ${taken.join(', ')}) -> None: ...`,
    ...attributes.map(({ name, type }) => `${name}: ${type}`),
    'def to_dict(self) -> Dict[_builtins.str, Any]: ...',
    'def to_str(self) -> _builtins.str: ...',
    'def __eq__(self, other: _builtins.object) -> _builtins.bool: ...',
    'def __ne__(self, other: _builtins.object) -> _builtins.bool: ...',
  ];
  const body = lines.map((line) => `    ${line}\n`).join('');
  return `${HEAD}from ${PACKAGE}.configuration import Configuration as _Configuration

class ${model.name}:
${body}`;
}

function apiStub(api: MadeApi, operations: Map<string, Described>, types: PythonTypes): string {
  const methods = api.methods.flatMap((method) =>
    methodStub(method, operations.get(method.name), types),
  );
  return `${HEAD}from ${PACKAGE}.api_client import ApiClient as _ApiClient

class ${api.name}:
    api_client: _ApiClient
    def __init__(self, api_client: Optional[_ApiClient] = ...) -> None: ...
${methods.map((line) => `    ${line}\n`).join('')}`;
}

function methodStub(
  { name, taken, answer }: MadeMethod,
  operation: Described | undefined,
  types: PythonTypes,
): string[] {
  if (!operation) throw new Error(`the API has no operation ${name}`);
  const { parameters = [] } = operation;
  const told = new Map(parameters.map((one) => [snake(one.name), one]));
  const given = taken.flatMap((one) => {
    const parameter = told.get(one.name);
    // The generator sends neither a dict nor \`True\` as the API reads it.
    if (parameter?.schema.type === 'object') return [];
    const isFlag = parameter?.in === 'query' && parameter.schema.type === 'boolean';
    const plain = isFlag ? `Literal['true', 'false']` : types.of(one.type, parameter?.schema);
    const type = parameter ? plain : types.bodyOf(one.type);
    return [{ ...one, text: `${one.name}: ${type}` }];
  });
  const options = [
    ...given.filter(({ isRequired }) => !isRequired).map(({ text }) => `${text} = ...`),
    '_request_timeout: Union[_builtins.float, Tuple[_builtins.float, _builtins.float]] = ...',
  ];
  const needed = given.filter(({ isRequired }) => isRequired).map(({ text }) => text);
  const list = ['self', ...needed, '*', ...options].join(', ');
  const type = answer === undefined ? 'None' : types.of(answer);
  return [
    `def ${name}(${list}) -> ${type}: ...`,
    `def ${name}_with_http_info(${list}) -> Tuple[${type}, _builtins.int, Mapping[_builtins.str, _builtins.str]]: ...`,
  ];
}

function operationsOf(document: OpenAPIObject): Map<string, Described> {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item) as Described[]);
  return new Map(all.map((operation) => [snake(operation.operationId), operation]));
}

/** A name as the generator writes it in Python. */
const snake = (name: string) =>
  name
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
