import { writeFile } from 'node:fs/promises';
import { eventsPage } from './events-page.js';

// npm run events, after what an event says was changed.

await writeFile('docs/events.md', eventsPage());
