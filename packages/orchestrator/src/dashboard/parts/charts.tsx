import {count, plural} from '../../view/words.ts';
import type {Bucket, Throughput} from '../overview/throughput.ts';
import type {TokenPoint} from '../transcript/entry.ts';

// Small SVG charts. Each also has a description in words.

const TONES = ['bad', 'warn', 'plain', 'good'] as const;

/** Nothing is said of none: agents that do not measure have used some. */
function tokensIn({tokens}: Bucket): string {
  return tokens === 0 ? '' : `, ${count(tokens)} tokens`;
}

export function ThroughputChart({data}: {data: Throughput}) {
  const sums = data.buckets.map(({counts}) => TONES.reduce((sum, tone) => sum + counts[tone], 0));
  const top = Math.max(4, ...sums);
  const all = sums.reduce((sum, n) => sum + n, 0);
  const good = data.buckets.reduce((sum, {counts}) => sum + counts.good, 0);
  const bad = data.buckets.reduce((sum, {counts}) => sum + counts.bad, 0);
  const words = `${all} ended, ${good} succeeded, ${bad} failed`;
  const width = 240 / data.buckets.length;
  return (
    <figure class="chart">
      <svg viewBox="0 0 240 64" role="img" aria-label={`${data.title}: ${words}`}>
        <line class="axis" x1="0" x2="240" y1="63.5" y2="63.5" />
        {data.buckets.map((bucket, index) => {
          let y = 63;
          return (
            <g key={bucket.from}>
              <title>{`${clock(bucket.from)}: ${plural(sums[index] ?? 0, 'run')}${tokensIn(bucket)}`}</title>
              <rect class="hit" x={index * width} y="0" width={width} height="64" />
              {TONES.toReversed().map((tone) => {
                const height = (bucket.counts[tone] / top) * 60;
                y -= height;
                if (height === 0) return null;
                return (
                  <rect
                    key={tone}
                    class={`bar ${tone}`}
                    x={index * width + 1}
                    y={y}
                    width={width - 2}
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>{clock(data.buckets[0]?.from ?? 0)}</span>
        <span>{words}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'});
}

/** A monotonically growing line. */
export function GrowthChart({points, label}: {points: readonly TokenPoint[]; label: string}) {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const thin = points.filter((_, index) => index % Math.ceil(points.length / 200) === 0);
  const x = (at: number) => (((at - first.at) / Math.max(1, last.at - first.at)) * 240).toFixed(1);
  const low = Math.min(first.total, ...thin.map(({total}) => total));
  const y = (total: number) =>
    (58 - ((total - low) / Math.max(1, last.total - low)) * 52).toFixed(1);
  const line = [...thin, last].map(({at, total}) => `${x(at)},${y(total)}`).join(' ');
  return (
    <svg
      class="growth"
      viewBox="0 0 240 60"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon class="area" points={`0,60 ${line} 240,60`} />
      <polyline class="line" points={line} />
    </svg>
  );
}

export function Meter({used, label}: {used: number; label: string}) {
  const share = Math.min(1, Math.max(0, used));
  const level = share >= 0.9 ? 'alarming' : share >= 0.7 ? 'uneasy' : 'calm';
  return (
    <svg
      class={`meter ${level}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={100 * share} height="6" />
    </svg>
  );
}
