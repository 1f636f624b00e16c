/** The address at which Prometheus finds the metrics. */
export interface MetricsPlace {
  host: string;
  /** 0: any that is free. */
  port: number;
}

/** Exporters of OpenTelemetry have it, too, and Prometheus keeps it for them. */
export const DEFAULT_METRICS_PORT = 9464;

export function metricsPlace(host: string, port: number | 'off'): MetricsPlace | null {
  return port === 'off' ? null : { host, port };
}

/** The service listens at both. */
export function refusedPorts(port = 0, metricsPort: number | 'off' = 'off'): string[] {
  const isShared = port > 0 && port === metricsPort;
  return isShared ? ['QUITTANCE_METRICS_PORT: must be another one than PORT'] : [];
}
