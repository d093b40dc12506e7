import type {IssueView} from '@symphony-supervisor/protocol';
import {measured, span, tokens} from '../../view/words.ts';
import {Fact} from '../overview/claims.tsx';

/** What all runs of an issue came to. */
export function Totals({totals}: {totals: IssueView['totals']}) {
  return (
    <dl class="facts">
      <Fact name="runs">{totals.runs}</Fact>
      <Fact name="agent time">{span(totals.seconds_running * 1000)}</Fact>
      <Fact name="tokens">{tokens(totals)}</Fact>
      <Fact name="cached">{measured(totals.tokens.cached_input_tokens, totals.usage)}</Fact>
    </dl>
  );
}
