import type {LoginCodes} from './access/login-codes.ts';

/** To be shown to a person on a terminal, and nowhere else. */
export interface SignInLink {
  readonly url: string;
  /** Neither used nor expired. */
  readonly isValid: () => boolean;
}

export function makeLink(dashboardUrl: string, codes: LoginCodes): SignInLink {
  const code = codes.make();
  return {url: signInUrl(dashboardUrl, code), isValid: () => codes.isValid(code)};
}

/** The code is in the fragment, which browsers keep to themselves: no server, proxy or log sees it. */
export function signInUrl(dashboardUrl: string, code: string): string {
  return `${dashboardUrl.replace(/\/+$/, '')}/#login=${code}`;
}
