interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Counts requests by method, route template and status, and durations by method and route template, for Prometheus. */
export class RequestMetrics {
  readonly #requests = new Map<string, number>();
  readonly #durations = new Map<string, Histogram>();

  observe(method: string, template: string, status: number, seconds: number): void {
    const labels = `method="${method}",route="${template}"`;
    const counted = `${labels},status="${status}"`;
    this.#requests.set(counted, (this.#requests.get(counted) ?? 0) + 1);
    const histogram = this.#durations.get(labels) ?? { counts: bucketSeconds.map(() => 0), sum: 0, count: 0 };
    this.#durations.set(labels, histogram);
    bucketSeconds.forEach((most, at) => {
      if (seconds <= most) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1;
    });
    histogram.sum += seconds;
    histogram.count += 1;
  }

  /** Returns these counts and the given gauges in the text format 0.0.4. */
  text(gauges: readonly Gauge[]): string {
    const lines = gauges.flatMap(({ name, help, value }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      `${name} ${value}`,
    ]);
    lines.push('# HELP http_requests_total Responses sent.', '# TYPE http_requests_total counter');
    for (const [labels, count] of this.#requests) lines.push(`http_requests_total{${labels}} ${count}`);
    lines.push('# HELP http_request_duration_seconds Time until the response was complete, excluding streams.');
    lines.push('# TYPE http_request_duration_seconds histogram');
    for (const [labels, histogram] of this.#durations) lines.push(...histogramLines(labels, histogram));
    return `${lines.join('\n')}\n`;
  }
}

function histogramLines(labels: string, { counts, sum, count }: Histogram): string[] {
  const name = 'http_request_duration_seconds';
  return [
    ...bucketSeconds.map((most, at) => `${name}_bucket{${labels},le="${most}"} ${counts[at]}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

/** State of the backups for /metrics. */
export class BackupState {
  /** When the newest backup was completed. */
  endedAt: Date | null = null;
  /** Attempts since the last success. */
  failures = 0;
  /** WAL files that are not in the backup yet. */
  waitingWal = 0;
}

/** Emails sent by this server since its start, for its metrics. */
export class MailCounts {
  sent = 0;
  givenUp = 0;
}

/** The progress of recalculating books from another engine version, for /metrics. */
export class RenewalState {
  /** Taxpayers whose books are waiting. */
  left = 0;
}
