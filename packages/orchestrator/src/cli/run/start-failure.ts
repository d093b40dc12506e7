import {AlreadyRunning, StoreFailure, StoreTooNew} from '../../store/index.ts';
import {EXIT, ExitWith} from '../exit.ts';

/** Expected reasons why a supervisor cannot start, with a hint; anything else is a bug. */
export function forPeople(error: unknown): unknown {
  if (error instanceof AlreadyRunning) {
    const remedy = 'stop it first, or use another --state-dir';
    return new ExitWith(EXIT.alreadyRunning, `${error.message}\n${remedy}`, {cause: error});
  }
  if (error instanceof StoreTooNew || error instanceof StoreFailure) {
    const remedy =
      error instanceof StoreTooNew ? '' : '\nfix it, or give a writable folder with --state-dir';
    return new ExitWith(EXIT.unexpected, `${error.message}${remedy}`, {cause: error});
  }
  return error;
}
