#!/usr/bin/env bash
# Runs the examples in the folder $1 and compares their output with the files in Expected.
# RECORD=1 writes these files anew.
set -euo pipefail
programs=$(cd "$1" && pwd)
cd "$(dirname "$0")"
socket="weir-examples-$$"
trap 'tmux -L "$socket" kill-server 2>/dev/null || true' EXIT

check() {
  if [ -n "${RECORD:-}" ]; then cat >"Expected/$1.txt"; else diff -u "Expected/$1.txt" - || failed="${failed:-} $1"; fi
}

# Waits until the terminal shows $1.
shows() {
  for _ in $(seq 600); do
    tmux -L "$socket" capture-pane -p | grep -q "$1" && return
    sleep 0.05
  done
  echo "ShowList: the screen does not show “$1”" >&2
  return 1
}

check PrintFeed < <("$programs/PrintFeed" Inputs/feed.xml https://example.org/feed.xml)
check SanitiseHTML < <("$programs/SanitiseHTML" Inputs/page.html https://example.org/)
check RenderArticle < <("$programs/RenderArticle" Inputs/article.html https://example.org/moons)

# In a terminal of its own: two rows down, and the row of the selection has the mark.
tmux -L "$socket" -f /dev/null new-session -d -x 30 -y 11 "LC_ALL=C.UTF-8 '$programs/ShowList'; echo ended; sleep 60"
shows Neptune
tmux -L "$socket" send-keys j Down
shows '▎.*Earth'
check ShowList < <(tmux -L "$socket" capture-pane -p)
tmux -L "$socket" send-keys q
shows ended
# Without a terminal it says so.
if "$programs/ShowList" </dev/null >/dev/null; then failed="${failed:-} ShowList"; fi

[ -z "${failed:-}" ] || { echo "Failed examples:$failed" >&2; exit 1; }
echo "The examples printed what they should."
