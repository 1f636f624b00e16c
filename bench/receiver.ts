import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Calls since it was asked last, and the time from the fact to its call. */
export interface ReceiverFigures {
  calls: number;
  p50Ms: number;
  p99Ms: number;
}

/** Somebody's endpoint, a process of its own that answers at once. */
let waitsMs: number[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const occurredAt = /"occurred_at":"([^"]+)"/.exec(Buffer.concat(chunks).toString())?.[1];
    waitsMs.push(Date.now() - Date.parse(occurredAt ?? ''));
    response.end('ok');
  });
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

process.on('message', () => {
  const sorted = waitsMs.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  process.send?.({ calls: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) });
  waitsMs = [];
});
