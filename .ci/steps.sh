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

# Some tests need the packages of a folder. Without them they are skipped, which is no failure.
packages() {
  local folder
  for folder in "$@"; do
    npx node scripts/install.ts "$folder" || echo "The tests that need the packages of $folder are skipped."
  done
}

finish() {
  printf '\n== summary\n'
  printf '%s\n' "${summary[@]}"
  exit "$failed"
}
