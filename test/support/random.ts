/** The same numbers for the same seed. */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number) => Math.floor(next() * most);
  return {
    next,
    below,
    of: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
    oneIn: (many: number) => below(many) === 0,
  };
}

export type Random = ReturnType<typeof randomOf>;
