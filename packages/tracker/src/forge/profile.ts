import type {ProviderComplaint, SecretProfile} from '@symphony-supervisor/protocol';
import type {MergeMethod} from './forge.ts';

/** What a forge may lack, so that a setting that needs it is an error at start. */
export type ForgeLack =
  /** Whether an account is a program; only a list of names tells. */
  | 'bot_accounts'
  /** A conflict is not told apart from "not computed yet". */
  | 'conflicts'
  /** The commit that an approval was given for. */
  | 'approved_commit'
  /** Unchanged answers cost as much as changed ones. */
  | 'conditional_reads';

/** What the rest of the product knows about a kind of forge without a request. */
export interface ForgeProfile {
  readonly kind: string;
  readonly secrets: readonly SecretProfile[];
  readonly webhook: {
    /** The key of the secret. */
    readonly secret: string;
    /** A delivery has at least one of these, in lower case, or is refused before its body is read. */
    readonly headers: Readonly<Record<string, RegExp>>;
  };
  readonly mergeMethods: readonly MergeMethod[];
  readonly lacks: readonly ForgeLack[];
  readonly knownKeys: readonly string[];
  checkProvider(provider: Readonly<Record<string, unknown>>): readonly ProviderComplaint[];
}
