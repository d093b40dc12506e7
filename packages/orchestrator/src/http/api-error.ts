/** Every error of the API: its status and meaning. The code is for programs. */
export const ERRORS = {
  bad_request: [400, 'the request is not what the description says'],
  unauthorized: [401, 'no token or session was given, or it is wrong'],
  forbidden: [403, 'the credential does not allow this'],
  foreign_host: [403, 'the request was sent to a name that is not ours'],
  foreign_origin: [403, 'the request comes from a page that is not ours'],
  not_found: [404, 'there is no such route'],
  issue_not_found: [404, 'no issue of this identifier is claimed or on record'],
  project_not_found: [404, 'there is no project of this name'],
  transcript_not_found: [404, 'there is no such run, or its transcript is gone'],
  method_not_allowed: [405, 'the route has other methods: see the header Allow'],
  ambiguous_issue: [
    409,
    'several projects have an issue of this identifier: name one with ?project=',
  ],
  conflict: [409, 'the issue is in a state that does not allow it'],
  payload_too_large: [413, 'the body is too large'],
  unsupported_media_type: [415, 'the body is not application/json'],
  internal_error: [500, 'a mistake of ours; the log has more'],
  unavailable: [503, 'not at the moment'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;

/** A refusal that is sent to the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code][1],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return ERRORS[this.code][0];
  }

  get body(): {error: {code: ErrorCode; message: string}} {
    return {error: {code: this.code, message: this.message}};
  }
}
