#!/usr/bin/env bash
# The least that passes for an agent: a millisecond to start, nothing between a question and its answer,
# so that the supervisor is measured and not the agent. It needs no other program but `mv`.
#
#   agent.bash instant FOLDER   each turn moves its issue to Review and is over
#   agent.bash stay FOLDER      turns never end; FOLDER/rate says how many events a second it streams
#
# FOLDER/notes gets a line with the time for each `initialize` and each turn, FOLDER/sent/<pid> how many
# events it has streamed. The issue is known by the name of the folder it is started in.
LC_ALL=C
mode=$1 folder=$2 issue=${PWD##*/}
thread=thread-$issue turns=0 in_turn='' sent=0 since=0 base=0 rate='' numbers=({1..500})
delta='{"method":"item/agentMessage/delta","params":{"threadId":"'$thread'","turnId":"turn","itemId":"item","delta":"word %s and others "}}\n'

note() { printf '%s %s %s\n' "$EPOCHREALTIME" "$1" "$issue" >> "$folder/notes"; }

ended() {
  in_turn=''
  printf '{"method":"turn/completed","params":{"threadId":"%s","turn":{"id":"turn-%s","status":"%s"}}}\n' "$thread" "$turns" "$1"
}

turn() {
  turns=$((turns + 1)) in_turn=yes
  note turn
  printf '{"id":%s,"result":{"turn":{"id":"turn-%s","status":"inProgress"}}}\n' "$1" "$turns"
  printf '{"method":"turn/started","params":{"threadId":"%s","turn":{"id":"turn-%s","status":"inProgress"}}}\n' "$thread" "$turns"
  [[ $mode == instant ]] || return
  printf -- '---\nstate: Review\n---\n# %s\n' "$issue" > "$folder/moving/$issue.md"
  mv "$folder/moving/$issue.md" "$folder/issues/$issue.md"
  ended completed
}

answer() {
  [[ $1 =~ ^\{\"method\":\"([^\"]+)\"(,\"id\":([0-9]+))? ]] || return
  local method=${BASH_REMATCH[1]} id=${BASH_REMATCH[3]}
  case $method in
    initialize) note initialize && printf '{"id":%s,"result":{"userAgent":"bench/1.0.0"}}\n' "$id" ;;
    account/read) printf '{"id":%s,"result":{"account":{"type":"apiKey"},"requiresOpenaiAuth":false}}\n' "$id" ;;
    thread/start | thread/resume) printf '{"id":%s,"result":{"thread":{"id":"%s"}}}\n' "$id" "$thread" ;;
    turn/start) turn "$id" ;;
    turn/interrupt) printf '{"id":%s,"result":{}}\n' "$id" && ended interrupted ;;
    *) [[ -z $id ]] || printf '{"id":%s,"result":{}}\n' "$id" ;;
  esac
}

# By the clock, not by the number of rounds: on a busy machine rounds come late.
stream() {
  local wanted now=${EPOCHREALTIME/./}
  read -r wanted < "$folder/rate"
  if [[ $wanted != "$rate" ]]; then rate=$wanted since=$now base=$sent; fi
  local due=$((base + (now - since) * rate / 1000000 - sent))
  ((due > ${#numbers[@]})) && due=${#numbers[@]}
  ((due > 0)) || return
  # shellcheck disable=SC2059
  printf "$delta" "${numbers[@]:0:due}"
  sent=$((sent + due))
  echo "$sent" > "$folder/sent/$$"
}

begun=''
while :; do
  if [[ -n $in_turn && $mode == stay ]]; then
    IFS= read -r -t 0.05 line
    status=$?
    stream
  else
    IFS= read -r line
    status=$?
  fi
  if ((status == 0)); then
    answer "$begun$line"
    begun=''
  elif ((status > 128)); then
    begun+=$line # the time was up in the middle of a line
  else
    exit 0
  fi
done
