export interface CodexSettings {
  /** Where the model is: a stub's `baseUrl`. */
  readonly baseUrl: string;
  /**
   * `stub` needs no login. `openai` is the built-in provider, sent to `baseUrl` all the same, for
   * what Codex says when nobody is logged in.
   */
  readonly provider?: 'stub' | 'openai';
  /** Of the models that Codex knows, one that calls tools as plain functions. */
  readonly model?: string;
  /** Sent as bearer token; without one the provider needs none. */
  readonly key?: {readonly name: string; readonly value: string};
  /** Further tries of one HTTP request, and of one step of a turn: (1 + a) · (1 + b) requests. */
  readonly requestMaxRetries?: number;
  readonly streamMaxRetries?: number;
  /** Codex's default, under which a turn without a network never ends. */
  readonly waitsForNetwork?: boolean;
  /** Silence in a stream before Codex calls it broken. */
  readonly streamIdleTimeoutMs?: number;
  /** Further tables of config.toml. */
  readonly toml?: string;
}

/** config.toml for an agent that talks to nobody but `baseUrl`. */
export function codexConfig(settings: CodexSettings): string {
  const {
    baseUrl,
    provider = 'stub',
    model = 'gpt-5.5',
    key,
    requestMaxRetries = 0,
    streamMaxRetries = 1,
    waitsForNetwork = false,
    streamIdleTimeoutMs = 60_000,
    toml = '',
  } = settings;
  const lines = [
    `model = ${text(model)}`,
    `model_provider = ${text(provider)}`,
    'check_for_update_on_startup = false',
    ...(provider === 'openai' ? [`openai_base_url = ${text(baseUrl)}`] : []),
    '[analytics]',
    'enabled = false',
    '[features]',
    // With plugins Codex calls home at every start, whatever the provider.
    'plugins = false',
    `unbounded_connection_retries = ${waitsForNetwork}`,
  ];
  if (provider === 'stub') {
    lines.push(
      '[model_providers.stub]',
      'name = "stub"',
      `base_url = ${text(baseUrl)}`,
      'wire_api = "responses"',
      ...(key === undefined ? [] : [`env_key = ${text(key.name)}`]),
      `request_max_retries = ${requestMaxRetries}`,
      `stream_max_retries = ${streamMaxRetries}`,
      `stream_idle_timeout_ms = ${streamIdleTimeoutMs}`,
    );
  }
  return `${lines.join('\n')}\n${toml}`;
}

/** A string of JSON is one of TOML too. */
function text(value: string): string {
  return JSON.stringify(value);
}
