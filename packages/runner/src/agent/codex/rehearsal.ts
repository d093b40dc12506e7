import type {AgentJobOf} from '@symphony-supervisor/protocol';

/** Answers every request alike, and in a turn sends a little of what agents send. */
const AGENT = String.raw`
tell() { printf '{"method":"%s","params":{"threadId":"thread","turnId":"turn",%s}}\n' "$1" "$2"; }
tokens='{"totalTokens":2,"inputTokens":1,"cachedInputTokens":0,"outputTokens":1,"reasoningOutputTokens":0}'
while IFS= read -r line; do
  [[ $line =~ ^\{\"method\":\"([^\"]+)\",\"id\":([0-9]+) ]] || continue
  printf '{"id":%s,"result":{"userAgent":"rehearsal/1","thread":{"id":"thread"},"turn":{"id":"turn"}}}\n' "${'$'}{BASH_REMATCH[2]}"
  [[ ${'$'}{BASH_REMATCH[1]} == turn/start ]] || continue
  tell turn/started '"turn":{"id":"turn"}'
  for number in {1..20}; do tell item/agentMessage/delta '"itemId":"item","delta":"word '$number' "'; done
  tell thread/tokenUsage/updated '"tokenUsage":{"total":'$tokens',"last":'$tokens'}'
  tell turn/completed '"turn":{"id":"turn","status":"completed"}'
done`;

/** For a rehearsal: a few lines of bash in the place of Codex. */
export const rehearsedCodex: AgentJobOf<'codex'> = {
  kind: 'codex',
  ...{command: AGENT, model: null, effort: null, access: 'write'},
  ...{approval_policy: 'never', thread_sandbox: 'workspace-write', turn_sandbox_policy: null},
  ...{turn_timeout_ms: 5_000, read_timeout_ms: 5_000},
};
