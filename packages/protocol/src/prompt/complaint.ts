import {nearest} from '../nearest.ts';
import {RunFailure} from '../wire/failure.ts';
import type {Place} from './engines/source.ts';

/** The template does not follow the grammar of its engine. */
export function malformed(place: Place | null, what: string, cause: unknown): RunFailure {
  return new RunFailure('template_parse_error', `${at(place)}: ${what}`, {cause});
}

/** The template follows the grammar, but cannot be rendered. */
export function unrenderable(place: Place | null, what: string, cause: unknown): RunFailure {
  return new RunFailure('template_render_error', `${at(place)}: ${what}`, {cause});
}

/** The template names something that does not exist. */
export function unknown(
  place: Place,
  kind: 'variable' | 'section' | 'filter' | 'partial',
  name: string,
  known: readonly string[] = [],
): RunFailure {
  const meant = nearest(name, known);
  const hint = meant === null ? '' : ` (did you mean "${meant}"?)`;
  return new RunFailure('template_render_error', `${at(place)}: unknown ${kind} "${name}"${hint}`);
}

function at(place: Place | null): string {
  return place === null ? 'prompt' : `prompt line ${place.line}, column ${place.column}`;
}
