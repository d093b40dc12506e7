export {decide} from './decide.ts';
export {emptyState, type State} from './state.ts';
