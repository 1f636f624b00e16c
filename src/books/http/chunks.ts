// Downloads send these, some lines at a time.

export async function* eachOf<From, To>(
  pages: AsyncIterable<readonly From[]>,
  present: (item: From) => To,
): AsyncGenerator<To[], void> {
  for await (const page of pages) yield page.map(present);
}

/** Lines that are all there. */
export async function* onePage<Lines>(lines: Lines): AsyncGenerator<Lines, void> {
  yield lines;
}

/** One JSON object a line. */
export async function* jsonLinesOf(
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string, void> {
  for await (const lines of pages) {
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}
