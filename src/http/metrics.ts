import type { Deps } from '../deps.ts';

/** Counts for Prometheus: requests by method, route template and status; durations by route. */
export interface Meter {
  observe(method: string, template: string, status: number, seconds: number): void;
  /** The text format, version 0.0.4, of these counts and of the gauges given. */
  text(gauges: readonly Gauge[]): string;
}

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

const meters = new WeakMap<Deps, Meter>();

export function meterOf(deps: Deps): Meter {
  const known = meters.get(deps);
  if (known !== undefined) return known;
  const meter = openMeter();
  meters.set(deps, meter);
  return meter;
}

const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

function openMeter(): Meter {
  const requests = new Map<string, number>();
  const durations = new Map<string, Histogram>();
  return {
    observe(method, template, status, seconds) {
      const labels = `method="${method}",route="${template}"`;
      const counted = `${labels},status="${status}"`;
      requests.set(counted, (requests.get(counted) ?? 0) + 1);
      const histogram = durations.get(labels) ?? { counts: bucketSeconds.map(() => 0), sum: 0, count: 0 };
      durations.set(labels, histogram);
      bucketSeconds.forEach((most, at) => {
        if (seconds <= most) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1;
      });
      histogram.sum += seconds;
      histogram.count += 1;
    },
    text(gauges) {
      const lines = gauges.flatMap(({ name, help, value }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} gauge`,
        `${name} ${value}`,
      ]);
      lines.push('# HELP http_requests_total Requests answered.', '# TYPE http_requests_total counter');
      for (const [labels, count] of requests) lines.push(`http_requests_total{${labels}} ${count}`);
      lines.push('# HELP http_request_duration_seconds Time until an answer stood, streams excluded.');
      lines.push('# TYPE http_request_duration_seconds histogram');
      for (const [labels, histogram] of durations) lines.push(...histogramLines(labels, histogram));
      return `${lines.join('\n')}\n`;
    },
  };
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
