import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventsPage } from './support/events-page.js';

it('docs/events.md is what the definitions of the events say', async () => {
  const page = await readFile(new URL('../docs/events.md', import.meta.url), 'utf8');
  expect(page, 'run npm run events').toBe(eventsPage());
});
