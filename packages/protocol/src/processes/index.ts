export {endProcesses, isNobodyLeft, killProcesses} from './end.ts';
export {environmentEntry, findProcesses, type ProcessQuery} from './find.ts';
export {commandOf, identify, isAlive, type ProcessIdentity} from './identity.ts';
