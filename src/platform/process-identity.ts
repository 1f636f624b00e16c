import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { Actor, By } from '../kernel/actor.js';
import type { Uuid } from '../kernel/ids.js';

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return bornAt(pid) !== undefined;
}

/**
 * Boot id and start time in clock ticks (proc(5), field 22): with the pid, it names one process
 * for good. Undefined for a process that is gone or a zombie, which nobody may ever reap in a
 * container. A constant where there is no /proc.
 */
export function bornAt(pid: number): string | undefined {
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The process name, in parentheses, may hold spaces: count from behind it.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : `${boot}/${rest[18] ?? ''}`;
  } catch {
    return undefined;
  }
}

/** The user who runs this process, as the audit log names them: `ada@billing-1`. */
export function operator(): Actor {
  return { type: 'operator', id: `${userName()}@${hostname()}` };
}

export function byOperator(accountId: Uuid): By {
  return { accountId, actor: operator(), origin: null };
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
