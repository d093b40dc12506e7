import type {AgentJobOf} from '@symphony-supervisor/protocol';
import {
  type AgentLine,
  cutText,
  type Loose,
  list,
  loose,
  shown,
  text,
  textOrNull,
} from '@symphony-supervisor/protocol/transcript';

type Question = Extract<AgentLine, {ev: 'question'}>;

/** What a request for a permission comes to. */
export type Permission =
  | {readonly is: 'denied'; readonly answer: object; readonly what: string}
  /** Only a person can say: the call is refused, which ends the turn. */
  | {
      readonly is: 'question';
      readonly answer: object;
      readonly line: Question;
      readonly asked: string;
    };

const UNANSWERED = 'No person is here to answer. The work is interrupted until one is.';
const DENIED =
  'This is not permitted here, and no person is there to permit it. Find another way, or say in your final message what could not be done.';

/** Rules and modes have allowed what they allow; what comes here is what they do not. */
export function answerPermission(request: Loose, job: AgentJobOf<'claude'>): Permission {
  if (request.tool_name === 'AskUserQuestion') return question(userQuestion(request));
  const wanted = wantedBy(request);
  // A card that only a person can fill in, such as a plan that waits for its approval.
  if (job.on_permission === 'ask' || request.requires_user_interaction === true) {
    return question({line: {ev: 'question', text: wanted, options: []}, asked: wanted});
  }
  return {
    is: 'denied',
    what: wanted,
    answer: {behavior: 'deny', message: DENIED, interrupt: false},
  };
}

function question({line, asked}: {line: Question; asked: string}): Permission {
  return {
    is: 'question',
    answer: {behavior: 'deny', message: UNANSWERED, interrupt: true},
    line,
    asked,
  };
}

function userQuestion(request: Loose): {line: Question; asked: string} {
  const questions = list(loose(request.input).questions).map(loose);
  const labels = questions.map((one) => list(one.options).map((each) => text(loose(each).label)));
  const asked = questions.map((one, index) =>
    [text(one.question), ...(labels[index] ?? []).map((label) => `- ${label}`)].join('\n'),
  );
  return {
    line: {
      ev: 'question',
      text: cutText(questions.map((one) => text(one.question)).join('\n')),
      options: labels.flat(),
    },
    asked: asked.join('\n\n'),
  };
}

function wantedBy(request: Loose): string {
  const {tool_name, input, blocked_path, decision_reason} = request;
  const {command, file_path, url, plan} = loose(input);
  const subject =
    [command, file_path, url, plan, blocked_path].map(textOrNull).find((one) => one !== null) ??
    shown(input);
  const reason = textOrNull(decision_reason);
  const wanted = `May I use ${text(tool_name)}: ${subject}`;
  return cutText(reason === null ? wanted : `${wanted}\n${reason}`);
}
