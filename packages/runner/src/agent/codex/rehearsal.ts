import type {AgentJobOf} from '@symphony-supervisor/protocol';

/** Says of everything that agents say a little. */
const AGENT = String.raw`
thread='"threadId":"rehearsal"'
tell() { printf '{"method":"%s","params":{%s,%s}}\n' "$1" "$thread" "$2"; }
tokens='{"totalTokens":2,"inputTokens":1,"cachedInputTokens":0,"outputTokens":1,"reasoningOutputTokens":0}'
limits='{"primary":{"usedPercent":1,"windowDurationMins":300,"resetsAt":1}}'
while IFS= read -r line; do
  [[ $line =~ ^\{\"method\":\"([^\"]+)\",\"id\":([0-9]+) ]] || continue
  method=${'$'}{BASH_REMATCH[1]} id=${'$'}{BASH_REMATCH[2]}
  case $method in
    initialize) result='{"userAgent":"rehearsal/1"}' ;;
    thread/start) result='{"thread":{"id":"rehearsal"},"approvalPolicy":"never"}' ;;
    turn/start) result='{"turn":{"id":"turn","status":"inProgress"}}' ;;
    *) result='{}' ;;
  esac
  printf '{"id":%s,"result":%s}\n' "$id" "$result"
  [[ $method == turn/start ]] || continue
  tell turn/started '"turn":{"id":"turn","status":"inProgress"}'
  for number in {1..20}; do
    tell item/agentMessage/delta '"turnId":"turn","itemId":"item","delta":"word '$number' "'
    ((number % 10)) || sleep 0.05 # so that nothing else is heard with them
  done
  tell item/completed '"turnId":"turn","item":{"type":"agentMessage","id":"item","text":"done"}'
  tell thread/tokenUsage/updated '"turnId":"turn","tokenUsage":{"total":'$tokens',"last":'$tokens'}'
  printf '{"method":"account/rateLimits/updated","params":{"rateLimits":%s}}\n' "$limits"
  tell turn/completed '"turn":{"id":"turn","status":"completed","items":[],"error":null}'
done`;

/** For a rehearsal: a few lines of bash in the place of Codex. */
export const rehearsedCodex: AgentJobOf<'codex'> = {
  kind: 'codex',
  ...{command: AGENT, model: null, effort: null, access: 'write'},
  ...{approval_policy: 'never', thread_sandbox: 'workspace-write', turn_sandbox_policy: null},
  ...{turn_timeout_ms: 5_000, read_timeout_ms: 5_000},
};
