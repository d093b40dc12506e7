import {Tail} from '@symphony-supervisor/protocol';
import type {Exit, Step} from '../../processes/run-processes.ts';

export interface AnswerLimits {
  readonly answerMs: number;
  /** Of standard output; what comes after it is not read. */
  readonly mostBytes: number;
  /** Of standard error, the last of it is kept. */
  readonly saidBytes: number;
}

/** What a git process wrote, and how it ended: by itself, or because a limit was reached. */
export interface GitAnswer {
  readonly end: Exit | 'late' | 'too-long';
  readonly stdout: Buffer;
  readonly said: string;
}

/** Reads an answer to its end. What the process leaves running is ended by the caller. */
export async function readAnswer(
  step: Step,
  input: string,
  {answerMs, mostBytes, saidBytes}: AnswerLimits,
): Promise<GitAnswer> {
  const chunks: Buffer[] = [];
  const said = new Tail(saidBytes);
  const {stdin, stdout, stderr} = step.child;
  stdin.end(input);
  const words = new Promise<void>((resolve) => {
    stderr.on('data', (chunk: Buffer) => said.push(chunk)).once('close', resolve);
  });
  const read = (async (): Promise<GitAnswer['end']> => {
    let bytes = 0;
    for await (const chunk of stdout) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) return 'too-long';
      chunks.push(chunk as Buffer);
    }
    const exit = await step.exited;
    await words;
    return exit;
  })();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, answerMs, 'late');
  });
  const end = await Promise.race([read, late]).finally(() => clearTimeout(timer));
  return {end, stdout: Buffer.concat(chunks), said: said.text()};
}

export function isSuccess({end}: GitAnswer): boolean {
  return typeof end === 'object' && end.is === 'exit' && end.code === 0;
}

/** Git repeats the address, and some people have their token in it. */
export function withoutPassword(words: string): string {
  return words.replace(/:\/\/[^\s/@]+@/g, '://***@');
}
