export {endProcesses, endProcessesBlocking} from './end.ts';
export {environmentEntry, findProcesses, lookFor, type ProcessQuery} from './find.ts';
export {commandOf, identify, isAlive, type ProcessIdentity} from './identity.ts';
export {
  describeLoginFailure,
  type LoginOptions,
  type LoginReading,
  readLoginEnvironment,
} from './login-environment.ts';
