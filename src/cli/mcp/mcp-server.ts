import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ownVersion } from '../../platform/own-version.js';
import type { ServiceTools } from './service-tools.js';

/** Until standard input ends. @param tell gets a line for each thing that goes wrong */
export async function serveTools(tools: ServiceTools, tell: (line: string) => void): Promise<void> {
  const version = await ownVersion();
  serveStdio(() => serverOf(tools, version), { onerror: ({ message }) => tell(message) });
}

function serverOf(tools: ServiceTools, version: string): Server {
  const server = new Server(
    { name: 'quittance', version },
    { capabilities: { tools: {} }, instructions: tools.instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.list] }));
  server.setRequestHandler('tools/call', async ({ params }) =>
    tools.call(params.name, params.arguments ?? {}),
  );
  return server;
}
