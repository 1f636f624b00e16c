#!/usr/bin/env node
import 'reflect-metadata';
import { becomeService } from './cli/service-process.js';

const args = process.argv.slice(2);
// It loads nothing that the service would load once more.
if (args.join(' ') === 'start') await becomeService();
else {
  const { runCommand } = await import('./cli/command-line.js');
  const code = await runCommand(args, {
    environment: process.env,
    folder: process.cwd(),
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
  });
  // A failure may leave a connection open, and nobody should wait for it.
  if (code === 2) process.exit(code);
  process.exitCode = code;
}
