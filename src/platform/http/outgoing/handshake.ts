import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';

/** A certificate, as a server shows it. Nothing is sent that it would act upon. */
export interface ShownCertificate {
  subject: string;
  issuer: string;
  validTo: Date;
  /** Why callers refuse it, such as `CERT_HAS_EXPIRED`; null: they do not. */
  fault: string | null;
}

interface HandshakePlace {
  host: string;
  port: number;
  /** Absent: the system's authorities. */
  ca?: string | undefined;
  timeoutMs: number;
}

/** @throws whatever the network did, or after the time limit */
export async function shownCertificate(place: HandshakePlace): Promise<ShownCertificate> {
  return overTls(place);
}

/**
 * That of a mail server which begins in the clear (RFC 3207).
 * @returns null where it offers no encryption
 * @throws whatever the network did, or after the time limit
 */
export async function certificateOfMailServer(
  place: HandshakePlace,
): Promise<ShownCertificate | null> {
  const socket = await connected(place);
  try {
    await replyOf(socket);
    socket.write('EHLO quittance\r\n');
    const offered = await replyOf(socket);
    if (!/^250[ -]STARTTLS\s*$/im.test(offered)) return null;
    socket.write('STARTTLS\r\n');
    if (!(await replyOf(socket)).startsWith('220')) return null;
    return await overTls({ ...place, socket });
  } finally {
    socket.destroy();
  }
}

async function overTls({
  host,
  port,
  ca,
  timeoutMs,
  socket,
}: HandshakePlace & { socket?: Socket }) {
  const bare = host.replaceAll(/[[\]]/g, '');
  return new Promise<ShownCertificate>((resolve, reject) => {
    const way = socket ? { socket } : { host: bare, port };
    const tls = connectTls({
      ...way,
      ca,
      ...(isIP(bare) === 0 && { servername: bare }),
      // The fault is what is looked for; nothing but the handshake passes here.
      rejectUnauthorized: false,
    });
    tls.setTimeout(timeoutMs, () => tls.destroy(new Error(`no answer in ${timeoutMs} ms`)));
    tls.once('error', reject);
    tls.once('secureConnect', () => {
      const certificate = tls.getPeerCertificate();
      const fault = tls.authorized ? null : faultIn(tls.authorizationError);
      tls.destroy();
      resolve(asShown(certificate, fault));
    });
  });
}

const faultIn = (error: Error | string | null | undefined): string =>
  typeof error === 'string' ? error : ((error as { code?: string } | null)?.code ?? 'unknown');

const named = (names: Partial<PeerCertificate['subject']> | undefined) =>
  [names?.CN ?? names?.O ?? 'nobody'].flat().join(', ');

function asShown({ subject, issuer, valid_to: validTo }: PeerCertificate, fault: string | null) {
  return {
    subject: named(subject),
    issuer: named(issuer),
    validTo: new Date(validTo),
    fault,
  };
}

async function connected({ host, port, timeoutMs }: HandshakePlace): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectPlain({ host: host.replaceAll(/[[\]]/g, ''), port });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer in ${timeoutMs} ms`)));
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

const LONGEST_REPLY = 65_536;

/** One whole reply: lines until one without a hyphen behind its code. */
async function replyOf(socket: Socket): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const end = () => {
      socket.off('data', read).off('error', fail).off('close', fail).pause();
    };
    const fail = (error?: unknown) => {
      end();
      reject(error instanceof Error ? error : new Error('the connection was closed'));
    };
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.length > LONGEST_REPLY) return fail(new Error('the answer does not end'));
      const last = text.trimEnd().split('\n').at(-1) ?? '';
      if (!text.endsWith('\n') || !/^\d{3}(?!-)/.test(last)) return;
      end();
      resolve(text);
    };
    socket.on('data', read).once('error', fail).once('close', fail).resume();
  });
}
