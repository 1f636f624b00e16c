const names = new Map<string, string>();

const keyOf = (words: readonly unknown[]) => words.toSorted().join(' ');

/**
 * Gives lists of words their names in the OpenAPI document: `{ TaxCategory: TAX_CATEGORIES }`. The
 * files of the bodies that have them say so once; wherever such a list stands, its name does.
 */
export function nameWords(lists: Record<string, readonly string[]>): void {
  for (const [name, words] of Object.entries(lists)) {
    const known = names.get(keyOf(words));
    if (known !== undefined) throw new Error(`${name} has the words of ${known}`);
    names.set(keyOf(words), name);
  }
}

/** The name of a list, which may have null among its words. */
export function nameOfWords(words: readonly unknown[]): string | undefined {
  return names.get(keyOf(words.filter((word) => word !== null)));
}
