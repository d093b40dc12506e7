import {Refusal, type Refused} from './refusal.ts';

/** A refusal becomes data here; everything else that is thrown is a defect or a dead disk. */
export async function orRefused<T>(act: () => Promise<T>): Promise<T | Refused> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {is: 'refused', kind: error.kind, message: error.message};
  }
}
