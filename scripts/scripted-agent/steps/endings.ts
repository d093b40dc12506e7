import type {CodexStage, Performers, Stage} from '../script/stage.ts';

/** How a turn ends when its steps do not just run out. */
export const endings: Performers<'complete' | 'interrupt' | 'fail', CodexStage> = {
  complete(_, {turn}) {
    turn.end('completed');
  },

  interrupt(_, {turn}) {
    turn.end('interrupted');
  },

  fail({fail: message, info = 'other', details = null}, {turn}) {
    turn.end('failed', {
      message,
      codexErrorInfo: info,
      additionalDetails: details,
      misalignment: null,
    });
  },
};

/** How this process falls over, in or out of a turn. What was said before still arrives; shells live on. */
export const deaths: Performers<'exit' | 'signal', Stage> = {
  async exit({exit: code}, {host}) {
    await host.output.flushed();
    process.exit(code);
  },

  /** Also SIGSTOP, which makes an agent that is there and answers nothing. */
  async signal({signal}, {host}) {
    await host.output.flushed();
    process.kill(process.pid, signal);
  },
};
