export {endProcesses, isNobodyLeft, killProcesses} from './end.ts';
export {findProcesses, type ProcessQuery} from './find.ts';
export {identify, isAlive, type ProcessIdentity} from './identity.ts';
