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
