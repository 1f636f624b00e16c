import { describe, expect, it } from 'vitest';
import { readApi, readModel } from '../../sdk/python/generate/made-code.js';
import { prepared } from '../../sdk/python/generate/prepared.js';
import { stubsOf } from '../../sdk/python/generate/stubs.js';

// The types beside the Python client. `npm run sdk:python -- --tour` makes the client and judges both.

const MODEL = `class Line(object):
    openapi_types = {
        'amount': 'int',
        'kind': 'LineKind',
        'parts': 'list[Line]',
        'paid_on': 'date',
        'percent': 'object',
        'place': 'str',
        '_from': 'str',
        'notes': 'dict(str, str)'
    }

    attribute_map = {
        'amount': 'amount',
        'kind': 'kind',
        'parts': 'parts',
        'paid_on': 'paid_on',
        'percent': 'percent',
        'place': 'place',
        '_from': 'from',
        'notes': 'notes'
    }
`;

const WORDS = `class LineKind(object):
    """
    allowed enum values
    """
    ITEM = "item"
    FEE = "fee"

    allowable_values = [ITEM, FEE]  # noqa: E501

    openapi_types = {
    }

    attribute_map = {
    }
`;

const API = `class LinesApi(object):
    def __init__(self, api_client=None):
        self.api_client = api_client

    def change_line(self, id, change_line_request, **kwargs):  # noqa: E501
        """
        :param async_req bool: execute request asynchronously
        :param str id: (required)
        :param Line change_line_request: (required)
        :param bool paid:
        :param list[str] include: more
        :param object metadata:
        :param str if_match:
        :param _preload_content: if False, the urllib3.HTTPResponse object will
        """
        return self.change_line_with_http_info(id, change_line_request, **kwargs)

    def change_line_with_http_info(self, id, change_line_request, **kwargs):  # noqa: E501
        return self.api_client.call_api(
            response_type='Line',  # noqa: E501
        )

    def delete_line(self, id, **kwargs):  # noqa: E501
        """
        :param str id: (required)
        """
    def delete_line_with_http_info(self, id, **kwargs):  # noqa: E501
        return self.api_client.call_api(
            response_type=None,  # noqa: E501
        )
`;

const KIND = { $ref: '#/components/schemas/LineKind' };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'A', version: '1' },
  paths: {
    '/lines/{id}': {
      patch: {
        operationId: 'changeLine',
        parameters: [
          { name: 'id', in: 'path', schema: { type: 'string' } },
          { name: 'paid', in: 'query', schema: { type: 'boolean' } },
          {
            name: 'include',
            in: 'query',
            schema: { type: 'array', items: { type: 'string', enum: ['total'] } },
          },
          { name: 'metadata', in: 'query', schema: { type: 'object' } },
          { name: 'If-Match', in: 'header', schema: { type: 'string' } },
        ],
        responses: {},
      },
      delete: { operationId: 'deleteLine', responses: {} },
    },
  },
  components: {
    schemas: {
      LineKind: { type: 'string', enum: ['item', 'fee'] },
      Line: {
        type: 'object',
        required: ['amount', 'kind', 'parts'],
        properties: {
          amount: { type: 'integer' },
          kind: { type: 'string', nullable: true, allOf: [KIND] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Line' } },
          paid_on: { type: 'string', format: 'date' },
          percent: { oneOf: [{ type: 'string' }, { type: 'number' }] },
          place: { type: 'string', enum: ['here', 'there', null], nullable: true },
          from: { type: 'string' },
          notes: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
        },
      },
    },
  },
};

const stubs = stubsOf(
  DOCUMENT as never,
  [readModel('line', MODEL), readModel('line_kind', WORDS)],
  [readApi('lines_api', API)],
);
const linesOf = (path: string) => (stubs.get(path) ?? '').split('\n').map((line) => line.trim());

describe('the types of the Python client', () => {
  it('say of a field what it is, whether it may be null, and its words', () => {
    expect(linesOf('models/line.pyi')).toEqual(
      expect.arrayContaining([
        'amount: _builtins.int',
        'kind: Optional[_words.LineKind]',
        'parts: List[_models.Line]',
        'paid_on: Optional[_datetime.date]',
        'percent: Optional[Union[_builtins.str, _builtins.float]]',
        'place: Optional[Literal["here", "there"]]',
        '_from: Optional[_builtins.str]',
        'notes: Optional[Dict[_builtins.str, Optional[_builtins.str]]]',
      ]),
    );
  });

  it('ask a constructor for what is required, by names', () => {
    const made = linesOf('models/line.pyi').find((line) => line.startsWith('def __init__'));
    expect(made).toContain(
      '(self, *, amount: _builtins.int, kind: Optional[_words.LineKind], parts: List',
    );
    expect(made).toContain('paid_on: Optional[_datetime.date] = ...');
  });

  it('say what an operation takes, and leave out what the generator sends wrongly', () => {
    const taken =
      'self, id: _builtins.str, change_line_request: Union[_models.Line, Dict[_builtins.str, Any]], *, ' +
      `paid: Literal['true', 'false'] = ..., include: List[Literal["total"]] = ..., if_match: _builtins.str = ...`;
    const lines = linesOf('api/lines_api.pyi');
    const more =
      ', _request_timeout: Union[_builtins.float, Tuple[_builtins.float, _builtins.float]] = ...';
    expect(lines).toContain(`def change_line(${taken}${more}) -> _models.Line: ...`);
    expect(lines).toContain(`def delete_line(self, id: _builtins.str, *${more}) -> None: ...`);
    expect(lines.find((line) => line.startsWith('def change_line_with'))).toMatch(
      /-> Tuple\[_models\.Line, _builtins\.int, Mapping\[_builtins\.str, _builtins\.str\]\]: \.\.\.$/,
    );
  });

  it('have lists of words as types', () => {
    expect(stubs.get('words.py')).toContain('LineKind = Literal[\n    "item",\n    "fee",\n]');
  });

  it('are not made of an operation that the API does not have', () => {
    const other = API.replaceAll('delete_line', 'drop_line');
    expect(() => stubsOf(DOCUMENT as never, [], [readApi('lines_api', other)])).toThrow(
      'the API has no operation drop_line',
    );
  });
});

it('the generator is not given what it writes wrongly', () => {
  const flag = { type: 'boolean', enum: [true] };
  const choice = { description: 'A', oneOf: [{ type: 'string' }, { type: 'number' }] };
  expect(prepared({ schema: flag, other: choice, examples: { flag } } as never)).toEqual({
    schema: { type: 'boolean' },
    other: { description: 'A' },
    examples: { flag },
  });
});
