export interface ListPage {
  data: readonly unknown[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Awaited, it is the first page; in `for await`, each entry of all pages. */
export type Listed<Page extends { data: readonly unknown[] }> = Promise<Page> &
  AsyncIterable<Page['data'][number]>;

/** @param ask reads the page of a query */
export function listed<Query extends object, Page extends ListPage>(
  query: Query,
  ask: (query: Query) => Promise<Page>,
): Listed<Page> {
  const first = ask(query);
  // Events after a place go on behind it, and all other lists at a cursor.
  const place = 'after' in query && query.after !== undefined ? 'after' : 'cursor';
  async function* entries() {
    let page = await first;
    for (;;) {
      yield* page.data;
      if (!page.has_more || page.next_cursor === null) return;
      page = await ask({ ...query, [place]: page.next_cursor });
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: entries });
}
