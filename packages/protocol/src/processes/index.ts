export {endProcesses, killProcesses} from './end.ts';
export {environmentEntry, findProcesses, lookFor, type ProcessQuery} from './find.ts';
export {commandOf, identify, isAlive, type ProcessIdentity} from './identity.ts';
