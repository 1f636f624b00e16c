import type { CommanderError } from 'commander';
import { DomainError } from '../kernel/domain-error.js';
import { ConfigError } from '../platform/config/config-error.js';
import { RemoteRefused, RemoteSilent } from './remote/remote-service.js';

/** Why a command could not be done: a code for programs, and a sentence. */
export function commandFailure(error: unknown): { code: string; detail: string } {
  if (error instanceof DomainError) return { code: error.code, detail: error.detail };
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof RemoteRefused) return { code: error.code, detail: error.detail };
  if (error instanceof RemoteSilent) return { code: 'no_answer', detail };
  if (error instanceof ConfigError) return { code: 'configuration', detail };
  if (isOfCommander(error)) return { code: 'usage', detail: usageText(error) };
  return { code: 'failed', detail };
}

/** It prints its help where a command is missing, and has no sentence for that. */
function usageText({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '');
}

/** Also help and the version, which end a command in the same way. An extension may have another copy. */
export function isOfCommander(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
