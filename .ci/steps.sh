# The parts that .ci/run and .ci/long share; sourced by both.
set -euo pipefail
export CI=true
exec </dev/null

summary=()
failed=0

step() {
  local name=$1 began=$SECONDS result=ok
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  "$@" || { result=FAILED; failed=1; }
  summary+=("$(printf '%-14s %-6s %4d s' "$name" "$result" "$((SECONDS - began))")")
}

# The journal is tested on PostgreSQL too. Without one those tests are skipped, which is no failure.
database() {
  pg_isready -q -h 127.0.0.1 2>/dev/null && return
  local version
  version=$(ls /etc/postgresql 2>/dev/null | tail -n 1)
  { [ -n "$version" ] && pg_ctlcluster --skip-systemctl-redirect "$version" main start; } ||
    echo 'no PostgreSQL can be started; its tests are skipped'
}

finish() {
  printf '\n== summary\n'
  printf '%s\n' "${summary[@]}"
  exit "$failed"
}
