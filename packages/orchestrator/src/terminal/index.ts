export {openTerminalView, type TerminalOptions, type TerminalView} from './terminal-view.ts';
