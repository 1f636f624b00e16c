import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './platform/config/folders.js';
import { stopping } from './stopping.js';

// Loading the service takes a second, and its start may take many.
stopping.listen();

// Node 20 has neither of these two; the service only starts slower there.
const { enableCompileCache, setSourceMapsSupport } = module as Partial<typeof module>;

// Stacks of our own sources only: the maps of all packages were a tenth of a start.
if (setSourceMapsSupport) setSourceMapsSupport(true);
else process.setSourceMapsEnabled(true);

// Compiling thousands of files was a sixth (decision 151). Without the folder it starts, too.
const folder = join(cacheFolder(process.env, process.cwd()), 'compiled');
try {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  enableCompileCache?.(folder);
} catch {}

await import('./run.js');
