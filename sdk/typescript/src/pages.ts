export interface ListPage {
  data: readonly unknown[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Awaited, it is the first page; in `for await`, each entry of all pages. */
export type Listed<Page extends { data: readonly unknown[] }> = Promise<Page> &
  AsyncIterable<Page['data'][number]>;

type Names<Entry> = Extract<keyof Entry, string>;

/** A field of the entries of a list, or one inside of a field: `customer.name`. */
export type FieldName<Page extends ListPage> =
  | Names<Page['data'][number]>
  | `${Names<Page['data'][number]>}.${string}`;

type First<Name> = Name extends `${infer Outer}.${string}` ? Outer : Name;
type Rest<Name, Outer extends PropertyKey> = Name extends `${Outer & string}.${infer Inner}`
  ? Inner
  : never;

type Part<Value, Name extends string> = Value extends readonly (infer Item)[]
  ? Part<Item, Name>[]
  : Value extends object
    ? {
        [Key in keyof Value as Key extends First<Name> ? Key : never]: Key extends Name
          ? Value[Key]
          : Part<Value[Key], Rest<Name, Key>>;
      }
    : Value;

/** A page whose entries have the fields that were asked for, and their id; without any, all of them. */
export type Selected<Page extends ListPage, Name extends string> = [Name] extends [never]
  ? Page
  : Omit<Page, 'data'> & { data: Part<Page['data'][number], Name | 'id'>[] };

/** A query that may ask for fields, whose names are told as literals. */
export type Selecting<Query, Name extends string> = Omit<Query, 'fields'> & { fields?: Name[] };

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
