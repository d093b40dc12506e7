# Says two words in its first turn, the second without the end of its line, and is gone.
delta() { printf '{"method":"words","params":{"threadId":"t","turnId":"u","itemId":"i","delta":"%s"}}' "$1"; }
while IFS= read -r line; do
  [[ $line =~ ^\{\"method\":\"([^\"]+)\",\"id\":([0-9]+) ]] || continue
  result='{"userAgent":"cut-off/1","thread":{"id":"t"},"turn":{"id":"u","status":"inProgress"}}'
  printf '{"id":%s,"result":%s}\n' "${BASH_REMATCH[2]}" "$result"
  [[ ${BASH_REMATCH[1]} == turn/start ]] || continue
  delta first
  echo
  delta second
  exit 1
done
