/** Inline drawings, so that nothing is loaded: strokes on a grid of 16. */
const SHAPES = {
  stop: 'M4.5 4.5h7v7h-7z',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  restart: 'M3 8a5 5 0 1 0 1.5-3.6M3 2.5v3h3',
  dismiss: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7.5-4.5z',
  refresh: 'M13 8a5 5 0 0 1-9 3M3 8a5 5 0 0 1 9-3M12.5 2v3h-3M3.5 14v-3h3',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  help: 'M6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 11.8v.2',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  out: 'M6.5 3.5h-3v9h9v-3M9 3.5h3.5V7M12.5 3.5 7.5 8.5',
  alert: 'M8 2.5 14.2 13H1.8zM8 6.5v3M8 11.2v.2',
  down: 'M8 3v9M4.5 8.8 8 12.3l3.5-3.5',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({name}: {name: IconName}) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
