import { pagesOf } from './pdf-text.js';

/** A run of text on a sheet, in millimetres from its upper left corner. */
export interface PlacedText {
  text: string;
  left: number;
  /** The left edge of its last glyph. */
  right: number;
  /** The line that its letters stand on. */
  baseline: number;
}

/** A filled rectangle, as borders are drawn. */
interface PlacedBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Sheet {
  texts: PlacedText[];
  boxes: PlacedBox[];
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

const MM = 25.4 / 72;
const AS_IT_IS: Matrix = [1, 0, 0, 1, 0, 0];
const NUMBER = String.raw`(-?[\d.]+)`;
const SIX = Array.from({ length: 6 }, () => NUMBER).join(' ');

// Matrices, their stack, the choice of a font, glyphs, rectangles, and the ends of a run.
const OPERATORS = new RegExp(
  String.raw`^${SIX} cm$|^(q|Q|BT|ET)$|^/(F\d+) [\d.-]+ Tf$|^${SIX} Tm$|` +
    String.raw`^(?:${NUMBER} ${NUMBER} Td )?<([\da-fA-F]+)> Tj$|^${Array.from({ length: 4 }, () => NUMBER).join(' ')} re$`,
  'gm',
);

/** All that is drawn on each sheet, and where. */
export function sheetsOf(pdf: Buffer): Sheet[] {
  return pagesOf(pdf).map(({ content, height, tableOf }) => {
    const sheet: Sheet = { texts: [], boxes: [] };
    const stack: Matrix[] = [];
    let now = AS_IT_IS;
    let line = AS_IT_IS;
    let table: ReadonlyMap<string, string> = new Map();
    let run: PlacedText | null = null;
    const at = (matrix: Matrix, x: number, y: number) => {
      const [px, py] = applied(now, ...applied(matrix, x, y));
      return { left: px * MM, top: (height - py) * MM };
    };
    for (const found of content.matchAll(OPERATORS)) {
      const [, ...parts] = found;
      const numbers = (from: number, count: number) =>
        parts.slice(from, from + count).map(Number) as unknown as Matrix;
      const [word, font, glyphs] = [parts[6], parts[7], parts[16]];
      if (parts[0] !== undefined) now = times(now, numbers(0, 6));
      else if (word === 'q') stack.push(now);
      else if (word === 'Q') now = stack.pop() ?? AS_IT_IS;
      else if (word === 'BT') run = null;
      else if (word === 'ET' && run) sheet.texts.push(run);
      else if (font !== undefined) table = tableOf(font);
      else if (parts[8] !== undefined) line = numbers(8, 6);
      else if (glyphs !== undefined) {
        if (parts[14] !== undefined) line = times(line, [1, 0, 0, 1, ...numbers(14, 2)] as never);
        const { left, top } = at(line, 0, 0);
        run ??= { text: '', left, right: left, baseline: top };
        run.right = left;
        run.text += (glyphs.toUpperCase().match(/.{4}/g) ?? [])
          .map((glyph) => table.get(glyph) ?? '\ufffd')
          .join('');
      } else if (parts[17] !== undefined) {
        const [x, y, width, high] = numbers(17, 4) as unknown as [number, number, number, number];
        const [from, to] = [at(AS_IT_IS, x, y), at(AS_IT_IS, x + width, y + high)];
        sheet.boxes.push({ ...from, width: to.left - from.left, height: to.top - from.top });
      }
    }
    return sheet;
  });
}

function applied([a, b, c, d, e, f]: Matrix, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** First the inner, then the outer. */
function times(outer: Matrix, [a, b, c, d, e, f]: Matrix): Matrix {
  const [oa, ob, oc, od] = outer;
  const [x, y] = applied(outer, e, f);
  return [oa * a + oc * b, ob * a + od * b, oa * c + oc * d, ob * c + od * d, x, y];
}
