import {direct, type IssueName, type Order, orderIssue} from '../live/api.ts';
import type {Confirmation} from './confirm.tsx';

// The confirmation of each control, with the consequences in words.

export function confirmStop(issue: IssueName): Confirmation {
  return {
    title: `Stop ${issue.issue_identifier}?`,
    detail:
      'Its run ends, the workspace is kept, and the issue is held until you retry, restart or dismiss it.',
    doLabel: 'Stop the run',
    tone: 'danger',
    act: order(issue, 'stop'),
    doneText: `${issue.issue_identifier} is stopping`,
  };
}

export function confirmRetry(issue: IssueName, question: string | null): Confirmation {
  return {
    title: `Retry ${issue.issue_identifier} now?`,
    detail: 'It is due now, and starts as soon as a slot is free.',
    question,
    doLabel: 'Retry now',
    tone: 'plain',
    takesMessage: true,
    act: order(issue, 'retry'),
    doneText: `${issue.issue_identifier} is due now`,
  };
}

export function confirmRestart(issue: IssueName): Confirmation {
  return {
    title: `Restart ${issue.issue_identifier}?`,
    detail:
      'Any run ends, and the claim, the conversation and its counters are dropped. If the issue is still eligible, it starts over.',
    doLabel: 'Restart',
    tone: 'danger',
    act: order(issue, 'restart'),
    doneText: `${issue.issue_identifier} starts over`,
  };
}

export function confirmDismiss(issue: IssueName): Confirmation {
  return {
    title: `Dismiss ${issue.issue_identifier}?`,
    detail:
      'Any run ends, and no other starts until you retry the issue, or its state, labels, title, description or assignee change in the tracker.',
    doLabel: 'Dismiss',
    tone: 'danger',
    act: order(issue, 'dismiss'),
    doneText: `${issue.issue_identifier} is dismissed`,
  };
}

export function confirmClean(issue: IssueName): Confirmation {
  return {
    title: `Remove the workspace of ${issue.issue_identifier}?`,
    detail: 'It holds the only copy of its work.',
    doLabel: 'Remove it',
    tone: 'danger',
    act: order(issue, 'clean'),
    doneText: `the workspace of ${issue.issue_identifier} is being removed`,
  };
}

/** `project` null: all of them. */
export function confirmPause(isPaused: boolean, project: string | null): Confirmation {
  const what = project === null ? 'dispatch' : `dispatch of ${project}`;
  return isPaused
    ? {
        title: `Resume ${what}?`,
        detail: 'Waiting issues and due retries start as slots allow.',
        doLabel: 'Resume',
        tone: 'plain',
        act: () => direct('resume', project),
        doneText: `${what} goes on`,
      }
    : {
        title: `Pause ${what}?`,
        detail:
          'No run is started, including retries; current runs continue. A restart keeps the pause.',
        doLabel: 'Pause',
        tone: 'plain',
        act: () => direct('pause', project),
        doneText: `${what} is paused`,
      };
}

function order(issue: IssueName, command: Order): Confirmation['act'] {
  return (message) => orderIssue(issue, command, message);
}
