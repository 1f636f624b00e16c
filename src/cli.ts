#!/usr/bin/env node
import 'reflect-metadata';
import { becomeService } from './cli/service-process.js';
import { ownVersion } from './platform/own-version.js';

const args = process.argv.slice(2);
const line = args.join(' ');
// It loads nothing that the service would load once more.
if (line === 'start') await becomeService();
// Nobody waits for the whole program to learn how old it is.
else if (line === '--version' || line === '-V') console.log(await ownVersion());
else {
  const { runCommand } = await import('./cli/command-line.js');
  const code = await runCommand(args, {
    environment: process.env,
    folder: process.cwd(),
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
    terminal: process.stderr.isTTY ? process.stderr : undefined,
  });
  // A failure may leave a connection open, and nobody should wait for it.
  if (code !== 0) process.exit(code);
}
