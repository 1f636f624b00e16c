import 'reflect-metadata';
import { runCommand } from './cli/command-line.js';

const code = await runCommand(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  print: (line) => console.log(line),
  warn: (line) => console.error(line),
});
// A failure may leave a connection open, and nobody should wait for it.
if (code === 2) process.exit(code);
process.exitCode = code;
