import type { Config } from '../../platform/config/config.js';
import { failed, fine, type Finding, unasked, warned } from '../../platform/finding.js';
import { PROBLEM_TYPE } from '../../platform/http/problem.js';
import { judgeHttpClock } from './clocks.js';

const CALL_MS = 5000;
const UPLOAD_MS = 8_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const DOCUMENTS = '/v1/finance/documents';

type Answer =
  | { status: number; headers: Headers; text: string; tookMs: number }
  | { fault: string };

/** Calls the public address as clients do. One request has no token, and nothing is changed. */
export async function examineOutside(
  config: Config,
  read: typeof fetch,
): Promise<readonly Finding[]> {
  const ask = async (url: string, init: RequestInit = {}, timeoutMs = CALL_MS) =>
    answerTo(read, url, init, timeoutMs);
  const { baseUrl } = config;
  const address = await ask(`${baseUrl}/readyz`);
  if ('fault' in address) {
    const detail = `${baseUrl} does not answer: ${address.fault}`;
    const next = 'see whether the name leads here, and whether the proxy and the service run';
    return [failed('public_address', detail, next)];
  }
  return [
    judgeAddress(config, address.status, address.text),
    judgeEncryption(baseUrl, address.headers),
    judgeForwarding(config),
    judgeHttpClock(new URL(baseUrl).host, address.headers.get('date'), address.tookMs),
    ...(await Promise.all([examineMetrics(config, ask), examinePlainHttp(baseUrl, ask)])),
    // By itself, as it takes all of a slow line.
    await examineLargestBody(config, ask),
  ];
}

type Ask = (url: string, init?: RequestInit, timeoutMs?: number) => Promise<Answer>;

async function answerTo(
  read: typeof fetch,
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<Answer> {
  const begunAt = performance.now();
  try {
    const answer = await read(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const tookMs = performance.now() - begunAt;
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, tookMs };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { fault: code ?? message };
  }
}

const READY = /^\{"status":"ok"(,"read_only":true)?\}\s*$/;

function judgeAddress({ baseUrl, readOnly }: Config, status: number, text: string): Finding {
  const check = 'public_address';
  const ready = status === 200 ? READY.exec(text) : null;
  if (ready?.[1] !== undefined && !readOnly) {
    const detail = `${baseUrl} leads to a service that only reads: nothing can be written there`;
    return warned(check, detail, 'see why no writer is ready: docs/high-availability.md');
  }
  if (ready) return fine(check, `${baseUrl} leads to a service that is ready`);
  const detail = `${baseUrl}/readyz answers ${status}, and not as a service that is ready`;
  return failed(check, detail, 'see the log of the service, and where the proxy sends calls');
}

function judgeEncryption(baseUrl: string, headers: Headers): Finding {
  const check = 'hsts';
  const { protocol, hostname } = new URL(baseUrl);
  if (LOOPBACK.test(hostname)) return fine(check, `${hostname} is this machine alone`);
  if (protocol === 'http:') {
    const detail = `${baseUrl} is not encrypted: tokens and documents pass in the clear`;
    return failed(check, detail, 'put a proxy with TLS before it, and begin BASE_URL with https');
  }
  const header = headers.get('strict-transport-security');
  const seconds = Number(/max-age="?(\d+)/i.exec(header ?? '')?.[1] ?? 0);
  if (seconds > 0) return fine(check, `browsers stay with https for ${seconds} seconds`);
  const next = 'let the proxy pass Strict-Transport-Security on';
  return warned(check, 'no Strict-Transport-Security comes through', next);
}

/** The service speaks HTTP alone: whatever has a certificate is a proxy, and hides who calls. */
export function judgeForwarding({ baseUrl, trustProxy, port }: Config): Finding {
  const check = 'client_addresses';
  const { protocol, port: publicPort } = new URL(baseUrl);
  const isProxied = protocol === 'https:' || Number(publicPort || 80) !== port;
  if (isProxied && !trustProxy) {
    const detail = 'all callers count as one: the address is that of the proxy';
    const next = 'set QUITTANCE_TRUST_PROXY=1, and let the proxy append to X-Forwarded-For';
    return warned(check, detail, next);
  }
  if (!isProxied && trustProxy) {
    const detail = 'no proxy stands before it, so that callers may say any address of theirs';
    return warned(check, detail, 'set QUITTANCE_TRUST_PROXY=0');
  }
  return fine(
    check,
    isProxied
      ? 'they are those that the proxy appends; the audit log shows whether they differ'
      : 'they are those of the connections',
  );
}

/** Prometheus alone should read them. */
async function examineMetrics({ baseUrl, metrics }: Config, ask: Ask): Promise<Finding> {
  const check = 'metrics_outside';
  const { hostname, protocol } = new URL(baseUrl);
  const isNear = LOOPBACK.test(hostname);
  const places = [`${baseUrl}/metrics`];
  if (!isNear && metrics && metrics.port > 0)
    places.push(`http://${hostname}:${metrics.port}/metrics`);
  const answers = await Promise.all(places.map(async (url) => ({ url, answer: await ask(url) })));
  const open = answers.find(
    ({ answer }) => !('fault' in answer) && answer.status === 200 && /^# HELP /m.test(answer.text),
  );
  const [{ answer }] = answers as [(typeof answers)[number]];
  if (!open && 'fault' in answer) return unasked(check, answer.fault, 'see public_address');
  if (!open) return fine(check, 'nobody reads the metrics there');
  const next = `let ${protocol === 'https:' ? 'the proxy and the firewall' : 'the firewall'} close it`;
  return failed(check, `everybody reads the metrics at ${open.url}`, next);
}

/** A caller who forgets the s. */
async function examinePlainHttp(baseUrl: string, ask: Ask): Promise<Finding> {
  const check = 'plain_http';
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === 'http:' || port !== '') return fine(check, 'is not beside https');
  const answer = await ask(`http://${hostname}/readyz`);
  if ('fault' in answer) return fine(check, 'does not answer');
  const to = answer.headers.get('location') ?? '';
  if (answer.status >= 300 && answer.status < 400 && to.startsWith('https:')) {
    return fine(check, 'leads to https');
  }
  const detail = `http://${hostname} answers ${answer.status}, and does not lead to https`;
  return warned(check, detail, 'let the proxy redirect it with 308');
}

/**
 * The largest body that the service takes, without a token: our own refusal comes through, or that
 * of a proxy which takes less.
 */
async function examineLargestBody(
  { baseUrl, documentBodyLimitBytes: bytes }: Config,
  ask: Ask,
): Promise<Finding> {
  const check = 'largest_body';
  const size = `${Math.round(bytes / 1000)} KB`;
  const next = 'raise the limit of the proxy, in nginx client_max_body_size';
  const body = Buffer.alloc(bytes, ' ');
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(`${baseUrl}${DOCUMENTS}`, { method: 'POST', headers, body }, UPLOAD_MS);
  if ('fault' in answer) return unasked(check, `${size}: ${answer.fault}`, next);
  const isOurs = (answer.headers.get('content-type') ?? '').startsWith(PROBLEM_TYPE);
  if (isOurs && answer.status === 401) return fine(check, `${size} pass the proxy`);
  const detail = `a body of ${size} is answered with ${answer.status}${isOurs ? '' : ', by a proxy'}`;
  return answer.status === 429
    ? unasked(check, detail, 'wait a minute, and ask again')
    : failed(check, detail, next);
}
