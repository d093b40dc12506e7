/** Where a secret comes from. The value itself is only ever read in the tracker thread. */
export type SecretRef =
  | {readonly from: 'env'; readonly name: string}
  | {readonly from: 'file'; readonly path: string}
  | {readonly from: 'value'; readonly value: string};

/** What the front matter may say about a secret of an adapter: `<key>`, `<key>_file`, or nothing. */
export interface SecretProfile {
  /** The provider key, for example `api_key`; `<key>_file` names a file instead. */
  readonly key: string;
  /** The variable it is read from when the workflow file is silent, or null. */
  readonly env: string | null;
  readonly required: boolean;
}

/**
 * What the rest of the system knows about a kind of tracker without talking to it. Adapters provide
 * it; the workflow file is checked against it.
 */
export interface TrackerProfile {
  readonly kind: string;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  /** States in which a blocker counts. */
  readonly unstartedStates: readonly string[];
  /** Whether it can write states and comments (in-progress, handoff). */
  readonly canWrite: boolean;
  readonly secrets: readonly SecretProfile[];
  /** Where it can send webhooks: the secret they are signed with, and the header that holds the signature. */
  readonly webhook?: {
    readonly secret: string;
    /** Lower-cased. */
    readonly header: string;
    readonly form: RegExp;
  };
  /** Provider keys that are paths: resolved against the workflow file's folder, `$VAR` and `~` allowed. */
  readonly pathKeys: readonly string[];
  /** Flat keys of older files, directly under `tracker`, and the provider key that each became. */
  readonly flatKeys: Readonly<Record<string, string>>;
  /** Provider settings where the file is silent; a path among them is resolved like one in the file. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /**
   * A provider key that, where the file leaves it out, is true if the prompt names this tool: older
   * files rely on a tool that newer ones must ask for.
   */
  readonly promptTool?: {readonly key: string; readonly tool: string};
  /** Every provider key that means something, for the report of unknown keys. */
  readonly knownKeys: readonly string[];
  /** Checks the provider's own settings: one complaint per problem. */
  checkProvider(provider: Readonly<Record<string, unknown>>): readonly ProviderComplaint[];
}

export interface ProviderComplaint {
  /** Path below `tracker.provider`; empty for the map as a whole. */
  readonly key: readonly (string | number)[];
  /** What would be right. */
  readonly expected: string;
}
