import {LoginCode} from '../../http/api/shapes.ts';
import {signInUrl} from '../../http/sign-in-link.ts';
import {EXIT, type ExitCode, ExitWith} from '../exit.ts';
import {printJson} from '../table.ts';
import type {OpenOptions} from './client-commands.ts';
import {Control} from './control.ts';

/**
 * Prints a link that signs one browser in. No browser is started: other users can read the
 * arguments of a process.
 */
export async function open(options: OpenOptions): Promise<ExitCode> {
  if (!process.stdout.isTTY && !options.json) {
    const what = 'the link signs a browser in, so it is printed on a terminal only';
    throw new ExitWith(EXIT.unexpected, `${what}\n--json prints it for a script`);
  }
  const made = await Control.reach(options).post('/api/v1/login-codes', {}, LoginCode);
  const base = options.url ?? made.dashboard_url;
  if (base === null) {
    const remedy = 'start the supervisor with --port, or set server.port';
    throw new ExitWith(EXIT.unexpected, `this supervisor has no dashboard\n${remedy}`);
  }
  const url = signInUrl(base, made.code);
  if (options.json) printJson({url, expires_at: made.expires_at});
  else console.log(`${url}\nOpen it within ten minutes; it works once.`);
  return EXIT.fine;
}
