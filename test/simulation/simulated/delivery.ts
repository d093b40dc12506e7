import type {World} from '../world.ts';

/** A push is refused, a host cannot be reached: more often than not the next one succeeds. */
export function deliveryFailure({chance, weather}: World): 'delivery_failed' | null {
  return !weather.isCalm && chance.is(25) ? 'delivery_failed' : null;
}
