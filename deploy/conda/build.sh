#!/usr/bin/env bash
# Copies what the command line needs: its sources, run as they are, and the packages that they import.
set -euo pipefail
npm ci --omit=dev --ignore-scripts --workspace apps/cli --include-workspace-root
target="$PREFIX/lib/heterosis"
mkdir -p "$target/apps" "$PREFIX/bin"
cp -R package.json LICENSE node_modules packages "$target/"
cp -R apps/cli "$target/apps/"
ln -s ../lib/heterosis/apps/cli/bin/heterosis.mjs "$PREFIX/bin/heterosis"
