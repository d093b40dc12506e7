/** Every error of the API: its status and meaning. The code is for programs. */
export const ERRORS = {
  bad_request: [400, 'the request does not match the OpenAPI description'],
  unauthorized: [401, 'the token or the session is missing or wrong'],
  forbidden: [403, 'the credential does not allow this'],
  foreign_host: [403, 'the host name of the request is not accepted'],
  foreign_origin: [403, 'the request comes from a page of another origin'],
  not_found: [404, 'there is no such route'],
  issue_not_found: [404, 'no issue with this identifier is claimed or on record'],
  project_not_found: [404, 'there is no project of this name'],
  transcript_not_found: [404, 'there is no such run, or its transcript was deleted'],
  method_not_allowed: [405, 'the route has other methods: see the header Allow'],
  ambiguous_issue: [
    409,
    'several projects have an issue with this identifier: choose one with ?project=',
  ],
  conflict: [409, 'the state of the issue does not allow it'],
  payload_too_large: [413, 'the body is too large'],
  unsupported_media_type: [415, 'the body is not application/json'],
  internal_error: [500, 'a bug in the supervisor; see the log'],
  unavailable: [503, 'temporarily unavailable'],
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
