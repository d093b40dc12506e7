import {Socket} from 'node:net';
import {join} from 'node:path';
import {writeFile} from '../../processes/files.ts';
import type {Step} from '../../processes/run-processes.ts';

/** What a remote is told about who pushes. */
export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** The socket that every process below git inherits. */
const DESCRIPTOR = 3;

/**
 * Passes the question of git to the runner, and its answer to git. `printf` and `read` are part of the shell, so no
 * process has the answer among its arguments.
 */
const SCRIPT = `#!/bin/sh
printf '%s\\n' "$1" >&${DESCRIPTOR} && IFS= read -r answer <&${DESCRIPTOR} && printf '%s\\n' "$answer"
`;
/** A question is one short line; a longer one is not of git. */
const LONGEST_QUESTION = 4096;
const QUESTION = /^(Username|Password) for '(\S+)': ?$/;

/** The file holds no secret. Returns its path, for `GIT_ASKPASS`. */
export async function writeAskpass(dir: string): Promise<string> {
  const path = join(dir, 'askpass');
  await writeFile(path, SCRIPT, 0o700);
  return path;
}

/**
 * Answers the questions of one git process, each at most once: git repeats a question only after a refusal. A question
 * that names another origin, because the remote redirected to it, ends the conversation.
 */
export function answerQuestions(step: Step, url: string, credential: Credential): void {
  const socket = step.child.stdio[DESCRIPTOR];
  if (!(socket instanceof Socket)) throw new Error('git was started without a socket');
  const answers = new Map([
    ['Username', credential.username],
    ['Password', credential.password],
  ]);
  let text = '';
  socket.on('error', () => {}); // git has ended
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    if (text.length > LONGEST_QUESTION) socket.destroy();
    for (const line of lines) {
      const [, what = '', origin = ''] = QUESTION.exec(line) ?? [];
      const answer = isSameOrigin(origin, url) ? answers.get(what) : undefined;
      answers.delete(what);
      if (answer === undefined) socket.destroy();
      else socket.write(`${answer}\n`);
    }
  });
}

function isSameOrigin(asked: string, url: string): boolean {
  return URL.canParse(asked) && new URL(asked).origin === new URL(url).origin;
}

/** A line break would end the answer early, and begin the next one. */
export function isOneLine({username, password}: Credential): boolean {
  return password !== '' && [username, password].every((text) => !/[\r\n\0]/.test(text));
}
