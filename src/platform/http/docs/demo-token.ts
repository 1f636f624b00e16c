import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

/** A token for the page of `/docs`, by one click: only of a demo, and only on its own machine. */
@Injectable()
export class DemoToken {
  /** Given by a demo. */
  make: (() => Promise<string>) | undefined;

  /** Whether the browser runs on this machine, and came by a name of this machine. */
  isFor({ socket, headers, hostname }: Pick<Request, 'socket' | 'headers' | 'hostname'>): boolean {
    const isHere = isLoopback(socket.remoteAddress ?? '') && !headers['x-forwarded-for'];
    // A name that somebody else's DNS points here is not ours.
    return this.make !== undefined && isHere && (hostname === 'localhost' || isLoopback(hostname));
  }
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '').replace(/^\[(.*)\]$/, '$1');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
