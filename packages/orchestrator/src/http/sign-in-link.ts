import type {LoginCodes} from './access/login-codes.ts';

/** Shown on a terminal only. */
export interface SignInLink {
  readonly url: string;
  /** Neither used nor expired. */
  readonly isValid: () => boolean;
}

export function makeLink(dashboardUrl: string, codes: LoginCodes): SignInLink {
  const code = codes.make();
  return {url: signInUrl(dashboardUrl, code), isValid: () => codes.isValid(code)};
}

/** The code is in the URL fragment, which browsers do not send: no server, proxy or log sees it. */
export function signInUrl(dashboardUrl: string, code: string): string {
  return `${dashboardUrl.replace(/\/+$/, '')}/#login=${code}`;
}
