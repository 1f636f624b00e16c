import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tries } from '../support/share.js';
import { OWN_ENVIRONMENT } from './program.js';

// The commands that docs/testing.md offers, with as little to do as they take: they must still start.

const BOOKS = ['test:books', '--runs', '1', '--seed', '7'];
const CALCULATION = ['test:calculation', '--documents', '10', '--seed', '7'];
const FAULTS = ['faults', '--only', 'backend killed', '--rounds', '1'];
const HOSTILE = ['hostile', '--bodies', '20', '--signatures', '20', '--locked', '1', '--no-bombs'];

it.each(tries({ pushed: [BOOKS, CALCULATION], full: [BOOKS, CALCULATION, FAULTS, HOSTILE] }))(
  'npm run %s',
  async (script, ...options) => {
    // As from a shell: the server of these tests is none of its business.
    const env = { ...OWN_ENVIRONMENT, HOME: process.env['HOME'] };
    const command = ['run', '--silent', script, '--', ...options];
    expect(await promisify(execFile)('npm', command, { env })).toMatchObject({ stderr: '' });
  },
);
