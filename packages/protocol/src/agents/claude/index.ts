export {PERMISSION_MODES} from './words.ts';
