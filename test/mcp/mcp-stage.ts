import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ServiceTools } from '../../src/cli/mcp/service-tools.js';
import type { ToolWish } from '../../src/cli/mcp/tool-choice.js';
import { RemoteService } from '../../src/cli/remote/remote-service.js';
import { OWN_ENVIRONMENT, type Place, SOURCE_LOADER } from '../startup/program.js';
import type { TestClient } from '../support/client.js';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** The tools that a client of a service has, without a process of their own. */
export async function toolsOf(url: string, { id, secret }: TestClient, wish: ToolWish = {}) {
  const caller = { environment: {}, folder: '/nonexistent', print: () => {}, warn: () => {} };
  const service = await RemoteService.of({ url, clientId: id, clientSecret: secret }, caller);
  return ServiceTools.of(service, wish);
}

/** A program that talks to agents, with the command as its child. */
export interface Agent {
  client: Client;
  /** All that went wrong on standard output, such as a line that is no protocol. */
  faults: Error[];
  /** Standard error. */
  said: () => string;
}

export async function anAgent(
  place: Place,
  url: string,
  { id, secret }: TestClient,
  options: string[],
  mode: 'legacy' | 'auto',
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--no-warnings', '--import', SOURCE_LOADER, CLI, 'mcp', ...options],
    env: {
      ...OWN_ENVIRONMENT,
      QUITTANCE_URL: url,
      QUITTANCE_CLIENT_ID: id,
      QUITTANCE_CLIENT_SECRET: secret,
    },
    cwd: place.folder,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  const faults: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => faults.push(error) });
  await client.connect(transport);
  return { client, faults, said: () => said };
}

/** The texts of a result, one below the other. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((one) => (one.type === 'text' ? one.text : `[${one.type}]`)).join('\n');

/** The first text of a result. */
export function valueOf({ content, isError }: CallToolResult): unknown {
  const [first] = content;
  if (isError || first?.type !== 'text') throw new Error(JSON.stringify(content));
  return JSON.parse(first.text);
}
