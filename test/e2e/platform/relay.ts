import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut and mended: what is behind it goes away and comes back. */
export interface Relay {
  url: string;
  open(): Promise<void>;
  /** Every connection ends, and nobody listens. */
  close(): Promise<void>;
  /** Nothing passes any more, and nobody is told: connections stay as they are. */
  silence(): void;
  /** The same once a client says `text`. Told: what it said arrives, and only the answer is lost. */
  silenceAt(text: string, how: { told: boolean }): Promise<void>;
  /** Every connection ends, and what was held is lost. New ones pass. */
  cut(): void;
  /** Held messages arrive late, as those that a network sends again. */
  speak(): void;
}

const goesOn = () => 'goes on' as const;

export async function aRelayTo(target: string): Promise<Relay> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let isSilent = false;
  let watch: (said: Buffer) => 'goes on' | 'told' | 'silent' = goesOn;
  const pass = (work: () => void) => (isSilent ? held.push(work) : work());

  const server = createServer((incoming) => {
    const outgoing = connect(Number(targetPort || 5432), hostname);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('data', (said) => {
        const seen = from === incoming ? watch(said) : 'goes on';
        if (seen === 'told') to.write(said);
        if (seen !== 'goes on') isSilent = true;
        if (seen !== 'told') pass(() => to.write(said));
      });
      from.on('error', () => pass(() => to.destroy()));
      from.on('close', () => {
        sockets.delete(from);
        pass(() => to.end());
      });
    }
  });
  const listen = async (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const speak = () => {
    isSilent = false;
    for (const work of held.splice(0)) work();
  };
  return {
    url: url.href,
    open: async () => listen(port),
    close: async () => {
      speak();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
    silence: () => void (isSilent = true),
    silenceAt: async (text, { told }) =>
      new Promise((resolve) => {
        watch = (said) => {
          if (!said.includes(text)) return 'goes on';
          watch = goesOn;
          resolve();
          return told ? 'told' : 'silent';
        };
      }),
    cut: () => {
      held.length = 0;
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
    speak,
  };
}
