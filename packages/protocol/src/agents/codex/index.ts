export {CODEX_WORDS} from './words.ts';
