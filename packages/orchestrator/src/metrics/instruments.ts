import {Counter, Gauge, Histogram, Registry} from 'prom-client';

/** Every metric. A separate registry, so that no other library adds metrics. */
export function makeInstruments() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({name, help, labelNames, registers});
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({name, help, labelNames, registers});
  const histogram = <L extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: L[]
  ) => new Histogram({name, help, buckets, labelNames, registers});

  return {
    registry,
    // Counted as it happens.
    dispatches: counter('symphony_dispatches_total', 'Runs started', 'project', 'role'),
    exits: counter(
      'symphony_run_exits_total',
      'Runs ended',
      ...(['project', 'role', 'outcome', 'failure'] as const),
    ),
    retries: counter(
      'symphony_retries_total',
      'Retries scheduled',
      ...(['project', 'kind', 'cause'] as const),
    ),
    tokens: counter('symphony_tokens_total', 'Tokens used by agents', 'project', 'type'),
    reads: counter(
      'symphony_tracker_reads_total',
      'Reads of the tracker',
      ...(['project', 'read', 'result'] as const),
    ),
    storeFailures: counter('symphony_store_failures_total', 'Failed writes to the store'),
    runSeconds: histogram(
      'symphony_run_duration_seconds',
      'Duration of runs',
      [5, 15, 60, 180, 600, 1800, 3600, 7200, 14_400],
      ...(['project', 'outcome'] as const),
    ),
    tickSeconds: histogram(
      'symphony_tick_duration_seconds',
      'Duration of ticks, including tracker reads',
      [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 120],
      'project',
    ),
    storeSeconds: histogram(
      'symphony_store_write_duration_seconds',
      'Duration of writes to the store',
      [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    ),
    // Gauges are computed at scrape time.
    claims: gauge('symphony_claims', 'Claimed issues', 'project', 'state'),
    held: gauge('symphony_held_issues', 'Held issues, by failure code', 'project', 'reason'),
    waiting: gauge('symphony_waiting_issues', 'Unclaimed candidates', 'project'),
    slotsUsed: gauge('symphony_slots_used', 'Slots in use', 'project'),
    slotsLimit: gauge('symphony_slots_limit', 'Number of slots', 'project'),
    blocked: gauge('symphony_dispatch_blocked', '1 while nothing is dispatched', 'project'),
    requests: counter(
      'symphony_tracker_requests_total',
      'Requests to the tracker, by result',
      ...(['project', 'result'] as const),
    ),
    budgetLeft: gauge(
      'symphony_tracker_budget_remaining',
      'Remaining request budget of the tracker',
      ...(['project', 'budget'] as const),
    ),
    budgetLimit: gauge(
      'symphony_tracker_budget_limit',
      'Request budget of the tracker',
      ...(['project', 'budget'] as const),
    ),
    storeIsWritable: gauge('symphony_store_writable', '0 while the store cannot be written'),
    loopLag: gauge(
      'symphony_loop_lag_seconds',
      'Event-loop delay of the main thread since the last scrape',
      'quantile',
    ),
    childMemory: gauge(
      'symphony_run_memory_bytes',
      'Memory of the processes of all runs',
      ...(['process', 'kind'] as const),
    ),
    buildInfo: gauge('symphony_build_info', 'Always 1', 'version'),
    ownMemory: gauge('process_resident_memory_bytes', 'Memory of the supervisor itself'),
    ownCpu: counter('process_cpu_seconds_total', 'CPU time of the supervisor itself'),
    startedAt: gauge('process_start_time_seconds', 'When the supervisor started, since 1970'),
  };
}

export type Instruments = ReturnType<typeof makeInstruments>;
