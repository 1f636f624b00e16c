import { type EscapedName, type JsonLimits, scanJson } from './json-scan.js';
import { HttpProblem } from '../problem.js';
import { RequestRefusal } from '../request-refusals.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** @throws HttpProblem 400 `malformed_json` for what is not one well-formed JSON object. */
export function parseJsonObject(bytes: Buffer, limits: JsonLimits): Record<string, unknown> {
  if (bytes.length === 0) return {};
  const text = textOf(bytes);
  const escaped = scanJson(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(respelled(text, escaped));
  } catch {
    throw malformed('The body is not well-formed JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The body must be one JSON object.');
  }
  return value as Record<string, unknown>;
}

/**
 * The text with its names written plainly. JSON.parse of Node 24 takes "\\u00e9" for the name "\\"
 * where somebody's body had that one in the same place before (nodejs/node issue 63785).
 */
function respelled(text: string, names: readonly EscapedName[]): string {
  let at = 0;
  let plain = '';
  for (const { name, begin, end } of names) {
    plain += text.slice(at, begin) + name;
    at = end;
  }
  return plain + text.slice(at);
}

/** A body as text, without its byte order mark. */
export function textOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

function malformed(reason: string): HttpProblem {
  return RequestRefusal.malformed_json.of(`${reason} Correct it and send it again.`);
}
