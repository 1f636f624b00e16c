import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourcesOf } from './support/source.js';

/** `@nestjs/common` of a path in it. */
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

it('the service, and what others test with, need no package that only our tests have', () => {
  const url = new URL('../package.json', import.meta.url);
  const { dependencies } = JSON.parse(readFileSync(url, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const packages = sourcesOf('src', 'migrations').flatMap(({ path, imports }) =>
    imports
      .filter((one) => one.path === undefined && !one.typeOnly && one.specifier !== '?')
      .map(({ specifier }) => ({ path, name: packageOf(specifier) })),
  );
  const others = packages.filter(
    ({ name }) => !name.startsWith('node:') && !(name in dependencies),
  );
  expect(others).toEqual([]);
  expect(packages.length).toBeGreaterThan(500);
});
