import type {Log} from '../../shell/log.ts';
import {CODE_VALID_MS, type LoginCodes} from '../access/login-codes.ts';
import {SESSION_MS, type Sessions} from '../access/sessions.ts';
import type {Tokens} from '../access/tokens.ts';
import {json, type Route, route} from '../api/route.ts';
import {LoginCode, NoOrder, SessionOpened, SignIn, TokensRotated} from '../api/shapes.ts';
import {ApiError} from '../api-error.ts';

export interface AccessParts {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly codes: LoginCodes;
  /** Ends the streams of callers whose credential was revoked. */
  readonly endStreams: () => void;
  readonly dashboardUrl: () => string | null;
  readonly log: Log;
}

/** A code and some JSON around it. */
const SIGN_IN_BYTES = 1024;

/** Signs browsers in and revokes tokens and sessions. */
export function accessRoutes(parts: AccessParts): Route[] {
  const {tokens, sessions, codes, endStreams, dashboardUrl, log} = parts;
  return [
    route({
      method: 'POST',
      path: '/api/v1/session',
      id: 'openSession',
      summary: 'Exchange the one-time code of a link for a cookie and a page key, both needed',
      access: 'open',
      body: SignIn,
      bodyBytes: SIGN_IN_BYTES,
      answers: {200: {description: 'The browser is signed in', schema: SessionOpened}},
      errors: ['unauthorized'],
      serve: ({body, headers}) => {
        if (!codes.redeem(body.code)) {
          const remedy = 'create another with `symphony-supervisor open`';
          throw new ApiError('unauthorized', `this link was used or has expired; ${remedy}`);
        }
        const {id, cookie, pageKey, expiresAt} = sessions.open();
        log('info', {event: 'session.opened', session: id}, 'session.opened');
        const isEncrypted = headers.origin?.startsWith('https:') === true;
        const opened: SessionOpened = {
          page_key: pageKey,
          expires_at: new Date(expiresAt).toISOString(),
        };
        return {
          ...json(200, opened),
          headers: {'set-cookie': setCookie(sessions.cookieName, cookie, isEncrypted)},
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/login-codes',
      id: 'makeLoginCode',
      summary: 'A code that signs one browser in, once, within ten minutes',
      access: 'owner',
      body: NoOrder,
      answers: {201: {description: 'The code', schema: LoginCode}},
      serve: () =>
        json(201, {
          code: codes.make(),
          expires_at: new Date(Date.now() + CODE_VALID_MS).toISOString(),
          dashboard_url: dashboardUrl(),
        } satisfies LoginCode),
    }),
    route({
      method: 'POST',
      path: '/api/v1/tokens/rotate',
      id: 'rotateTokens',
      summary: 'Replace both tokens, end all sessions, invalidate all codes',
      access: 'owner',
      body: NoOrder,
      answers: {200: {description: 'The old tokens are invalid', schema: TokensRotated}},
      serve: async ({by}) => {
        // Sessions first: if the tokens cannot be written, the caller gets the error and can retry.
        sessions.endAll();
        codes.clear();
        await tokens.rotate();
        endStreams();
        log('info', {event: 'tokens.rotated', by}, 'tokens.rotated');
        return json(200, {rotated: true} satisfies TokensRotated);
      },
    }),
  ];
}

function setCookie(name: string, value: string, isEncrypted: boolean): string {
  const attributes = [`Max-Age=${SESSION_MS / 1000}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (isEncrypted) attributes.push('Secure');
  return [`${name}=${value}`, ...attributes].join('; ');
}
