import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { ExportRow, type ExportValue, UnreadableRow } from './export-rows.js';

/** An element of a list, or the value of another field of an outermost object. */
export interface JsonElement {
  /** The field that has it; empty for a list that is no field's. */
  field: string;
  /** Its place in the list; null: it is the value of the field. */
  index: number | null;
  line: number;
  text: string;
}

/** Of one element: exports may be of any size, and a hundred times this is never in memory. */
const LONGEST_ELEMENT_CHARACTERS = 16 * 1024 * 1024;

type State = 'outside' | 'fields' | 'colon' | 'value' | 'list';

interface Held {
  kind: 'name' | 'value' | 'element';
  text: string;
  line: number;
  depth: number;
  isText: boolean;
  isEscaped: boolean;
}

type Ending = 'none' | 'with' | 'before';

/**
 * The elements of a JSON file, one after the other, whatever its size. Several outermost values may
 * follow each other, as pages of an API that were written into one file do.
 * @throws Error for a file that is no JSON, or ends in the middle
 */
export async function* jsonElements(path: string): AsyncGenerator<JsonElement> {
  const scan = new ElementScan(basename(path));
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    yield* scan.read(chunk as string);
  }
  scan.end();
}

class ElementScan {
  private state: State = 'outside';
  private isListAlone = false;
  private field = '';
  private readonly counts = new Map<string, number>();
  private line = 1;
  private held: Held | null = null;

  constructor(private readonly file: string) {}

  *read(chunk: string): Generator<JsonElement> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk.charAt(at);
      if (character === '\n') this.line += 1;
      if (this.held) {
        const ending = endingOf(this.held, character);
        if (ending === 'none') continue;
        const text = this.held.text + chunk.slice(from, ending === 'with' ? at + 1 : at);
        const element = this.release({ ...this.held, text });
        if (element) yield element;
        if (ending === 'with') continue;
      }
      if (this.begins(character)) from = at;
    }
    if (this.held) this.hold(this.held, chunk.slice(from));
  }

  end(): void {
    if (this.held || this.state !== 'outside') {
      throw this.broken(this.line, 'the file ends in the middle; export it again');
    }
  }

  private hold(held: Held, text: string): void {
    held.text += text;
    if (held.text.length <= LONGEST_ELEMENT_CHARACTERS) return;
    throw this.broken(held.line, 'an element has more than 16 MB');
  }

  private release({ kind, text, line }: Held): JsonElement | null {
    this.held = null;
    if (kind === 'name') {
      this.field = JSON.parse(text) as string;
      this.state = 'colon';
      return null;
    }
    const { field } = this;
    if (kind === 'value') {
      this.state = 'fields';
      return { field, index: null, line, text };
    }
    const index = this.counts.get(field) ?? 0;
    this.counts.set(field, index + 1);
    return { field, index, line, text };
  }

  /** @returns whether a name, a value or an element begins with it */
  private begins(character: string): boolean {
    if (/[\s\uFEFF]/.test(character)) return false;
    switch (this.state) {
      case 'outside':
        if (character === '{') this.state = 'fields';
        else if (character === '[') this.openList(true);
        else throw this.unexpected(character);
        return false;
      case 'fields':
        if (character === '"') return this.start('name', character);
        if (character === '}') this.state = 'outside';
        else if (character !== ',') throw this.unexpected(character);
        return false;
      case 'colon':
        if (character !== ':') throw this.unexpected(character);
        this.state = 'value';
        return false;
      case 'value':
        if (character !== '[') return this.start('value', character);
        this.openList(false);
        return false;
      case 'list':
        if (character === ',') return false;
        if (character !== ']') return this.start('element', character);
        this.state = this.isListAlone ? 'outside' : 'fields';
        return false;
    }
  }

  private openList(isAlone: boolean): void {
    this.state = 'list';
    this.isListAlone = isAlone;
    if (isAlone) this.field = '';
  }

  private start(kind: Held['kind'], character: string): boolean {
    const depth = character === '{' || character === '[' ? 1 : 0;
    const isText = character === '"';
    this.held = { kind, text: '', line: this.line, depth, isText, isEscaped: false };
    return true;
  }

  private unexpected(character: string): Error {
    return this.broken(this.line, `${JSON.stringify(character)} is no JSON here`);
  }

  private broken(line: number, why: string): Error {
    return new Error(`${this.file}:${line} ${why}.`);
  }
}

function endingOf(held: Held, character: string): Ending {
  if (held.isText) {
    if (held.isEscaped) held.isEscaped = false;
    else if (character === '\\') held.isEscaped = true;
    else if (character === '"') {
      held.isText = false;
      if (held.depth === 0) return 'with';
    }
    return 'none';
  }
  if (character === '"') held.isText = true;
  else if (character === '{' || character === '[') held.depth += 1;
  else if (character === '}' || character === ']') {
    if (held.depth === 0) return 'before';
    held.depth -= 1;
    if (held.depth === 0) return 'with';
  } else if (held.depth === 0 && /[\s,]/.test(character)) return 'before';
  return 'none';
}

/** A text whole, so that digits in it are left alone, or a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Numbers stay the text that they are: JSON.parse would make floats of them. */
export function exactValueOf(text: string): ExportValue {
  const quoted = text.replaceAll(TEXT_OR_NUMBER, (one) => (one.startsWith('"') ? one : `"${one}"`));
  try {
    return JSON.parse(quoted) as ExportValue;
  } catch {
    throw new UnreadableRow('this is no JSON');
  }
}

export function rowOfElement(text: string): ExportRow {
  const value = exactValueOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableRow('this is no object');
  }
  return new ExportRow(value);
}
