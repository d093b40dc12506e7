import {join} from 'node:path';
import type {Writable} from 'node:stream';
import {createMask} from '@symphony-supervisor/protocol';
import {type Level, pino} from 'pino';
import type {Log} from '../shell/log.ts';
import {Output} from './output.ts';
import {type FileTrouble, RotatingFile} from './rotating-file.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `none` while the terminal view is shown. */
export type OutputStyle = 'json' | 'pretty' | 'none';

export interface LogOptions {
  readonly logsRoot: string;
  readonly level: LogLevel;
  readonly stdout: Writable;
  readonly style: OutputStyle;
  readonly color: boolean;
  /** Values to mask; text that looks like a token is masked anyway. */
  readonly secrets: readonly string[];
}

export interface OpenLog extends Disposable {
  readonly log: Log;
  readonly path: string;
}

export const LOG_FILE = 'supervisor.log';

/** JSON lines in rotated files, and on stdout as JSON or in readable form. Never throws. */
export async function openLog(options: LogOptions): Promise<OpenLog> {
  const {logsRoot, level, stdout, style, color, secrets} = options;
  const mask = createMask({values: secrets});
  const pretty = style === 'pretty' ? (await import('./pretty-lines.ts')).prettyLines(color) : null;
  const path = join(logsRoot, LOG_FILE);
  let tell: Log = () => {};
  const output = new Output(stdout, (reason) => tell('warn', {reason}, 'stdout cannot be written'));
  const file = new RotatingFile({path, onTrouble: (trouble) => tellTrouble(tell, path, trouble)});
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {level: (label) => ({level: label})},
    },
    {
      write(line: string) {
        const masked = mask(line.trimEnd());
        file.write(`${masked}\n`);
        if (style !== 'none') output.write(pretty === null ? `${masked}\n` : pretty(masked));
      },
    },
  );
  tell = (at: Level, fields, message) => logger[at](fields, message);
  return {log: tell, path, [Symbol.dispose]: () => file[Symbol.dispose]()};
}

/** The file is failing when this is called, so the line reaches the other sink only. */
function tellTrouble(log: Log, path: string, trouble: FileTrouble): void {
  if (trouble.is === 'failing') {
    const {reason} = trouble;
    log('error', {event: 'log.failing', path, reason}, 'the log file cannot be written');
  } else {
    const {dropped} = trouble;
    log('warn', {event: 'log.working', path, dropped}, 'the log file is written again');
  }
}
