import { isIP } from 'node:net';
import type { MetricsPlace } from '../platform/config/metrics-place.js';
import { serverUrl } from '../platform/http/server-url.js';

/** At this machine, for metrics and status: `http://127.0.0.1:9464`; null: it is not known. */
export function metricsAddress(place: MetricsPlace | null): string | null {
  if (place === null || place.port === 0) return null;
  const family = isIP(place.host) === 6 ? 'IPv6' : 'IPv4';
  return serverUrl({ address: place.host, port: place.port, family });
}
