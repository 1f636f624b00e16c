import { expect } from 'vitest';

/** Takes away the line under the cursor. */
export const ERASE = '\r\u001b[2K';

/** A terminal that keeps all that it is sent. */
export class FakeTerminal {
  text = '';
  columns = 80;

  write(text: string): void {
    this.text += text;
  }

  /** All lines that were painted, one over the other. */
  get lines(): string[] {
    return this.text.split(ERASE).filter(Boolean);
  }
}

/** All that stays on a terminal: lines of progress before it are gone. */
export function toldBehind(command: string, output: string): string {
  const [first, ...painted] = output.split(ERASE);
  const told = painted.pop() ?? '';
  const others = painted.filter((line) => !line.startsWith(`${command}: `));
  expect([first, others]).toEqual(['', []]);
  expect(painted[0]).toMatch(/: \d+%, \d+\.\d of \d+\.\d MB$/);
  return told;
}
