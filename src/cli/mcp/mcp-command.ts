import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { remoteCommand, type RemoteOptions, RemoteService } from '../remote/remote-service.js';
import { ServiceTools } from './service-tools.js';
import { type ToolWish, USUAL_TAGS } from './tool-choice.js';

/** A running service as tools of an agent (decision 278). */
export function addMcpCommand(program: Command, { caller }: CommandContext): void {
  remoteCommand(
    program.command('mcp').description('serve agents by the Model Context Protocol, on stdio'),
  )
    .option('--write', 'with what changes something, too')
    .option('--tags <tags>', `parts of the API, or all; else ${USUAL_TAGS.join(',')}`)
    .option('--tools <names>', 'such as list_documents,send_document; with --tags: these, too')
    .action(async (options: RemoteOptions & ToolWish) => {
      const service = await RemoteService.of(options, caller);
      const tools = await ServiceTools.of(service, options);
      // No other command waits for the protocol to be loaded.
      const { serveTools } = await import('./mcp-server.js');
      await serveTools(tools, caller.warn);
      // Standard output is the protocol's.
      caller.warn(`${tools.list.length} tools of ${service.url}`);
    });
}
