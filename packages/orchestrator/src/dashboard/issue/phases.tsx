import {shortSpan} from '../../view/words.ts';
import type {Stretch} from '../transcript/entry.ts';

/** The phases of a run as a band over its time. */
export function Phases({stretches, end}: {stretches: readonly Stretch[]; end: number}) {
  const first = stretches[0];
  if (first === undefined) return null;
  const all = Math.max(1, end - first.from);
  const parts = stretches
    .map((stretch) => ({...stretch, ms: Math.max(0, (stretch.to ?? end) - stretch.from)}))
    .filter(({ms}) => ms > 0);
  const words = parts.map(({name, ms}) => `${name} ${shortSpan(ms)}`).join(', ');
  return (
    <figure class="phases">
      <svg
        viewBox="0 0 1000 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Phases: ${words}`}
      >
        {parts.map(({name, from, ms}) => (
          <rect
            key={`${from}`}
            class={`stretch ${kindOf(name)}`}
            x={((from - first.from) / all) * 1000}
            width={Math.max(2, (ms / all) * 1000 - 1)}
            height="14"
          >
            <title>{`${name}: ${shortSpan(ms)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        {legend(parts).map(({name, ms}) => (
          <span key={name}>
            <span class={`swatch ${kindOf(name)}`} aria-hidden="true" /> {name} {shortSpan(ms)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function kindOf(name: string): string {
  if (name.startsWith('turn')) return 'turn';
  if (name === 'launch' || name === 'between turns') return 'agent';
  return name === 'workspace' || name === 'finish' ? 'room' : 'hook';
}

/** Each name once, and only phases that took a visible share. */
function legend(parts: readonly {name: string; ms: number}[]): {name: string; ms: number}[] {
  const sums = new Map<string, number>();
  for (const {name, ms} of parts) {
    const short = name.startsWith('turn') ? 'turns' : name;
    sums.set(short, (sums.get(short) ?? 0) + ms);
  }
  return [...sums].map(([name, ms]) => ({name, ms})).sort((a, b) => b.ms - a.ms);
}
