import type {Listeners} from '../../http/index.ts';
import type {Log} from '../../shell/log.ts';
import type {Supervisor} from '../../shell/supervisor.ts';

/** The terminal view, and a log that shows its last warnings on it. */
export interface View {
  readonly log: Log;
  readonly open: (supervisor: Supervisor, listeners: Listeners) => Disposable | null;
}

/** While it is open nothing else may write to the terminal; every line is in the log file. */
export async function terminalView(log: Log, hasColour: boolean): Promise<View> {
  const {openTerminalView} = await import('../../terminal/index.ts');
  let view: ReturnType<typeof openTerminalView> = null;
  const early: string[] = [];
  return {
    log: (level, fields, message) => {
      log(level, fields, message);
      if (level !== 'warn' && level !== 'error') return;
      const about = [fields.issue_identifier ?? fields.project, fields.reason].filter(Boolean);
      const text = [message, ...about].join(': ');
      if (view === null) early.push(text);
      else view.warn(text);
    },
    open: ({api}, {url, makeLink}) => {
      const made = makeLink();
      const link = () => (made?.isValid() ? made.url : null);
      view = openTerminalView({api, stream: process.stdout, url, link, hasColour});
      // Warnings printed during start-up, such as a misspelt key, would be hidden by the view.
      for (const text of early.splice(0)) view?.warn(text);
      return view;
    },
  };
}
