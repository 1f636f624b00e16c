/** More are rare, and a map must not grow with what callers write. */
const MOST_KEPT = 100;

/** The value of a key, made the first time; `make` gives the same whenever it is called. */
export function kept<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    if (values.size >= MOST_KEPT) values.clear();
    value = make();
    values.set(key, value);
  }
  return value;
}
